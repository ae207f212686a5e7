import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";
import type { listPasskeys, PasskeyView } from "../../../src/access/passkeys/passkeys.ts";
import { words } from "../words/words.ts";
import { api } from "./address.ts";
import { ApiError, call } from "./client.ts";

export type { PasskeyView };

const auth = `${api}/auth`;

export const passkeys = () => call<Awaited<ReturnType<typeof listPasskeys>>>("GET", `${auth}/passkeys`);
export const renamePasskey = (body: { passkeyId: string; name: string }) =>
  call<unknown>("POST", `${auth}/passkeys/rename`, { body });
export const removePasskey = (passkeyId: string) =>
  call<unknown>("POST", `${auth}/passkeys/remove`, { body: { passkeyId } });

/** Returns the options of a new passkey. Fails with `reauthentication_required` if the last sign-in is too old. */
export const beginPasskey = () => call<PublicKeyCredentialCreationOptionsJSON>("POST", `${auth}/passkeys/begin`);

/** Makes the browser create a passkey. Returns the response to register with `addPasskey`. */
export async function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await import("@simplewebauthn/browser");
  return startRegistration({ optionsJSON }).catch(refuse);
}

/** Registers a new passkey. Fails with `reauthentication_required` if the last sign-in is too old. */
export const addPasskey = (name: string, response: RegistrationResponseJSON) =>
  call<unknown>("POST", `${auth}/passkeys/add`, { body: { name, response } });

export const signInWithPasskey = () => prove("sign-in/passkey");
/** Proves with a passkey who the signed-in person is. */
export const confirmWithPasskey = () => prove("confirm/passkey");

async function prove(path: string): Promise<void> {
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>("POST", `${auth}/${path}/begin`);
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const response = await startAuthentication({ optionsJSON }).catch(refuse);
  await call("POST", `${auth}/${path}`, { body: { response } });
}

/** The browser does not tell the page the reason: the person has cancelled, or the device has no suitable passkey. */
function refuse(error: unknown): never {
  const isKnown = error instanceof Error && error.name === "InvalidStateError";
  const message = isKnown ? words.api.passkeyIsKnown : words.api.noPasskeyUsed;
  throw new ApiError(0, { code: "no_passkey_used", message });
}
