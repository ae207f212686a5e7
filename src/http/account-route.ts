import type { Caller, Sessions } from "../access/accounts/sessions.ts";
import type { App } from "../app.ts";

/**
 * `setCookies`: values of Set-Cookie headers. The token of a session is in its cookie and nowhere else. `location`:
 * where an answer with a 3xx status sends the browser.
 */
type AccountReply = { status?: number; body: object; setCookies?: string[]; location?: string };

/**
 * A route of the dashboard for a person who may not be signed in, or for their own account. A `Route` of route.ts
 * cannot describe it: it has no actor, and it sets cookies. `body: "json"` refuses a request without a body; `"none"`
 * ignores it. `needsRecentSignIn`: as in route.ts, and so only for signed-in people. `search`: the query with its
 * question mark, or "".
 */
export type AccountRoute = {
  method: "GET" | "POST";
  path: string;
  needsRecentSignIn: boolean;
  body: "json" | "none";
  answer(app: App, sessions: Sessions, caller: Caller, input: { body: unknown; search: string }): Promise<AccountReply>;
};
