import type { App } from "../../app.ts";
import { type PollLoop, startPollLoop } from "../../poll-loop.ts";
import { recordAccountEvent } from "../accounts/account-events.ts";
import { deleteSession } from "../accounts/session-queries.ts";
import { applyProviderRoles } from "./apply-roles.ts";
import type { Provider } from "./provider.ts";
import { type DueSession, insertProviderSession, takeDueSessions, updateRefreshToken } from "./queries.ts";
import { ProviderRefusal } from "./refusals.ts";

const lookEveryMs = 60_000;
const sessionsPerRound = 20;

/** Starts a poller that checks the provider's sessions. It asks the provider about each session every ten minutes. */
export function startProviderSessionPoller(app: App, provider: Provider): PollLoop {
  return startPollLoop({
    async round() {
      const checked = await checkProviderSessions(app, provider);
      return { pauseMs: checked === sessionsPerRound ? 0 : lookEveryMs };
    },
    everyMs: lookEveryMs,
    onFault: (error) => app.log.debug({ err: error }, "sessions could not be checked at the provider"),
  });
}

/**
 * Stores the sealed refresh token of a session that began at the provider. Later checks of the session use the token.
 */
export async function watchSession(app: App, sessionId: string, refreshToken: string | undefined): Promise<void> {
  const refreshTokenSealed = refreshToken === undefined ? null : seal(app, sessionId, refreshToken);
  await insertProviderSession(app.db, { sessionId, refreshTokenSealed });
}

/**
 * Checks the sessions that are due at the provider. Ends the sessions of people who may not sign in there any more.
 * Ends sessions without a refresh token after twelve hours. Applies the groups of the other people. While the
 * provider is away, sessions go on. Returns how many sessions were due.
 */
export async function checkProviderSessions(app: App, provider: Provider): Promise<number> {
  const due = await takeDueSessions(app.db, provider.settings.issuer, sessionsPerRound);
  for (const session of due) {
    const goesOn = await mayGoOn(app, provider, session);
    if (!goesOn) await end(app, session);
  }
  return due.length;
}

async function mayGoOn(app: App, provider: Provider, session: DueSession): Promise<boolean> {
  const { sessionId, userId, subject, refreshTokenSealed } = session;
  if (refreshTokenSealed === null) return !session.isOverWithoutToken;
  const refreshToken = open(app, sessionId, refreshTokenSealed);
  if (subject === null || refreshToken === undefined) return false;
  try {
    const granted = await provider.renew({ refreshToken, subject });
    if (granted?.identity.subject !== subject) return false;
    const { identity, refreshToken: next } = granted;
    if (next !== undefined) await updateRefreshToken(app.db, sessionId, seal(app, sessionId, next));
    if (identity.groups !== null) await applyProviderRoles(app, userId, identity.groups);
    return true;
  } catch (error) {
    // The refusal is logged already, with its reason.
    if (error instanceof ProviderRefusal) return true;
    throw error;
  }
}

function end(app: App, { userId, sessionId }: DueSession): Promise<void> {
  return app.db.transaction().execute(async (tx) => {
    if (!(await deleteSession(tx, { userId, sessionId }))) return;
    await recordAccountEvent(tx, userId, { event: "session.ended", by: "provider" });
  });
}

function seal(app: App, sessionId: string, refreshToken: string): Buffer {
  return app.secrets.seal(Buffer.from(refreshToken), contextOf(sessionId));
}

/** Returns undefined if SECRET_KEY was replaced without keeping the old key. The person then signs in again. */
function open(app: App, sessionId: string, sealed: Buffer): string | undefined {
  try {
    return app.secrets.open(sealed, contextOf(sessionId)).toString();
  } catch {
    return undefined;
  }
}

function contextOf(sessionId: string): string {
  return `provider session:${sessionId}`;
}
