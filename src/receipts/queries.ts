import { type RawBuilder, sql } from "kysely";
import { type Database, type Executor, row, rows, type Tx } from "../db/pool.ts";
import { screenSeconds } from "../runs/screen-times.ts";

/** A run that still counts receipts, with the addresses of its site. */
export type CountedRun = { runId: string; siteId: string; url: string; origins: string[] };

/** Returns the runs among `runIds` whose recipients have not expired. */
export function countedRuns(on: Executor, runIds: string[]): Promise<CountedRun[]> {
  return rows(
    sql<CountedRun>`select r.id as "runId", r.site_id as "siteId", s.url, s.origins
      from runs r join sites s on s.id = r.site_id where r.id = any(${runIds}::uuid[]) and r.pruned_at is null`,
    on,
  );
}

/**
 * The receipts of one kind in one batch. `bits`: 128 bytes, with one bit for each recipient by its position.
 * `android`: the bits that came from Android. They are counted but not stored.
 */
export type ReceiptBits = { siteId: string; runId: string; no: number; kind: number; bits: Buffer; android?: Buffer };

/** SQL: the upper bound (`screenSeconds`) of the time from `due` until now. Displays are counted by this bound. */
function boundSince(due: RawBuilder<unknown>): RawBuilder<unknown> {
  const seconds = sql`least(extract(epoch from now() - ${due}), ${screenSeconds.at(-1)}::int)`;
  return sql`(select min(bound) from unnest(${screenSeconds}::int[]) as bound where bound >= ${seconds})`;
}

/**
 * SQL: when the readers of batch `b` of run `r` were due. If wave `w` has no time, they were due when test `t` ended.
 */
const due = sql`case when b.wave_no is null then r.created_at
  else greatest(r.created_at, coalesce(w.opens_at, t.ended_at)) end`;

/**
 * Stores receipts and counts the new ones in the current hour of the database's clock. Displays and clicks are also
 * counted in the current minute, and displays by the time since their readers were due. A stored receipt counts only
 * once, so any number of processes may write. The caller passes at most one entry for each batch and kind, sorted by
 * key. Two processes therefore lock rows in the same order and cannot deadlock. Ignores batches whose recipients have
 * expired.
 */
