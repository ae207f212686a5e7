import { z } from "zod";
import type { App } from "../../app.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults } from "../../faults.ts";
import { expects, parseInput } from "../../input.ts";
import { recordRefusedSignIn } from "./account-events.ts";
import { givenPassword, verifyPassword } from "./credentials.ts";
import { requireSession } from "./own-sessions.ts";
import { credentialOf } from "./queries.ts";
import { recordAuthentication } from "./session-queries.ts";
import type { Caller, Sessions } from "./sessions.ts";
import { countSignIn } from "./sign-in.ts";

const confirmInput = z.strictObject({ password: givenPassword }, expects("a JSON object"));

const recentMs = 10 * 60_000;

/**
 * Refuses a session whose person proved over ten minutes ago who they are. So a thief of its cookie, or of an open
 * laptop, gets no file of readers and no key. Throws `reauthentication_required`.
 */
export function requireRecentSignIn(app: App, { authenticatedAt }: { authenticatedAt: Date }): void {
  if (app.now() - authenticatedAt.getTime() > recentMs) throw appError("reauthentication_required");
}

/**
 * Proves who the person of the caller's session is, with `{ password }`. Counts as a sign-in for the rate limits.
 * Throws `unauthenticated`, `rate_limited`, and `validation_failed` for a wrong password.
 */
export async function confirmPassword(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<void> {
  const { password } = parseInput(confirmInput, input.body);
  const { userId, sessionId } = await requireSession(sessions, caller);
  const credential = await credentialOf(app.db, userId);
  if (credential === undefined) throw appError("unauthenticated", { message: "Sign in again." });
  const uncount = await countSignIn(app, caller.address, credential.email);
  if (!(await verifyPassword(credential.passwordHash, password))) {
    recordRefusedSignIn(app, credential.email, "password");
    throw invalidFields([fault("/password", faults.wrong_password())]);
  }
  await recordAuthentication(app.db, sessionId);
  await uncount();
}
