import { z } from "zod";
import type { App } from "../../app.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { recordAccountEvent } from "./account-events.ts";
import { deleteOtherSessions, deleteSession, sessionsOfUser } from "./session-queries.ts";
import type { Caller, CurrentSession, Sessions } from "./sessions.ts";

const endInput = z.strictObject({ sessionId: z.string(expects("a string")) }, expects("a JSON object"));

/**
 * A place where a person is signed in. `endsAt`: when the session ends if it is not used again. `endsAtLatest`: when
 * it ends even if it is used. `isCurrent`: it is the session of the request itself.
 */
export type SessionView = {
  sessionId: string;
  userAgent: string | null;
  signedInAt: string;
  usedAt: string;
  endsAt: string;
  endsAtLatest: string;
  isCurrent: boolean;
};

/** Returns the session of the caller. Throws `unauthenticated`. */
export async function requireSession(sessions: Sessions, caller: Caller): Promise<CurrentSession> {
  const current = await sessions.authenticate(caller);
  if (current === null) throw appError("unauthenticated", { message: "Sign in to the dashboard first." });
  return current;
}

/** Lists the caller's own sessions, the last used first. Throws `unauthenticated`. */
export async function listSessions(app: App, sessions: Sessions, caller: Caller): Promise<{ data: SessionView[] }> {
  const current = await requireSession(sessions, caller);
  const found = await sessionsOfUser(app.db, current.userId);
  const data = found.map(({ sessionId, userAgent, createdAt, usedAt, endsAt, endsAtLatest }) => ({
    sessionId,
    userAgent,
    signedInAt: createdAt.toISOString(),
    usedAt: usedAt.toISOString(),
    endsAt: endsAt.toISOString(),
    endsAtLatest: endsAtLatest.toISOString(),
    isCurrent: sessionId === current.sessionId,
  }));
  return { data };
}

/**
 * Ends the caller's own session `{ sessionId }`, on every node at once. Throws `unauthenticated`,
 * `validation_failed`, and `not_found` for a session that has ended or belongs to another person.
 */
export async function endSession(
  app: App,
  sessions: Sessions,
  caller: Caller,
  input: { body: unknown },
): Promise<void> {
  const { userId } = await requireSession(sessions, caller);
  const { sessionId } = parseInput(endInput, input.body);
  const isEnded = await app.db.transaction().execute(async (tx) => {
    if (!isId(sessionId) || !(await deleteSession(tx, { userId, sessionId }))) return false;
    await recordAccountEvent(tx, userId, { event: "session.ended", details: { elsewhere: 1 } });
    return true;
  });
  if (isEnded) return;
  throw appError("not_found", { message: "This device is signed out already. Reload the list." });
}

/** Ends all sessions of the caller except the current one. Returns how many it ended. Throws `unauthenticated`. */
export async function endOtherSessions(app: App, sessions: Sessions, caller: Caller): Promise<{ ended: number }> {
  const current = await requireSession(sessions, caller);
  const ended = await app.db.transaction().execute(async (tx) => {
    const deleted = await deleteOtherSessions(tx, current);
    const details = { elsewhere: deleted };
    if (deleted > 0) await recordAccountEvent(tx, current.userId, { event: "session.ended", details });
    return deleted;
  });
  return { ended };
}
