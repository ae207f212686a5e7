import { sql } from "kysely";
import type { Tx } from "../db/pool.ts";
import { isOpenRun, type RunRef } from "./queries.ts";
import { receiptKinds } from "./receipt-kinds.ts";

/**
 * SQL condition: the run in `runs` follows another of its thread that has not ended. The last messages of that one
 * could arrive later, and a push service keeps the last one that it gets.
 */
export const waitsForThread = sql`(sequence > 0 and kind <> 'test' and exists (select from runs earlier
  where earlier.site_id = runs.site_id and earlier.thread_id = runs.thread_id and earlier.sequence < runs.sequence
    and earlier.kind <> 'test' and ${isOpenRun("earlier")}))`;

/**
 * Notes the readers who have closed or opened a notification, from the receipts of its first run and of the last two
 * that followed it: a later report on an older one is of a browser that had not had the newer. Linear in the batches of
 * those runs.
 */
export async function noteClosed(tx: Tx, { siteId, runId, threadId }: RunRef & { threadId: string }): Promise<void> {
  await sql`with seen as (
      select ${threadId}::uuid as id union (
        select id from runs where site_id = ${siteId} and thread_id = ${threadId} and sequence > 0 and id <> ${runId}
          and kind in ('live', 'update')
        order by sequence desc limit 2))
    insert into interactions (site_id, run_id, subscriber_id)
    select distinct ${siteId}::uuid, ${threadId}::uuid, s.id
    from seen join receipt_bits b on b.site_id = ${siteId} and b.run_id = seen.id
        and b.kind in (${receiptKinds.clicked}, ${receiptKinds.dismissed})
      join run_recipients r on r.site_id = b.site_id and r.run_id = b.run_id and r.no = b.no
      cross join lateral unnest(r.subscriber_ids) with ordinality as one (id, position)
      join subscribers s on s.site_id = ${siteId} and s.id = one.id
    where get_bit(b.bits, (one.position - 1)::int) = 1
    on conflict do nothing`.execute(tx);
}
