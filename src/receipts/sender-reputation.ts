import { type RawBuilder, sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { goesToReaders, sendsCampaign } from "../runs/kinds.ts";
import { finalCode } from "../runs/ledger/codes.ts";
import { earliestStart } from "../runs/queries.ts";

/**
 * What readers did with a site's notifications in the last seven days of its calendar, today included. The counts
 * that pages report are by days in UTC.
 */
export type SenderReputation = {
  /**
   * Messages that push services accepted, of all runs except tests. Browsers judge each push, also of digests and
   * updates.
   */
  accepted: number;
  /** The most messages accepted in one run: about how many readers there are. */
  reached: number;
  displayed: number;
  clicked: number;
  /** The part of `clicked` from browsers that report displays. */
  clickedReporting: number;
  dismissed: number;
  /** Readers who left on these days for any reason. */
  left: number;
  /** The part of `left` that expired. A setting of the owners causes this, not a notification. */
  expired: number;
  /**
   * The counts that pages reported: visits (from one page in ten), prompts, the browser's questions, and their
   * answers.
   */
  visits: number;
  prompted: number;
  asked: number;
  granted: number;
  denied: number;
};

export type ReputationWarning =
  | "few_clicks"
  | "many_dismissals"
  | "many_leave"
  | "many_nudges"
  | "many_prompts"
  | "many_denials";

const days = 7;
/** With fewer displays, ratios mean nothing. */
const displayedAtLeast = 1_000;
const clickedAtLeast = 0.01;
const dismissedAtMost = 0.3;
const leftAtMost = 0.03;
const nudgesAtMost = 10;
const visitsAtLeast = 1_000;
const promptedAtMost = 0.5;
const askedAtLeast = 100;
const deniedAtMost = 0.4;

/**
 * Returns the warnings of a site, by the measures that browsers use: whether readers welcome its notifications.
 * Browsers do not publish their limits. The limits here are those that few sites exceed, so that a warning comes
 * before a browser acts. Clicks are compared with displays only in browsers that report both. If no reader clicked at
 * all, there is no warning about clicks: the loader is not on the articles' pages.
 */
export function checkReputation(reputation: SenderReputation): ReputationWarning[] {
  const { accepted, reached, displayed, clickedReporting, dismissed, visits, prompted, asked, denied } = reputation;
  const left = reputation.left - reputation.expired;
  const isKnown = displayed >= displayedAtLeast;
  const warnings: [ReputationWarning, boolean][] = [
    ["few_clicks", isKnown && clickedReporting > 0 && clickedReporting < clickedAtLeast * displayed],
    ["many_dismissals", isKnown && dismissed > dismissedAtMost * displayed],
    ["many_leave", accepted >= displayedAtLeast && left > leftAtMost * (reached + left)],
    ["many_nudges", accepted >= displayedAtLeast && accepted > nudgesAtMost * days * reached],
    ["many_prompts", visits >= visitsAtLeast && prompted > promptedAtMost * visits],
    ["many_denials", asked >= askedAtLeast && denied > deniedAtMost * asked],
  ];
  return warnings.flatMap(([warning, holds]) => (holds ? [warning] : []));
}

/**
 * Returns the reputation of a site for its last seven days in `timeZone`. One statement sums the totals of runs and
 * days. No index orders runs of all kinds by time, so the query also narrows them by id. With 100,000 runs it then
 * takes 1 ms instead of 100 ms.
 */
export async function reputationOfSite(on: Executor, siteId: string, timeZone: string): Promise<SenderReputation> {
  const today = sql`(now() at time zone ${timeZone})::date`;
  const midnight = (day: RawBuilder<unknown>) => sql`((${day})::timestamp at time zone ${timeZone})`;
  const begins = midnight(sql`${today} - ${days - 1}::int`);
  const reputation = await row(
    sql<SenderReputation>`with run as materialized (
        select id, kind from runs where site_id = ${siteId} and ${goesToReaders("runs")}
          and counts_at >= ${begins} and counts_at < ${midnight(sql`${today} + 1`)}
          -- An id begins with the time at which it was made (UUIDv7); a day more, for clocks that differ.
          and id > (lpad(to_hex(extract(epoch from ${earliestStart(begins)} - interval '1 day')::bigint * 1000), 12, '0')
            || repeat('0', 20))::uuid),
      taken as (
        select sum(t.n) as accepted from run join run_totals t on t.site_id = ${siteId} and t.run_id = run.id
        where t.code = ${finalCode.accepted} group by t.run_id),
      total as (
        select coalesce(sum(accepted), 0)::float8 as accepted, coalesce(max(accepted), 0)::float8 as reached from taken),
      lost as (
        select coalesce(sum(l.n), 0)::float8 as left, coalesce(sum(l.expired), 0)::float8 as expired from readers_left l
        where l.site_id = ${siteId} and l.day > ${today} - ${days}::int and l.day <= ${today}),
      receipt as (
        select coalesce(sum(h.displayed), 0)::float8 as displayed, coalesce(sum(h.clicked), 0)::float8 as clicked,
          coalesce(sum(h.clicked_reporting), 0)::float8 as "clickedReporting",
          coalesce(sum(h.dismissed), 0)::float8 as dismissed
        from run cross join lateral (select * from notification_sums where site_id = ${siteId} and run_id = run.id) h
        where ${sendsCampaign("run")}),
      page as (
        select coalesce(sum(visits), 0)::float8 as visits, coalesce(sum(prompted), 0)::float8 as prompted,
          coalesce(sum(asked), 0)::float8 as asked, coalesce(sum(granted), 0)::float8 as granted,
          coalesce(sum(denied), 0)::float8 as denied
        from site_days where site_id = ${siteId} and day > (now() at time zone 'UTC')::date - ${days}::int)
      select accepted, reached, displayed, clicked, "clickedReporting", dismissed, lost.left, lost.expired,
        visits, prompted, asked, granted, denied
      from total cross join lost cross join receipt cross join page`,
    on,
  );
  return reputation!;
}
