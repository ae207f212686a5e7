import type { App } from "../../app.ts";
import { enforceLimit } from "../../rate-limits/count-requests.ts";
import { codeLimit } from "../../rate-limits/limits.ts";

/**
 * Counts a try of a code for one person, before it is checked. A right one counts too: the limit is above what a person
 * needs, and a taken-back count would let a thief of the password guess between their sign-ins. Throws `rate_limited`.
 */
export async function enforceCodeLimit(app: App, userId: string): Promise<void> {
  await enforceLimit(app, codeLimit, userId, "Too many codes were tried. Wait a quarter of an hour, then try again.");
}
