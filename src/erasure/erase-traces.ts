import { sql } from "kysely";
import { row } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";
import { eraseRecipients } from "../runs/ledger/prune-batches.ts";

const readersPerPiece = 10_000;

/**
 * The maintenance task that removes the numbers of erased readers from the lists of recipients, which are stored until
 * their runs expire. A piece erases readers of one site in one statement over the site's lists.
 */
export const eraseTraces: MaintenanceTask = {
  name: "traces of erased readers",
  async sweep(tx) {
    const found = await row(
      sql<{ siteId: string; ids: string[] }>`with erased as (
          select site_id, subscriber_id from erased_subscribers
          where site_id = (select min(site_id::text)::uuid from erased_subscribers)
          order by subscriber_id limit ${readersPerPiece} for update)
        select site_id as "siteId", array_agg(subscriber_id::text) as ids from erased group by site_id`,
      tx,
    );
    if (found === undefined) return { removed: 0, at: null };
    const { siteId, ids } = found;
    await eraseRecipients(tx, siteId, ids);
    await sql`delete from erased_subscribers where site_id = ${siteId} and subscriber_id = any(${ids}::bigint[])`.execute(
      tx,
    );
    return { removed: ids.length, at: "on" };
  },
};
