import type { App } from "../../app.ts";
import { enforceLimit } from "../../rate-limits/count-requests.ts";
import { codeLimit } from "../../rate-limits/limits.ts";

/**
 * Counts an attempt with a code for one person, before the code is checked. A right code counts too, because the
 * limit is above what a person needs. If a right code took its count back, a thief of the password could guess
 * between the person's own sign-ins. Throws `rate_limited`.
 */
export async function enforceCodeLimit(app: App, userId: string): Promise<void> {
  await enforceLimit(app, codeLimit, userId, "Too many codes were tried. Wait a quarter of an hour, then try again.");
}
