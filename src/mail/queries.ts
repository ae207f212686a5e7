import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";

/** Inserts a queued e-mail. */
export async function insertEmail(on: Executor, email: { id: string; sealed: Buffer }): Promise<void> {
  await sql`insert into emails (id, sealed) values (${email.id}, ${email.sealed})`.execute(on);
}

export type ClaimedEmail = { id: string; sealed: Buffer; tries: number };

/**
 * Claims the e-mail that has been due longest, and sets its next try `afterSeconds[tries]` later. By that time this
 * try has ended, or its process has died. `tries` in the result includes this try.
 */
export function claimEmail(on: Executor, afterSeconds: number[]): Promise<ClaimedEmail | undefined> {
  return row(
    sql<ClaimedEmail>`update emails e set tries = e.tries + 1,
        due_at = now() + make_interval(secs => coalesce((${afterSeconds}::int[])[e.tries + 1], 86400))
      where id = (select id from emails where due_at <= now() order by due_at limit 1 for update skip locked)
      returning id, sealed, tries`,
    on,
  );
}

/** Deletes an e-mail that was sent, or that is not tried again. */
export async function deleteEmail(on: Executor, id: string): Promise<void> {
  await sql`delete from emails where id = ${id}`.execute(on);
}

/** Deletes all queued e-mails. Returns how many. */
export async function deleteAllEmails(tx: Tx): Promise<number> {
  return (await rows(sql`delete from emails returning id`, tx)).length;
}

/** Returns the queued e-mails and locks their rows, so that a worker does not claim them meanwhile. */
export function sealedEmailsLocked(tx: Tx): Promise<{ id: string; sealed: Buffer }[]> {
  return rows(sql<{ id: string; sealed: Buffer }>`select id, sealed from emails order by id for update`, tx);
}

export async function updateSealedEmail(tx: Tx, id: string, sealed: Buffer): Promise<void> {
  await sql`update emails set sealed = ${sealed} where id = ${id}`.execute(tx);
}