export async function addReceipts(on: Executor, receipts: ReceiptBits[]): Promise<void> {
  await sql`with incoming as (
      select * from unnest(${receipts.map((r) => r.siteId)}::uuid[], ${receipts.map((r) => r.runId)}::uuid[],
        ${receipts.map((r) => r.no)}::int[], ${receipts.map((r) => r.kind)}::smallint[],
        ${receipts.map((r) => r.bits.toString("hex"))}::text[], ${receipts.map((r) => (r.android ?? r.bits.subarray(0, 0)).toString("hex"))}::text[])
        as incoming (site_id, run_id, no, kind, bits, android)),
    android as (
      select c.site_id, c.run_id, c.no, c.kind,
        bit_count(('x' || c.android)::bit(1024) & ~coalesce(b.bits, 0::bit(1024))) as added
      from incoming c left join receipt_bits b
        on b.site_id = c.site_id and b.run_id = c.run_id and b.no = c.no and b.kind = c.kind
      where c.android <> ''),
    merged as (
      insert into receipt_bits as b (site_id, run_id, no, kind, bits, added)
      select site_id, run_id, no, kind, bits, bit_count(bits) from (
        select c.site_id, c.run_id, c.no, c.kind, ('x' || c.bits)::bit(1024) as bits
        from incoming c join run_recipients p on p.site_id = c.site_id and p.run_id = c.run_id and p.no = c.no) known
      order by site_id, run_id, no, kind
      on conflict (site_id, run_id, no, kind) do update
        set added = bit_count(excluded.bits & ~b.bits), bits = b.bits | excluded.bits
      returning site_id, run_id, no, kind, added),
    minutes as (
      insert into receipt_minutes as m (site_id, minute, run_id, displayed, clicked)
      select site_id, date_trunc('minute', now(), 'UTC'), run_id,
        coalesce(sum(added) filter (where kind = 1), 0), coalesce(sum(added) filter (where kind = 2), 0)
      from merged where kind in (1, 2) group by site_id, run_id having sum(added) > 0 order by site_id, run_id
      on conflict (site_id, minute, run_id) do update set displayed = m.displayed + excluded.displayed,
        clicked = m.clicked + excluded.clicked),
    screens as (
      insert into screen_times as s (site_id, run_id, seconds, displayed)
      select m.site_id, m.run_id, ${boundSince(due)} as bound, sum(m.added)
      from merged m join run_batches b using (site_id, run_id, no) join runs r on r.site_id = m.site_id and r.id = m.run_id
        left join run_waves w on w.site_id = b.site_id and w.run_id = b.run_id and w.no = b.wave_no
        left join headline_tests t on t.site_id = w.site_id and t.run_id = w.run_id
      where m.kind = 1 group by 1, 2, 3 having sum(m.added) > 0 order by 1, 2, 3
      on conflict (site_id, run_id, seconds) do update set displayed = s.displayed + excluded.displayed)
    insert into receipt_hours as h (site_id, run_id, hour, displayed, clicked, clicked_reporting, dismissed,
      unsubscribed, android_displayed, android_clicked, action1, action2)
    select m.site_id, m.run_id, date_trunc('hour', now(), 'UTC'),
      coalesce(sum(m.added) filter (where m.kind = 1), 0), coalesce(sum(m.added) filter (where m.kind = 2), 0),
      coalesce(sum(m.added) filter (where m.kind = 2 and b.reports_displays), 0),
      coalesce(sum(m.added) filter (where m.kind = 3), 0), coalesce(sum(m.added) filter (where m.kind = 4), 0),
      coalesce(sum(least(a.added, m.added)) filter (where m.kind = 1 and a.added is not null), 0),
      coalesce(sum(least(a.added, m.added)) filter (where m.kind = 2 and a.added is not null), 0),
      coalesce(sum(m.added) filter (where m.kind = 5), 0), coalesce(sum(m.added) filter (where m.kind = 6), 0)
    from merged m join run_batches b using (site_id, run_id, no) left join android a using (site_id, run_id, no, kind)
    group by m.site_id, m.run_id having sum(m.added) > 0 order by m.site_id, m.run_id
    on conflict (site_id, run_id, hour) do update set displayed = h.displayed + excluded.displayed,
      clicked = h.clicked + excluded.clicked, clicked_reporting = h.clicked_reporting + excluded.clicked_reporting,
      dismissed = h.dismissed + excluded.dismissed,
      unsubscribed = h.unsubscribed + excluded.unsubscribed,
      android_displayed = h.android_displayed + excluded.android_displayed,
      android_clicked = h.android_clicked + excluded.android_clicked,
      action1 = h.action1 + excluded.action1, action2 = h.action2 + excluded.action2`.execute(on);
}

/**
 * Counts receipts of runs that send the same message to everybody. Such receipts cannot be told apart, so a report
 * that a browser repeats counts twice. Only the counts are stored. A run's count of one kind stops at the number of
 * messages that were accepted or still may be. Without this limit anybody who has the token could report for ever.
 */
export async function addShared(
  db: Database,
  receipts: { siteId: string; runId: string; kind: number; count: number }[],
): Promise<void> {
  if (receipts.length === 0) return;
  const runIds = [...new Set(receipts.map(({ runId }) => runId))].sort();
  await db.transaction().execute(async (tx) => {
    // The lock keeps another process from counting up to the same limit at the same time. It is a separate statement,
    // so that the next one sees the counts of other processes.
    await sql`select pg_advisory_xact_lock(hashtextextended(id, 0)) from unnest(${runIds}::text[]) as id`.execute(tx);
    await insertShared(tx, receipts);
  });
}

