import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import type { Proof } from "../members/missing-proof.ts";
import { type Membership, membershipsOfUser } from "../members/queries.ts";
import { hasSecondFactor } from "../second-factor/queries.ts";
import { recordAccountEvent } from "./account-events.ts";
import { deleteOldestSessions, deleteSessionByToken, recordProof, recordUse } from "./session-queries.ts";

/**
 * The sender of a request in a browser. `cookie` authenticates them. Rate limits count by `address`. A new session
 * stores `address` and `userAgent`.
 */
export type Caller = { cookie: string | undefined; address: string; userAgent: string | undefined };

/** A signed-in person. `proof`: how the person of this session signed in. */
export type SignedIn = {
  user: { userId: string; email: string; name: string };
  tenants: Membership[];
  proof: Proof;
};

/**
 * The session of a request. `authenticatedAt`: when its person last proved who they are. `proof`: how they signed in.
 */
export type CurrentSession = { userId: string; sessionId: string; authenticatedAt: Date; proof: Proof };

/** The result of a right password. `setCookies` is empty without a session. */
export type SignInResult =
  | { signedIn: SignedIn; needsCode?: undefined; setCookies: string[] }
  | { signedIn?: undefined; needsCode: { userId: string }; setCookies: [] };

/** The sessions of signed-in people. `setCookies`: values of the Set-Cookie headers that the answer must have. */
export type Sessions = {
  /**
   * Returns the caller's session; null if there is none, or if it is forged or has ended. Renews nothing. Records the
   * use of a session at most every five minutes.
   */
  authenticate(caller: Caller): Promise<CurrentSession | null>;
  /** Returns the person of the caller's session with their tenants. Renews a session that is a day old. */
  read(caller: Caller): Promise<{ signedIn: SignedIn | null; setCookies: string[] }>;
  /**
   * Starts a session and records it in the audit log. A person with a second factor gets no session: `needsCode`
   * names them, and `start` follows after they have given a code. Returns null for an unknown account and for a wrong
   * password, in the same time.
   */
  signIn(
    caller: Caller,
    input: { email: string; password: string; rememberMe?: boolean | undefined },
  ): Promise<SignInResult | null>;
  /**
   * Starts a session for a person who has proved who they are with all their factors, and records it with `details`.
   * `authenticatedAt`: when they did so; by default now. Throws `unauthenticated` if the account is gone.
   */
  start(
    caller: Caller,
    input: {
      userId: string;
      rememberMe: boolean;
      authenticatedAt?: Date;
      proof: Proof;
      details: Record<string, unknown>;
    },
  ): Promise<{ signedIn: SignedIn; sessionId: string; setCookies: string[] }>;
  /** Changes the password and ends all other sessions of the person. Returns null if the current password is wrong. */
  changePassword(
    caller: Caller,
    input: { currentPassword: string; newPassword: string },
  ): Promise<{ setCookies: string[] } | null>;
  /** Deletes the session from the database, so it ends on every node at once. */
  signOut(caller: Caller): Promise<{ setCookies: string[] }>;
};

type User = { id: string; email: string; name: string };
type Found = { user: User; session: { id: string; usedAt: string; authenticatedAt: string; proof: Proof } } | null;

/** The most sessions of one account. A further session ends the one that was used longest ago. */
export const maxSessions = 100;
/** How often the last use of a session is stored. A write for each request would be too many. */
const useRecordedEveryMs = 5 * 60_000;

/**
 * Creates the sessions over better-auth. The library takes 0.4 s to load. It loads while the service starts, and the
 * first use waits for it.
 */
