import { addPasskey, beginPasskey, changePasskey, listPasskeys, removePasskey } from "../access/passkeys/passkeys.ts";
import {
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  confirmWithPasskey,
  signInWithPasskey,
} from "../access/passkeys/sign-in-with-passkey.ts";
import type { AccountRoute } from "./account-route.ts";

const auth = "/dashboard/api/auth";

type Answer = AccountRoute["answer"];

const post = (path: string, body: "json" | "none", answer: Answer): AccountRoute => ({
  method: "POST",
  path: `${auth}${path}`,
  needsRecentSignIn: false,
  body,
  answer,
});

const guarded: typeof post = (...route) => ({ ...post(...route), needsRecentSignIn: true });

/** The routes of passkeys: sign-in, confirmation of a session, and the passkeys of one's own account. */
export const passkeyRoutes: AccountRoute[] = [
  post("/sign-in/passkey/begin", "none", async (app, _sessions, caller) => ({
    body: await beginPasskeySignIn(app, caller),
  })),
  post("/sign-in/passkey", "json", async (app, sessions, caller, input) => {
    const { signedIn, setCookies } = await signInWithPasskey(app, sessions, caller, input);
    return { body: signedIn, setCookies };
  }),
  post("/confirm/passkey/begin", "none", async (app, sessions, caller) => ({
    body: await beginPasskeyConfirmation(app, sessions, caller),
  })),
  post("/confirm/passkey", "json", async (app, sessions, caller, input) => {
    await confirmWithPasskey(app, sessions, caller, input);
    return { body: {} };
  }),
  {
    method: "GET",
    path: `${auth}/passkeys`,
    needsRecentSignIn: false,
    body: "none",
    async answer(app, sessions, caller) {
      return { body: await listPasskeys(app, sessions, caller) };
    },
  },
  guarded("/passkeys/begin", "none", async (app, sessions, caller) => ({
    body: await beginPasskey(app, sessions, caller),
  })),
  guarded("/passkeys/add", "json", async (app, sessions, caller, input) => {
    await addPasskey(app, sessions, caller, input);
    return { status: 201, body: {} };
  }),
  post("/passkeys/rename", "json", async (app, sessions, caller, input) => {
    await changePasskey(app, sessions, caller, input);
    return { body: {} };
  }),
  guarded("/passkeys/remove", "json", async (app, sessions, caller, input) => {
    await removePasskey(app, sessions, caller, input);
    return { body: {} };
  }),
];
