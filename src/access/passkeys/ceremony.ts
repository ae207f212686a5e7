import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { z } from "zod";
import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { faults, zodText } from "../../faults.ts";
import { newId } from "../../ids.ts";
import { insertChallenge, type PasskeyRecord, passkeyById, recordPasskeyUse, useChallenge } from "./queries.ts";

const text = z.string().max(16_000);
const credential = { id: text, rawId: text, type: z.literal("public-key"), clientExtensionResults: z.looseObject({}) };

/** A browser's answer to `navigator.credentials.get`, as @simplewebauthn/browser sends it. */
export const assertion = z.looseObject(
  { ...credential, response: z.looseObject({ clientDataJSON: text, authenticatorData: text, signature: text }) },
  zodText(faults.not_a_passkey()),
) as unknown as z.ZodType<AuthenticationResponseJSON>;

/** A browser's answer to `navigator.credentials.create`. */
export const attestation = z.looseObject(
  { ...credential, response: z.looseObject({ clientDataJSON: text, attestationObject: text }) },
  zodText(faults.not_a_passkey()),
) as unknown as z.ZodType<RegistrationResponseJSON>;

/**
 * Returns whether browsers can use passkeys here. Passkeys are bound to the host name of PUBLIC_URL and need https or
 * localhost.
 */
export function takesPasskeys(app: App): boolean {
  return relyingParty(app) !== undefined;
}

/**
 * Returns the host name and the origin that passkeys are bound to. Throws `no_passkeys` without a suitable
 * PUBLIC_URL.
 */
export function requireRelyingParty(app: App): { rpID: string; origin: string } {
  const found = relyingParty(app);
  if (found === undefined) throw appError("no_passkeys");
  return found;
}

function relyingParty({ config }: App): { rpID: string; origin: string } | undefined {
  if (config.PUBLIC_URL === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(config.PUBLIC_URL);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  if (isAddress || (protocol !== "https:" && hostname !== "localhost")) return undefined;
  return { rpID: hostname, origin };
}

/** Loads the library, which takes 0.2 s, at the first use. */
export function loadWebauthn(): Promise<typeof import("@simplewebauthn/server")> {
  return import("@simplewebauthn/server");
}

/** Creates the options of an assertion. `allow`: the passkeys that may answer; by default any passkey of this site. */
export async function createAssertionOptions(app: App, purpose: string, allow: PasskeyRecord[] = []) {
  const { rpID } = requireRelyingParty(app);
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: "required",
    allowCredentials: allow.map(({ credentialId: id }) => ({ id })),
  });
  await insertChallenge(app.db, { id: newId(), purpose, challenge: options.challenge });
  return options;
}

/**
 * Verifies an assertion (WebAuthn, section 7.2): its challenge, origin, signature and counter, and that the device
 * has verified the person. Uses up the challenge. Returns the passkey; null if anything is wrong.
 */
export async function verifyAssertion(
  app: App,
  purpose: string,
  response: AuthenticationResponseJSON,
): Promise<PasskeyRecord | null> {
  const { rpID, origin } = requireRelyingParty(app);
  const passkey = await passkeyById(app.db, response.id);
  if (passkey === undefined) return null;
  const { credentialId: id, publicKey, counter } = passkey;
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => useChallenge(app.db, purpose, challenge),
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
    // The library throws for each mismatch, including a counter that went back.
  }).catch(() => ({ verified: false, authenticationInfo: undefined }));
  if (!verified.verified || verified.authenticationInfo === undefined) return null;
  return (await recordPasskeyUse(app.db, id, verified.authenticationInfo.newCounter)) ? passkey : null;
}