export function createSessions(app: App): Sessions {
  const loading = import("./better-auth.ts").then(({ createBetterAuth }) => createBetterAuth(app));
  // A failed load rejects the calls below. Without this line it would also be an unhandled rejection.
  loading.catch(() => {});
  const record = async (userId: string, details?: Record<string, unknown>) => {
    await deleteOldestSessions(app.db, userId, maxSessions);
    await recordAccountEvent(app.db, userId, { event: "session.started", ...(details && { details }) });
  };
  return {
    async authenticate(caller) {
      if (caller.cookie === undefined) return null;
      const auth = await loading;
      const query = { disableRefresh: true };
      const answer = await auth.api.getSession({ headers: headersOf(caller), query, asResponse: true });
      const found = (await readAnswer(answer)) as Found;
      if (found === null) return null;
      await recordSessionUse(app, found.session);
      const { id: sessionId, authenticatedAt, proof } = found.session;
      return { userId: found.user.id, sessionId, authenticatedAt: new Date(authenticatedAt), proof };
    },
    async read(caller) {
      const auth = await loading;
      const answer = await auth.api.getSession({ headers: headersOf(caller), asResponse: true });
      const found = (await readAnswer(answer)) as Found;
      if (found !== null) await recordSessionUse(app, found.session);
      const signedIn = found && (await describe(app, found.user, found.session.proof));
      return { signedIn, setCookies: answer.headers.getSetCookie() };
    },
    async signIn(caller, body) {
      const auth = await loading;
      const answer = await auth.api.signInEmail({ body, headers: headersOf(caller), asResponse: true });
      if (answer.status === 401) return null;
      const { user, token } = (await readAnswer(answer)) as { user: User; token: string };
      if (await hasSecondFactor(app.db, user.id)) {
        // The token of this session has not left this process.
        await deleteSessionByToken(app.db, token);
        return { needsCode: { userId: user.id }, setCookies: [] };
      }
      await record(user.id);
      return { signedIn: await describe(app, user, "password"), setCookies: answer.headers.getSetCookie() };
    },
    async start(caller, { details, ...body }) {
      const auth = await loading;
      const answer = await auth.api.startSession({ body, headers: headersOf(caller), asResponse: true });
      const { user, sessionId } = (await readAnswer(answer)) as { user: User | null; sessionId: string };
      if (user === null) throw appError("unauthenticated", { message: "This account is gone." });
      await record(user.id, details);
      return { signedIn: await describe(app, user, body.proof), sessionId, setCookies: answer.headers.getSetCookie() };
    },
    async changePassword(caller, input) {
      const auth = await loading;
      const body = { ...input, revokeOtherSessions: true };
      const before = await this.authenticate(caller);
      const answer = await auth.api.changePassword({ body, headers: headersOf(caller), asResponse: true });
      if (answer.status === 400) return null;
      const { user } = (await readAnswer(answer)) as { user: User };
      // The new session is the only one. Unlike the former session, it is not checked at the provider.
      if (before !== null && before.proof !== "provider") await recordProof(app.db, user.id, before.proof);
      await recordAccountEvent(app.db, user.id, { event: "password.changed" });
      return { setCookies: answer.headers.getSetCookie() };
    },
    async signOut(caller) {
      const auth = await loading;
      const current = await this.authenticate(caller);
      const answer = await auth.api.signOut({ headers: headersOf(caller), asResponse: true });
      if (current !== null) await recordAccountEvent(app.db, current.userId, { event: "session.ended" });
      return { setCookies: answer.headers.getSetCookie() };
    },
  };
}

async function describe(app: App, { id: userId, email, name }: User, proof: Proof): Promise<SignedIn> {
  return { user: { userId, email, name }, tenants: await membershipsOfUser(app.db, userId), proof };
}

/**
 * Records the use of a session. A failure only makes the list of sessions less exact, so the request goes on, even
 * while the database is read-only.
 */
async function recordSessionUse(app: App, { id, usedAt }: { id: string; usedAt: string }): Promise<void> {
  if (app.now() - Date.parse(usedAt) < useRecordedEveryMs) return;
  await recordUse(app.db, id).catch((error: unknown) =>
    app.log.debug({ err: error }, "the use of a session was not recorded"),
  );
}

/**
 * Returns the headers that better-auth reads. It takes the address from `x-forwarded-for`. `address` already follows
 * TRUST_PROXY, so the caller's own header is not passed on.
 */
function headersOf({ cookie, address, userAgent }: Caller): Headers {
  const headers = new Headers({ "x-forwarded-for": address });
  if (cookie !== undefined) headers.set("cookie", cookie);
  if (userAgent !== undefined) headers.set("user-agent", userAgent.slice(0, 300));
  return headers;
}

async function readAnswer(answer: Response): Promise<unknown> {
  // Inputs are validated before, so this failure comes from the database. better-auth has logged it.
  if (!answer.ok) throw appError("unavailable");
  return answer.json();
}
