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

/** Starts a poller that asks the provider about each of its sessions every ten minutes. */
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

/** Stores the refresh token of a session that began at the provider, sealed, by which it is checked later. */
export async function watchSession(app: App, sessionId: string, refreshToken: string | undefined): Promise<void> {
  const refreshTokenSealed = refreshToken === undefined ? null : seal(app, sessionId, refreshToken);
  await insertProviderSession(app.db, { sessionId, refreshTokenSealed });
}

/**
 * Checks sessions that are due at the provider. Ends those of people who may not sign in there any more, and those
 * without a refresh token after twelve hours; applies the groups of the others. While the provider is away they go on.
 * Returns how many were due.
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
    // Logged with its reason.
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

/** Returns undefined if SECRET_KEY was replaced meanwhile, without the old one: the person signs in again. */
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
