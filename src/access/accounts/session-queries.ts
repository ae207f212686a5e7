import { sql } from "kysely";
import { type Executor, rows } from "../../db/pool.ts";
import type { Proof } from "../members/missing-proof.ts";

/**
 * A session. `endsAt`: when it ends if it is not used again. `endsAtLatest`: when it ends even if it is used
 * (0001-schema/02-access.sql).
 */
export type SessionRecord = {
  sessionId: string;
  userAgent: string | null;
  createdAt: Date;
  usedAt: Date;
  endsAt: Date;
  endsAtLatest: Date;
};

/** Returns the sessions of a person that have not ended. The session that was used last is first. */
export function sessionsOfUser(on: Executor, userId: string): Promise<SessionRecord[]> {
  return rows(
    sql<SessionRecord>`select id as "sessionId", user_agent as "userAgent", created_at as "createdAt",
        used_at as "usedAt", expires_at as "endsAt", created_at + interval '30 days' as "endsAtLatest"
      from sessions where user_id = ${userId} and expires_at > now() order by used_at desc, id desc`,
    on,
  );
}

/** Stores that a session is used now. */
export async function recordUse(on: Executor, sessionId: string): Promise<void> {
  await sql`update sessions set used_at = now() where id = ${sessionId}`.execute(on);
}

/** Stores that the person of a session has proved who they are now. */
export async function recordAuthentication(on: Executor, sessionId: string): Promise<void> {
  await sql`update sessions set authenticated_at = now() where id = ${sessionId}`.execute(on);
}

/** Stores how a person signed in, for all their sessions. */
export async function recordProof(on: Executor, userId: string, proof: Proof): Promise<void> {
  await sql`update sessions set proof = ${proof} where user_id = ${userId}`.execute(on);
}

/** Stores that the person of a session, which began with a password, has given a code of their new second factor. */
export async function recordSecondFactor(on: Executor, sessionId: string): Promise<void> {
  await sql`update sessions set proof = 'code' where id = ${sessionId} and proof = 'password'`.execute(on);
}

/** Makes the sessions of a person who has no second factor any more count as begun with the password alone. */
export async function forgetSecondFactor(on: Executor, userId: string): Promise<void> {
  await sql`update sessions set proof = 'password' where user_id = ${userId} and proof = 'code'`.execute(on);
}

/** Deletes one session of a person. Returns false if they have no session with this id. */
export async function deleteSession(on: Executor, session: { userId: string; sessionId: string }): Promise<boolean> {
  const deleted = await rows(
    sql`delete from sessions where id = ${session.sessionId} and user_id = ${session.userId} returning id`,
    on,
  );
  return deleted.length === 1;
}

/** Deletes a session that was started but not handed out. */
export async function deleteSessionByToken(on: Executor, token: string): Promise<void> {
  await sql`delete from sessions where token = ${token}`.execute(on);
}

/** Deletes the sessions of a person, except the `kept` that were used last. */
export async function deleteOldestSessions(on: Executor, userId: string, kept: number): Promise<void> {
  await sql`delete from sessions where id in (select id from sessions where user_id = ${userId}
    order by used_at desc, created_at desc, id desc offset ${kept})`.execute(on);
}

/** Deletes all sessions of a person except one. Returns how many it deleted. */
export async function deleteOtherSessions(
  on: Executor,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<number> {
  const deleted = await rows(
    sql`delete from sessions where user_id = ${userId} and id <> ${sessionId} returning id`,
    on,
  );
  return deleted.length;
}
