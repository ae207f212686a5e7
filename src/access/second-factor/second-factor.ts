import { z } from "zod";
import type { App } from "../../app.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { expects, parseInput } from "../../input.ts";
import { recordAccountEvent } from "../accounts/account-events.ts";
import { requireSession } from "../accounts/own-sessions.ts";
import { credentialOf, userByEmail } from "../accounts/queries.ts";
import { deleteOtherSessions, forgetSecondFactor, recordSecondFactor } from "../accounts/session-queries.ts";
import type { Caller, Sessions } from "../accounts/sessions.ts";
import { enforceCodeLimit } from "./code-limit.ts";
import { generateRecoveryCodes, generateSecret, openSecret, sealSecret, stepOfCode } from "./codes.ts";
import {
  acceptStep,
  countRecoveryCodes,
  deleteSecondFactor,
  hasSecondFactor,
  insertRecoveryCodes,
  replaceUnconfirmed,
  secondFactorLocked,
} from "./queries.ts";

const confirmInput = z.strictObject(
  { code: z.string(expects("a string")).max(20, zodText(faults.not_six_digits())) },
  expects("a JSON object"),
);

/** Returns whether the caller's sign-in asks for a code, and how many recovery codes are left. */
export async function readSecondFactor(
  app: App,
  sessions: Sessions,
  caller: Caller,
): Promise<{ isOn: boolean; recoveryCodesLeft: number }> {
  const { userId } = await requireSession(sessions, caller);
  const isOn = await hasSecondFactor(app.db, userId);
  return { isOn, recoveryCodesLeft: isOn ? await countRecoveryCodes(app.db, userId) : 0 };
}

/**
 * Begins the set-up of the caller's second factor: returns a new secret as text and as the URI of a QR code. It has no
 * effect until it is confirmed. Throws `unauthenticated` and `second_factor_on`.
 */
export async function beginSecondFactor(
  app: App,
  sessions: Sessions,
  caller: Caller,
): Promise<{ key: string; uri: string }> {
  const current = await requireSession(sessions, caller);
  const { userId } = current;
  const credential = await credentialOf(app.db, userId);
  const { secret, key, uri } = generateSecret(credential?.email ?? "");
  const secretSealed = sealSecret(app.secrets, userId, secret);
  if (!(await replaceUnconfirmed(app.db, { userId, secretSealed }))) throw appError("second_factor_on");
  return { key, uri };
}

/**
 * Switches the caller's second factor on with a first `{ code }`, ends their other sessions, and returns the recovery
 * codes, which are shown only once. Throws `unauthenticated`, `rate_limited`, `second_factor_on`, and
 * `validation_failed` for a wrong code.
 */
export async function confirmSecondFactor(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ recoveryCodes: string[] }> {
  const current = await requireSession(sessions, caller);
  const { userId } = current;
  const { code } = parseInput(confirmInput, input.body);
  await enforceCodeLimit(app, userId);
  const { codes, hashes } = generateRecoveryCodes();
  await app.db.transaction().execute(async (tx) => {
    const factor = await secondFactorLocked(tx, userId);
    if (factor?.isConfirmed) throw appError("second_factor_on");
    const step = factor && stepOfCode(openSecret(app.secrets, userId, factor.secretSealed), code.trim(), app.now());
    if (step === undefined || step === null) {
      throw invalidFields([fault("/code", faults.wrong_code())]);
    }
    await acceptStep(tx, { userId, step });
    await insertRecoveryCodes(tx, userId, hashes);
    await deleteOtherSessions(tx, current);
    await recordSecondFactor(tx, current.sessionId);
    await recordAccountEvent(tx, userId, { event: "factor.added" });
  });
  return { recoveryCodes: codes };
}

/** Switches the caller's second factor off. Throws `unauthenticated`. */
export async function removeSecondFactor(app: App, sessions: Sessions, caller: Caller): Promise<void> {
  const current = await requireSession(sessions, caller);
  await app.db.transaction().execute(async (tx) => {
    const isRemoved = await deleteSecondFactor(tx, current.userId);
    await forgetSecondFactor(tx, current.userId);
    if (isRemoved) await recordAccountEvent(tx, current.userId, { event: "factor.removed" });
  });
}

/**
 * Switches off the second factor of the person with this e-mail address, on behalf of the operator. It is for a
 * person who has lost both the app and the recovery codes. Throws `not_found`.
 */
export async function removeSecondFactorOf(app: App, email: string): Promise<{ email: string; removed: boolean }> {
  return app.db.transaction().execute(async (tx) => {
    const user = await userByEmail(tx, email.toLowerCase());
    if (user === undefined) throw appError("not_found", { message: `Nobody has the address ${email}.` });
    const removed = await deleteSecondFactor(tx, user.id);
    await forgetSecondFactor(tx, user.id);
    if (removed) await recordAccountEvent(tx, user.id, { event: "factor.removed", by: "operator" });
    return { email: email.toLowerCase(), removed };
  });
}
