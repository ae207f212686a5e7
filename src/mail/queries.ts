import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";

export async function insertEmail(on: Executor, letter: { id: string; sealed: Buffer }): Promise<void> {
  await sql`insert into letters (id, sealed) values (${letter.id}, ${letter.sealed})`.execute(on);
}

export type ClaimedEmail = { id: string; sealed: Buffer; tries: number };

/**
 * Takes the letter that is due longest, and moves its next try by `afterSeconds[tries]`: whoever has taken it is done
 * before that, or dead. `tries` counts this one.
 */
export function claimEmail(on: Executor, afterSeconds: number[]): Promise<ClaimedEmail | undefined> {
  return row(
    sql<ClaimedEmail>`update letters l set tries = l.tries + 1,
        due_at = now() + make_interval(secs => coalesce((${afterSeconds}::int[])[l.tries + 1], 86400))
      where id = (select id from letters where due_at <= now() order by due_at limit 1 for update skip locked)
      returning id, sealed, tries`,
    on,
  );
}

/** Removes a letter: sent, or given up. */
export async function deleteEmail(on: Executor, id: string): Promise<void> {
  await rows(sql`delete from letters where id = ${id}`, on);
}
