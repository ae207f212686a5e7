import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { type Membership, membershipsOfUser } from "../members/queries.ts";

/** What a request says of its sender; only the cookie counts, the rest is noted with a new session. */
export type Caller = { cookie: string | undefined; address: string; userAgent: string | undefined };

export type SignedIn = {
  user: { userId: string; email: string; name: string };
  tenants: Membership[];
};

/** `setCookies`: lines for Set-Cookie that the answer has to carry. */
export type Sessions = {
  /** Who is signed in, or null: no session, a forged one, one that has ended. Renews nothing. */
  read(caller: Caller): Promise<{ userId: string } | null>;
  /** The same for the dashboard, with the tenants; renews a session that is a day old. */
  show(caller: Caller): Promise<{ signedIn: SignedIn | null; setCookies: string[] }>;
  /** null: there is no such account, or the password is another one. Both take as long. */
  signIn(
    caller: Caller,
    input: { email: string; password: string; rememberMe?: boolean | undefined },
  ): Promise<{ signedIn: SignedIn; setCookies: string[] } | null>;
  /** Ends all other sessions of the person. null: the current password is another one. */
  changePassword(
    caller: Caller,
    input: { currentPassword: string; newPassword: string },
  ): Promise<{ setCookies: string[] } | null>;
  /** Ends the session everywhere: it is gone from the database. */
  signOut(caller: Caller): Promise<{ setCookies: string[] }>;
};

type User = { id: string; email: string; name: string };

/** Sessions of people, by better-auth, which is loaded beside the start and not before it. */
export function createSessions(app: App): Sessions {
  const loading = import("./better-auth.ts").then(({ createBetterAuth }) => createBetterAuth(app));
  // Whoever needs it meets the failure; until then it is no unhandled rejection.
  loading.catch(() => {});
  const describe = async ({ id: userId, email, name }: User): Promise<SignedIn> => ({
    user: { userId, email, name },
    tenants: await membershipsOfUser(app.db, userId),
  });
  return {
    async read(caller) {
      if (caller.cookie === undefined) return null;
      const auth = await loading;
      const query = { disableRefresh: true };
      const answer = await auth.api.getSession({ headers: headersOf(caller), query, asResponse: true });
      const found = (await readAnswer(answer)) as { user: User } | null;
      return found && { userId: found.user.id };
    },
    async show(caller) {
      const auth = await loading;
      const answer = await auth.api.getSession({ headers: headersOf(caller), asResponse: true });
      const found = (await readAnswer(answer)) as { user: User } | null;
      return { signedIn: found && (await describe(found.user)), setCookies: answer.headers.getSetCookie() };
    },
    async signIn(caller, body) {
      const auth = await loading;
      const answer = await auth.api.signInEmail({ body, headers: headersOf(caller), asResponse: true });
      if (answer.status === 401) return null;
      const { user } = (await readAnswer(answer)) as { user: User };
      return { signedIn: await describe(user), setCookies: answer.headers.getSetCookie() };
    },
    async changePassword(caller, input) {
      const auth = await loading;
      const body = { ...input, revokeOtherSessions: true };
      const answer = await auth.api.changePassword({ body, headers: headersOf(caller), asResponse: true });
      if (answer.status === 400) return null;
      await readAnswer(answer);
      return { setCookies: answer.headers.getSetCookie() };
    },
    async signOut(caller) {
      const auth = await loading;
      const answer = await auth.api.signOut({ headers: headersOf(caller), asResponse: true });
      return { setCookies: answer.headers.getSetCookie() };
    },
  };
}

/** better-auth looks for the address in this header; what the caller wrote there itself was judged by TRUST_PROXY. */
function headersOf({ cookie, address, userAgent }: Caller): Headers {
  const headers = new Headers({ "x-forwarded-for": address });
  if (cookie !== undefined) headers.set("cookie", cookie);
  if (userAgent !== undefined) headers.set("user-agent", userAgent.slice(0, 300));
  return headers;
}

async function readAnswer(answer: Response): Promise<unknown> {
  // Every input was judged before: what fails now is the database, and better-auth has logged it.
  if (!answer.ok) throw appError("unavailable");
  return answer.json();
}
