import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";

export type SecondFactorRecord = { secretSealed: Buffer; isConfirmed: boolean; lastStep: number };

/** Returns whether the sign-in of a person asks for a code. */
export async function hasSecondFactor(on: Executor, userId: string): Promise<boolean> {
  const found = await row(sql`select 1 from second_factors where user_id = ${userId} and confirmed_at is not null`, on);
  return found !== undefined;
}

/**
 * Returns the second factor of a person and locks it until the transaction ends, so concurrent uses of a code take
 * turns.
 */
export function secondFactorLocked(tx: Tx, userId: string): Promise<SecondFactorRecord | undefined> {
  return row(
    sql<SecondFactorRecord>`select secret_sealed as "secretSealed", confirmed_at is not null as "isConfirmed",
        last_step as "lastStep" from second_factors where user_id = ${userId} for update`,
    tx,
  );
}

/**
 * Stores a secret that waits for its confirmation. Returns false and changes nothing if the person has a second
 * factor.
 */
export async function replaceUnconfirmed(
  on: Executor,
  { userId, secretSealed }: { userId: string; secretSealed: Buffer },
): Promise<boolean> {
  const stored = await rows(
    sql`insert into second_factors as f (user_id, secret_sealed) values (${userId}, ${secretSealed})
      on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, last_step = 0
      where f.confirmed_at is null returning user_id`,
    on,
  );
  return stored.length === 1;
}

/** Stores the time step of an accepted code; the first one confirms the second factor. */
export async function acceptStep(on: Executor, { userId, step }: { userId: string; step: number }): Promise<void> {
  await sql`update second_factors set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where user_id = ${userId}`.execute(on);
}

/** Deletes a second factor with its recovery codes. Returns whether there was a confirmed one. */
export async function deleteSecondFactor(on: Executor, userId: string): Promise<boolean> {
  const deleted = await rows(
    sql`delete from second_factors where user_id = ${userId} and confirmed_at is not null returning user_id`,
    on,
  );
  return deleted.length === 1;
}

export async function insertRecoveryCodes(on: Executor, userId: string, codeHashes: Buffer[]): Promise<void> {
  await sql`insert into recovery_codes (user_id, code_hash) select ${userId}, unnest(${codeHashes}::bytea[])`.execute(
    on,
  );
}

/** Deletes a recovery code. Returns false if the person has no such code. */
export async function useRecoveryCode(on: Executor, userId: string, codeHash: Buffer): Promise<boolean> {
  const deleted = await rows(
    sql`delete from recovery_codes where user_id = ${userId} and code_hash = ${codeHash} returning user_id`,
    on,
  );
  return deleted.length === 1;
}

export async function countRecoveryCodes(on: Executor, userId: string): Promise<number> {
  const counted = await row(sql<{ n: number }>`select count(*) as n from recovery_codes where user_id = ${userId}`, on);
  return counted!.n;
}

/** Returns all sealed secrets and locks them until the transaction ends. */
export function sealedSecretsLocked(tx: Tx): Promise<{ userId: string; sealed: Buffer }[]> {
  return rows(
    sql<{ userId: string; sealed: Buffer }>`select user_id as "userId", secret_sealed as sealed
      from second_factors order by user_id for update`,
    tx,
  );
}

export async function updateSealedSecret(on: Executor, userId: string, sealed: Buffer): Promise<void> {
  await sql`update second_factors set secret_sealed = ${sealed} where user_id = ${userId}`.execute(on);
}

export type ChallengeRecord = { userId: string; email: string; rememberMe: boolean };

export async function insertChallenge(
  on: Executor,
  challenge: { tokenHash: Buffer; userId: string; rememberMe: boolean; validMinutes: number },
): Promise<void> {
  await sql`insert into sign_in_challenges (token_hash, user_id, remember_me, expires_at)
    values (${challenge.tokenHash}, ${challenge.userId}, ${challenge.rememberMe},
      now() + make_interval(mins => ${challenge.validMinutes}))`.execute(on);
}

/**
 * Returns the sign-in that waits for its code; undefined if it is done or has expired, or the password was changed
 * since.
 */
export function challengeByToken(on: Executor, tokenHash: Buffer): Promise<ChallengeRecord | undefined> {
  return row(
    sql<ChallengeRecord>`select c.user_id as "userId", u.email, c.remember_me as "rememberMe"
      from sign_in_challenges c join users u on u.id = c.user_id
      where c.token_hash = ${tokenHash} and c.expires_at > now()`,
    on,
  );
}

/** Deletes a challenge that is still valid. Returns false if a concurrent request has used it. */
export async function deleteChallenge(on: Executor, tokenHash: Buffer): Promise<boolean> {
  const deleted = await rows(
    sql`delete from sign_in_challenges where token_hash = ${tokenHash} and expires_at > now() returning user_id`,
    on,
  );
  return deleted.length === 1;
}
