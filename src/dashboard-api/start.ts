import type { Caller, Sessions, SignedIn } from "../access/accounts/sessions.ts";
import { takesPasskeys } from "../access/passkeys/ceremony.ts";
import { providerSettings } from "../access/provider/provider.ts";
import type { App } from "../app.ts";
import { sendsMail } from "../mail/queue-email.ts";
import { needsSetUp, type SetUp, setUp } from "./set-up.ts";
import { readWorkspace, type WorkspaceTenant } from "./workspace.ts";

/**
 * The first data that the dashboard asks for. `publicUrl`: PUBLIC_URL, at which readers and the CMS reach the
 * service; null if not set. `sendsMail`: whether a password link can be e-mailed. `takesPasskeys`: whether browsers
 * can use passkeys at that URL. `provider`: the provider's name on the sign-in button; null without a provider.
 */
export type Start = {
  needsSetUp: boolean;
  user: SignedIn["user"] | null;
  tenants: WorkspaceTenant[];
  publicUrl: string | null;
  sendsMail: boolean;
  takesPasskeys: boolean;
  provider: string | null;
};

/**
 * Reads the first data of the dashboard for the caller, who may not be signed in. Renews a session that is a day old.
 */
export async function readStart(
  app: App,
  sessions: Sessions,
  caller: Caller,
): Promise<{ start: Start; setCookies: string[] }> {
  const { signedIn, setCookies } = await sessions.read(caller);
  const user = signedIn?.user ?? null;
  const start = {
    needsSetUp: user === null && (await needsSetUp(app)),
    user,
    tenants: signedIn === null ? [] : await readWorkspace(app, signedIn),
    publicUrl: app.config.PUBLIC_URL ?? null,
    sendsMail: sendsMail(app),
    takesPasskeys: takesPasskeys(app),
    provider: providerSettings(app)?.name ?? null,
  };
  return { start, setCookies };
}

/** Sets up the installation (`setUp`) and signs in its first owner. Throws as `setUp`. */
export async function setUpAndSignIn(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<{ created: SetUp; setCookies: string[] }> {
  const { email, password, ...created } = await setUp(app, input);
  const session = await sessions.signIn(caller, { email, password });
  return { created, setCookies: session?.setCookies ?? [] };
}
