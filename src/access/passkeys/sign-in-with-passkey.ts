import { z } from "zod";
import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { expects, parseInput } from "../../input.ts";
import { countFailure } from "../../rate-limits/count-requests.ts";
import { requireSession } from "../accounts/own-sessions.ts";
import { recordAuthentication } from "../accounts/session-queries.ts";
import type { Caller, Sessions, SignedIn } from "../accounts/sessions.ts";
import { assertion, createAssertionOptions, verifyAssertion } from "./ceremony.ts";
import { passkeysOfUser } from "./queries.ts";

const signInInput = z.strictObject({ response: assertion }, expects("a JSON object"));

/** Returns the options for a sign-in with any passkey of this site. Throws `rate_limited` and `no_passkeys`. */
export async function beginPasskeySignIn(app: App, caller: Caller) {
  // Strangers may call this function, and each call stores a challenge.
  await countFailure(app, caller.address);
  return createAssertionOptions(app, "sign-in");
}

/**
 * Signs a person in with a passkey, `{ response }`. The sign-in needs no password and no code, because the device has
 * verified the person. Throws `validation_failed`, `rate_limited`, `no_passkeys` and `sign_in_failed`.
 */
export async function signInWithPasskey(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ signedIn: SignedIn; setCookies: string[] }> {
  const { response } = parseInput(signInInput, input.body);
  await countFailure(app, caller.address);
  const passkey = await verifyAssertion(app, "sign-in", response);
  if (passkey === null) throw passkeyRefused();
  const details = { by: "passkey" };
  return sessions.start(caller, { userId: passkey.userId, rememberMe: true, proof: "passkey", details });
}

/** Returns the options with which the caller proves who they are by one of their own passkeys. */
export async function beginPasskeyConfirmation(app: App, sessions: Sessions, caller: Caller) {
  const { userId, sessionId } = await requireSession(sessions, caller);
  return createAssertionOptions(app, `confirm ${sessionId}`, await passkeysOfUser(app.db, userId));
}

/**
 * Proves by a passkey, instead of `confirmPassword`, who the person of the caller's session is. Throws as
 * `signInWithPasskey`.
 */
export async function confirmWithPasskey(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<void> {
  const { response } = parseInput(signInInput, input.body);
  const { userId, sessionId } = await requireSession(sessions, caller);
  await countFailure(app, caller.address);
  const passkey = await verifyAssertion(app, `confirm ${sessionId}`, response);
  if (passkey?.userId !== userId) throw passkeyRefused();
  await recordAuthentication(app.db, sessionId);
}

function passkeyRefused() {
  const message = "This passkey is not known here, or the sign-in took too long. Try again, or use your password.";
  return appError("sign_in_failed", { message });
}
