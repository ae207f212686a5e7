import { sql } from "kysely";
import type { Tx } from "../db/pool.ts";
import type { Audience } from "./audience.ts";
import { goesToReaders, showsCampaign } from "./kinds.ts";
import { isOpenRun, type RunRef } from "./queries.ts";
import { receiptKinds } from "./receipt-kinds.ts";

/**
 * SQL condition: the run in `runs` must wait, because an earlier run of the same thread has not ended. A push service
 * keeps the last message that it gets, and a message of the earlier run could still arrive later.
 */
export const waitsForThread = sql`(sequence > 0 and ${goesToReaders("runs")} and exists (select from runs earlier
  where earlier.site_id = runs.site_id and earlier.thread_id = runs.thread_id and earlier.sequence < runs.sequence
    and ${goesToReaders("earlier")} and ${isOpenRun("earlier")}))`;

/**
 * Records the readers who have closed or opened a notification, from the receipts of its first run and of its last
 * two follow-ups. A report on an older follow-up comes from a browser that missed the newer ones. Skips the run whose
 * recipients the update is for, because planning reads its receipts itself. Recording half of 500,000 readers took
 * longer than planning them. The cost is linear in the batches of those runs. Rows are looked up by their keys (see
 * readersOfRun).
 */
export async function noteClosed(
  tx: Tx,
  { siteId, runId, threadId, audience }: RunRef & { threadId: string; audience: Audience },
): Promise<void> {
  const read = audience.of === "recipients" ? audience.runId : null;
  await sql`with seen as (
      select ${threadId}::uuid as id union (
        select id from runs where site_id = ${siteId} and thread_id = ${threadId} and sequence > 0 and id <> ${runId}
          and ${showsCampaign("runs")}
        order by sequence desc limit 2))
    insert into interactions (site_id, run_id, subscriber_id)
    select distinct ${siteId}::uuid, ${threadId}::uuid, s.id
    from seen
      cross join lateral (select b.no, bit_or(b.bits) as bits from receipt_bits b
        where b.site_id = ${siteId} and b.run_id = seen.id and b.kind in (${receiptKinds.clicked}, ${receiptKinds.dismissed})
        group by b.no) b
      cross join lateral (select array_agg(one.id) as ids
        from run_recipients r cross join lateral unnest(r.subscriber_ids) with ordinality as one (id, position)
        where r.site_id = ${siteId} and r.run_id = seen.id and r.no = b.no
          and get_bit(b.bits, (one.position - 1)::int) = 1 offset 0) closed
      cross join lateral (select s.id from subscribers s
        where s.site_id = ${siteId} and s.id = any(closed.ids) offset 0) s
    where seen.id is distinct from ${read}
    on conflict do nothing`.execute(tx);
}
