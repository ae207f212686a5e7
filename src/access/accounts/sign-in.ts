import { z } from "zod";
import type { App } from "../../app.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { expects, flag, parseInput } from "../../input.ts";
import { bucketOfAddress, countRequest, refuseOverLimit, uncountRequest } from "../../rate-limits/count-requests.ts";
import { accountEverywhereLimit, accountLimit, failureLimit } from "../../rate-limits/limits.ts";
import { createChallenge } from "../second-factor/challenges.ts";
import { recordRefusedSignIn } from "./account-events.ts";
import { givenPassword, newPassword } from "./credentials.ts";
import type { Caller, Sessions, SignedIn } from "./sessions.ts";

const signInInput = z.strictObject(
  {
    email: z
      .string(expects("a string"))
      .max(254, zodText(faults.too_long({ most: 254 })))
      .pipe(z.email(zodText(faults.not_an_email()))),
    password: givenPassword,
    rememberMe: flag.optional(),
  },
  expects("a JSON object"),
);
const changeInput = z.strictObject({ currentPassword: givenPassword, newPassword }, expects("a JSON object"));

/**
 * Signs a person in with `{ email, password, rememberMe? }`. A person with a second factor gets a `challenge` instead
 * of a session. `signInWithCode` completes that sign-in within ten minutes. Throws `validation_failed`,
 * `rate_limited` and `sign_in_failed`.
 */
export async function signIn(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ body: SignedIn | { challenge: string }; setCookies: string[] }> {
  const credentials = parseInput(signInInput, input.body);
  const uncount = await countSignIn(app, caller.address, credentials.email);
  const session = await sessions.signIn(caller, credentials);
  if (session === null) {
    recordRefusedSignIn(app, credentials.email, "password");
    throw appError("sign_in_failed");
  }
  await uncount();
  const { signedIn, needsCode, setCookies } = session;
  if (needsCode === undefined) return { body: signedIn, setCookies };
  const challenge = await createChallenge(app, { ...needsCode, rememberMe: credentials.rememberMe ?? true });
  return { body: { challenge }, setCookies };
}

/**
 * Changes the caller's own password with `{ currentPassword, newPassword }` and ends their other sessions. Throws
 * `validation_failed`, `unauthenticated` and `rate_limited`.
 */
export async function changePassword(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ setCookies: string[] }> {
  const change = parseInput(changeInput, input.body);
  const { signedIn } = await sessions.read(caller);
  if (signedIn === null) throw appError("unauthenticated", { message: "Sign in to change your password." });
  const uncount = await countSignIn(app, caller.address, signedIn.user.email);
  const changed = await sessions.changePassword(caller, change);
  if (changed === null) throw invalidFields([fault("/currentPassword", faults.wrong_password())]);
  await uncount();
  return changed;
}

/**
 * Counts an attempt with a password, before the password is hashed. If it were counted afterwards, a hundred attempts
 * at once would all pass. Returns a function that takes the count back, for a password that was right. Throws
 * `rate_limited`.
 */
export async function countSignIn(app: App, address: string, email: string): Promise<() => Promise<void>> {
  const from = bucketOfAddress(address);
  const account = email.toLowerCase();
  // The e-mail address stands last, because it may be any text and must not name the bucket of another address.
  const counted = [
    { limit: failureLimit, whose: from },
    { limit: accountLimit, whose: `${from} ${account}` },
    { limit: accountEverywhereLimit, whose: `anywhere ${account}` },
  ];
  for (const { limit, whose } of counted) refuseOverLimit([await countRequest(app, limit, whose)]);
  return async () => {
    for (const { limit, whose } of counted) await uncountRequest(app, limit, whose);
  };
}
