import { type RawBuilder, sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { type CampaignClass, type ClassCaps, capWindows } from "../tenants/sites/campaign-classes.ts";
import { sendsCampaign } from "./kinds.ts";
import { isWaiting } from "./ledger/states.ts";
import { earliestStart } from "./queries.ts";

type CappedRun = { siteId: string; runId: string; class: CampaignClass };

/**
 * The classes of codes that count towards a cap: the reader has the message or may get it. A code's first hex digit
 * is its class.
 */
const countedDigits = sql.raw("(0, 1, 2, 7)");

/**
 * Returns SQL over readers `opening` (id): whether the reader has reached a cap of the run's class. `caps`: the most
 * notifications that the site sends one reader in an hour, a day and a week. Returns undefined if the class has no
 * cap or the site sent nothing of the class. Corrections do not count. A message counts from the moment of its wave,
 * or of its run if it has no wave.
 */
export async function cappedReaders(
  on: Executor,
  run: CappedRun,
  caps: ClassCaps,
): Promise<RawBuilder<unknown> | undefined> {
  const set = capWindows.flatMap(({ name, hours }) => (caps[name] === null ? [] : [{ hours, most: caps[name] }]));
  if (set.length === 0) return undefined;
  const hours = Math.max(...set.map((cap) => cap.hours));
  const earlier = await earlierRuns(on, run, hours);
  if (earlier.length === 0) return undefined;
  const isOver = set.map((cap) => sql`count(*) filter (where sent_at > ${ago(cap.hours)}) >= ${cap.most}`);
  return sql`opening.id in (${readersSince(run.siteId, earlier, hours)} having ${sql.join(isOver, sql` or `)})`;
}

/** Returns whether a class has a cap. */
export function hasCap(caps: ClassCaps): boolean {
  return Object.values(caps).some((most) => most !== null);
}

const ago = (hours: number) => sql`now() - make_interval(hours => ${hours}::int)`;

/**
 * SQL before a `having`: the readers (id) of the runs in these hours, grouped, with the moments of their messages
 * (sent_at). The index `recipients_by_number` finds the lists that may name readers of the page, so that a page does
 * not read all lists of a run.
 */
function readersSince(siteId: string, runIds: string[], hours: number): RawBuilder<unknown> {
  return sql`
      with list as materialized (
        select p.run_id, p.no, p.subscriber_ids from run_recipients p
        where p.site_id = ${siteId} and p.subscriber_ids[1] <= (select max(id) from opening)
          and coalesce(nullif(p.subscriber_ids[cardinality(p.subscriber_ids)], 0), 9223372036854775807)
            >= (select min(id) from opening)),
      sent as materialized (
        select list.subscriber_ids, b.codes, coalesce(w.opens_at, r.created_at) as sent_at
        from list join run_batches b on b.site_id = ${siteId} and b.run_id = list.run_id and b.no = list.no
          join runs r on r.site_id = b.site_id and r.id = b.run_id
          left join run_waves w on w.site_id = b.site_id and w.run_id = b.run_id and w.no = b.wave_no
        where list.run_id = any(${runIds}::uuid[]) and not ${isWaiting}
          and coalesce(w.opens_at, r.created_at) > ${ago(hours)})
      select one.id from sent cross join lateral unnest(sent.subscriber_ids) with ordinality as one (id, at)
      where get_byte(sent.codes, one.at::int - 1) >> 4 in ${countedDigits} group by one.id`;
}

/**
 * Returns the ids of the class's runs in these hours. Leaves out corrections, because their recipients already got
 * the original.
 */
async function earlierRuns(
  on: Executor,
  { siteId, runId, class: ofClass }: CappedRun,
  hours: number,
): Promise<string[]> {
  const found = await rows(
    sql<{ id: string }>`select r.id from runs r where r.site_id = ${siteId} and ${sendsCampaign("r")}
      and r.created_at > ${earliestStart(ago(hours))} and r.class = ${ofClass} and r.sequence = 0 and r.id <> ${runId}`,
    on,
  );
  return found.map(({ id }) => id);
}
