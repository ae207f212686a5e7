import type { Caller, Sessions } from "../access/accounts/sessions.ts";
import type { App } from "../app.ts";

/**
 * The answer of an account route. `setCookies`: values of Set-Cookie headers. The token of a session is only in its
 * cookie. `location`: where an answer with a 3xx status sends the browser.
 */
type AccountReply = { status?: number; body: object; setCookies?: string[]; location?: string };

/**
 * A route of the dashboard for a person who may not be signed in, or for their own account. A `Route` of route.ts
 * cannot describe it, because it has no actor and sets cookies. `body`: "json" refuses a request without a body;
 * "none" ignores a body. `needsRecentSignIn`: as in route.ts, so only signed-in people can use the route. `search`:
 * the query with its question mark, or "".
 */
export type AccountRoute = {
  method: "GET" | "POST";
  path: string;
  needsRecentSignIn: boolean;
  body: "json" | "none";
  answer(app: App, sessions: Sessions, caller: Caller, input: { body: unknown; search: string }): Promise<AccountReply>;
};
