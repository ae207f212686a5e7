import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";

/** The kinds of receipts, and their numbers in the database. */
export const receiptKinds = { displayed: 1, clicked: 2, dismissed: 3, unsubscribed: 4 } as const;

export type ReceiptKind = keyof typeof receiptKinds;

/** A run that still counts receipts, with the addresses of its site. */
export type CountedRun = { runId: string; siteId: string; url: string; origins: string[] };

/** Returns those of `runIds` whose recipients have not expired. */
export function countedRuns(on: Executor, runIds: string[]): Promise<CountedRun[]> {
  return rows(
    sql<CountedRun>`select r.id as "runId", r.site_id as "siteId", s.url, s.origins
      from runs r join sites s on s.id = r.site_id where r.id = any(${runIds}::uuid[]) and r.pruned_at is null`,
    on,
  );
}

/** Receipts of one kind of one batch. `bits`: 128 bytes, one bit for each recipient by its position. */
export type ReceiptBits = { siteId: string; runId: string; no: number; kind: number; bits: Buffer };

/**
 * Adds receipts and counts the new ones in the current hour of the database's clock, displays and clicks also in the
 * minute. A receipt that is already stored
 * changes nothing, so any number of processes may write. Takes at most one entry for each batch and kind, sorted by key:
 * two processes lock rows in the same order and cannot deadlock. Ignores batches whose recipients have expired.
 */
export async function addReceipts(on: Executor, receipts: ReceiptBits[]): Promise<void> {
  await sql`with incoming as (
      select * from unnest(${receipts.map((r) => r.siteId)}::uuid[], ${receipts.map((r) => r.runId)}::uuid[],
        ${receipts.map((r) => r.no)}::int[], ${receipts.map((r) => r.kind)}::smallint[],
        ${receipts.map((r) => r.bits.toString("hex"))}::text[]) as incoming (site_id, run_id, no, kind, bits)),
    merged as (
      insert into receipt_bits as b (site_id, run_id, no, kind, bits, added)
      select site_id, run_id, no, kind, bits, bit_count(bits) from (
        select c.site_id, c.run_id, c.no, c.kind, ('x' || c.bits)::bit(1024) as bits
        from incoming c join run_recipients p on p.site_id = c.site_id and p.run_id = c.run_id and p.no = c.no) known
      order by site_id, run_id, no, kind
      on conflict (site_id, run_id, no, kind) do update
        set added = bit_count(excluded.bits & ~b.bits), bits = b.bits | excluded.bits
      returning site_id, run_id, kind, added),
    minutes as (
      insert into receipt_minutes as m (site_id, minute, run_id, displayed, clicked)
      select site_id, date_trunc('minute', now(), 'UTC'), run_id,
        coalesce(sum(added) filter (where kind = 1), 0), coalesce(sum(added) filter (where kind = 2), 0)
      from merged where kind in (1, 2) group by site_id, run_id having sum(added) > 0 order by site_id, run_id
      on conflict (site_id, minute, run_id) do update set displayed = m.displayed + excluded.displayed,
        clicked = m.clicked + excluded.clicked)
    insert into receipt_hours as h (site_id, run_id, hour, displayed, clicked, dismissed, unsubscribed)
    select site_id, run_id, date_trunc('hour', now(), 'UTC'),
      coalesce(sum(added) filter (where kind = 1), 0), coalesce(sum(added) filter (where kind = 2), 0),
      coalesce(sum(added) filter (where kind = 3), 0), coalesce(sum(added) filter (where kind = 4), 0)
    from merged group by site_id, run_id having sum(added) > 0 order by site_id, run_id
    on conflict (site_id, run_id, hour) do update set displayed = h.displayed + excluded.displayed,
      clicked = h.clicked + excluded.clicked, dismissed = h.dismissed + excluded.dismissed,
      unsubscribed = h.unsubscribed + excluded.unsubscribed`.execute(on);
}

/** Returns the address of a run's article, with the site's UTM parameters; undefined if there is no such run. */
export async function articleOfRun(on: Executor, runId: string): Promise<string | undefined> {
  return (await row(sql<{ url: string }>`select message->>'url' as url from runs where id = ${runId}`, on))?.url;
}

/** Deletes at most `limit` counts of minutes that are over three days old, the oldest first. Returns how many. */
export async function deleteOldMinutes(on: Executor, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from receipt_minutes where (site_id, minute, run_id) in (
        select site_id, minute, run_id from receipt_minutes where minute < now() - interval '3 days'
        order by minute limit ${limit})
      returning run_id`,
    on,
  );
  return deleted.length;
}
