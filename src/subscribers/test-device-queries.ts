import { sql } from "kysely";
import { type Executor, row, type Tx } from "../db/pool.ts";

/** Locks the registration of test devices at a site until the transaction ends. */
export async function lockTestDevices(tx: Tx, siteId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`test devices ${siteId}`}, 0))`.execute(tx);
}

export async function countTestDevices(on: Executor, siteId: string): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from subscribers where site_id = ${siteId} and is_test`,
    on,
  );
  return counted!.n;
}

/** Deletes a test subscriber by its id. Returns whether there was one. */
export async function deleteTestSubscriber(on: Executor, siteId: string, id: number): Promise<boolean> {
  const deleted = await row(
    sql`delete from subscribers where site_id = ${siteId} and id = ${id} and is_test returning id`,
    on,
  );
  return deleted !== undefined;
}