async function insertShared(
  tx: Tx,
  receipts: { siteId: string; runId: string; kind: number; count: number }[],
): Promise<void> {
  await sql`with reported as (
      select site_id, run_id, kind, sum(n) as n
      from unnest(${receipts.map((r) => r.siteId)}::uuid[], ${receipts.map((r) => r.runId)}::uuid[],
        ${receipts.map((r) => r.kind)}::smallint[], ${receipts.map((r) => r.count)}::int[]) as reported (site_id, run_id, kind, n)
      group by 1, 2, 3),
    counted as (
      select h.site_id, h.run_id, array[sum(displayed), sum(clicked), sum(dismissed), sum(unsubscribed), sum(action1),
          sum(action2)] as by_kind
      from receipt_hours h where (h.site_id, h.run_id) in (select site_id, run_id from reported) group by 1, 2),
    incoming as (
      select r.site_id, r.run_id, r.kind,
        least(r.n, greatest(0, s.accepted + s.unknown + s.pending - coalesce(c.by_kind[r.kind], 0)))::int as n
      from reported r join run_sums s on s.site_id = r.site_id and s.run_id = r.run_id
        left join counted c on c.site_id = r.site_id and c.run_id = r.run_id),
    minutes as (
      insert into receipt_minutes as m (site_id, minute, run_id, displayed, clicked)
      select site_id, date_trunc('minute', now(), 'UTC'), run_id,
        coalesce(sum(n) filter (where kind = 1), 0), coalesce(sum(n) filter (where kind = 2), 0)
      from incoming where kind in (1, 2) group by site_id, run_id having sum(n) > 0 order by site_id, run_id
      on conflict (site_id, minute, run_id) do update set displayed = m.displayed + excluded.displayed,
        clicked = m.clicked + excluded.clicked),
    screens as (
      insert into screen_times as s (site_id, run_id, seconds, displayed)
      select i.site_id, i.run_id, ${boundSince(sql`r.created_at`)} as bound, sum(i.n)
      from incoming i join runs r on r.site_id = i.site_id and r.id = i.run_id
      -- A message that is the same for all does not say at which moment its reader was due.
      where i.kind = 1 and not exists (select from run_waves w where w.site_id = i.site_id and w.run_id = i.run_id)
      group by 1, 2, 3 having sum(i.n) > 0 order by 1, 2, 3
      on conflict (site_id, run_id, seconds) do update set displayed = s.displayed + excluded.displayed)
    insert into receipt_hours as h (site_id, run_id, hour, displayed, clicked, clicked_reporting, dismissed, unsubscribed, action1, action2)
    select site_id, run_id, date_trunc('hour', now(), 'UTC'),
      coalesce(sum(n) filter (where kind = 1), 0), coalesce(sum(n) filter (where kind = 2), 0),
      coalesce(sum(n) filter (where kind = 2), 0),
      coalesce(sum(n) filter (where kind = 3), 0), coalesce(sum(n) filter (where kind = 4), 0),
      coalesce(sum(n) filter (where kind = 5), 0), coalesce(sum(n) filter (where kind = 6), 0)
    from incoming group by site_id, run_id having sum(n) > 0 order by site_id, run_id
    on conflict (site_id, run_id, hour) do update set displayed = h.displayed + excluded.displayed,
      clicked = h.clicked + excluded.clicked, clicked_reporting = h.clicked_reporting + excluded.clicked_reporting,
      dismissed = h.dismissed + excluded.dismissed,
      unsubscribed = h.unsubscribed + excluded.unsubscribed, action1 = h.action1 + excluded.action1,
      action2 = h.action2 + excluded.action2`.execute(tx);
}

/**
 * Returns the address of a run's article with the site's UTM parameters. With `action`, returns the address of that
 * button (1 or 2). Returns undefined if there is none.
 */
export async function addressOfRun(on: Executor, runId: string, action?: number): Promise<string | undefined> {
  const path = action === undefined ? ["url"] : ["extras", "actions", String(action - 1), "url"];
  const found = await row(
    sql<{ url: string | null }>`select m.message#>>${path} as url from runs r
      join run_messages m on m.site_id = r.site_id and m.run_id = r.id and m.no = 0 where r.id = ${runId}`,
    on,
  );
  return found?.url ?? undefined;
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
