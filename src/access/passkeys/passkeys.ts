import { z } from "zod";
import type { App } from "../../app.ts";
import { appError, invalidFields } from "../../errors.ts";
import { fault, faults, zodText } from "../../faults.ts";
import { newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import type { Message } from "../../messages.ts";
import { recordAccountEvent } from "../accounts/account-events.ts";
import { requireSession } from "../accounts/own-sessions.ts";
import { credentialOf, lockUser } from "../accounts/queries.ts";
import type { Caller, Sessions } from "../accounts/sessions.ts";
import { attestation, loadWebauthn, requireRelyingParty, takesPasskeys } from "./ceremony.ts";
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  passkeysOfUser,
  renamePasskey,
  useChallenge,
} from "./queries.ts";

/** The most passkeys of one account. */
export const maxPasskeys = 50;

const name = z
  .string(expects("a string"))
  .trim()
  .min(1, zodText(faults.empty()))
  .max(80, zodText(faults.too_long({ most: 80 })));
const addInput = z.strictObject({ name, response: attestation }, expects("a JSON object"));
const renameInput = z.strictObject({ passkeyId: z.string(), name }, expects("a JSON object"));
const removeInput = z.strictObject({ passkeyId: z.string() }, expects("a JSON object"));

export type PasskeyView = { passkeyId: string; name: string; createdAt: string; usedAt: string | null };

/** Lists the caller's passkeys. `available`: whether passkeys can be used at the address of this installation. */
export async function listPasskeys(
  app: App,
  sessions: Sessions,
  caller: Caller,
): Promise<{ available: boolean; data: PasskeyView[] }> {
  const { userId } = await requireSession(sessions, caller);
  const data = (await passkeysOfUser(app.db, userId)).map(({ credentialId, name, createdAt, usedAt }) => ({
    passkeyId: credentialId,
    name,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }));
  return { available: takesPasskeys(app), data };
}

/**
 * Begins the registration of a passkey. Returns the options for `navigator.credentials.create`. Throws
 * `unauthenticated`, `no_passkeys` and `passkey_limit`.
 */
export async function beginPasskey(app: App, sessions: Sessions, caller: Caller) {
  const current = await requireSession(sessions, caller);
  const { userId, sessionId } = current;
  const { rpID } = requireRelyingParty(app);
  const known = await passkeysOfUser(app.db, userId);
  if (known.length >= maxPasskeys) throw appError("passkey_limit");
  const email = (await credentialOf(app.db, userId))?.email ?? "";
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: "Pressbell",
    rpID,
    userName: email,
    userID: new Uint8Array(Buffer.from(userId)),
    attestationType: "none",
    excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
    // The passkey is discoverable, so the sign-in needs no address. The device verifies the person, so it is two
    // factors.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await insertChallenge(app.db, { id: newId(), purpose: `add ${sessionId}`, challenge: options.challenge });
  return options;
}

/**
 * Registers a passkey with `{ name, response }`. Throws `unauthenticated`, `no_passkeys` and `passkey_limit`. Throws
 * `validation_failed` for an answer that does not fit `beginPasskey` of this session, and for a passkey that is
 * registered already.
 */
export async function addPasskey(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<void> {
  const { userId, sessionId } = await requireSession(sessions, caller);
  const { name, response } = parseInput(addInput, input.body);
  const { rpID, origin } = requireRelyingParty(app);
  const { verifyRegistrationResponse } = await loadWebauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => useChallenge(app.db, `add ${sessionId}`, challenge),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) throw notAdded(faults.passkey_failed());
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  await app.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if ((await passkeysOfUser(tx, userId)).length >= maxPasskeys) throw appError("passkey_limit");
    const passkey = { credentialId, userId, publicKey: Buffer.from(publicKey), counter, transports, name };
    if (!(await insertPasskey(tx, passkey))) throw notAdded(faults.known_passkey());
    await recordAccountEvent(tx, userId, { event: "passkey.added" });
  });
}

function notAdded(message: Message) {
  return invalidFields([fault("/response", message)]);
}

/** Renames one of the caller's passkeys with `{ passkeyId, name }`. Throws `validation_failed` and `not_found`. */
export async function changePasskey(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<void> {
  const { userId } = await requireSession(sessions, caller);
  const { passkeyId: credentialId, name } = parseInput(renameInput, input.body);
  if (!(await renamePasskey(app.db, { userId, credentialId, name }))) throw passkeyNotFound();
}

/** Removes the caller's passkey `{ passkeyId }`. Throws `not_found`. */
export async function removePasskey(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<void> {
  const current = await requireSession(sessions, caller);
  const { userId } = current;
  const { passkeyId: credentialId } = parseInput(removeInput, input.body);
  await app.db.transaction().execute(async (tx) => {
    if (!(await deletePasskey(tx, { userId, credentialId }))) throw passkeyNotFound();
    await recordAccountEvent(tx, userId, { event: "passkey.removed" });
  });
}

function passkeyNotFound() {
  return appError("not_found", { message: "This passkey is removed already. Reload the list." });
}
