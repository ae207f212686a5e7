import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import { isComparable } from "../runs/audience.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import type { Counts } from "../runs/ledger/codes.ts";
import type { RunRef } from "../runs/queries.ts";
import { isAtLocalTime } from "../runs/timing.ts";

export type Minute = { minute: Date; displayed: number; clicked: number };

/**
 * Returns how often the notification of a run was displayed and clicked in its first `hours` hours, by the minute.
 * These counts are kept for three days.
 */
export function minutesOfRun(on: Executor, { siteId, runId }: RunRef, hours: number): Promise<Minute[]> {
  return rows(
    sql<Minute>`select m.minute, sum(m.displayed)::int as displayed, sum(m.clicked)::int as clicked
      from runs r cross join lateral (select minute, displayed, clicked from notification_minutes
        where site_id = r.site_id and run_id = r.id
          and minute between r.created_at - interval '1 minute' and r.created_at + make_interval(hours => ${hours})) m
      where r.site_id = ${siteId} and r.id = ${runId} group by m.minute order by m.minute`,
    on,
  );
}

/**
 * The usual reaction at a site: medians over its last runs. `clicked`: the share of the people whom a run reached.
 * `displayed`: the share of those whose browsers report displays.
 */
export type Usual = { runs: number; hours: number; displayed: number; clicked: number };

/** How many of the most recent runs count as usual. */
const usualRuns = 20;

/**
 * Returns the usual reaction to live runs before this one, at the age of this one: in whole hours, at least one hour
 * and at most a week. Leaves out runs to a segment, because their readers differ from the others. `runs`: how many
 * runs counted.
 */
export async function usualOfSite(on: Executor, { siteId, runId }: RunRef): Promise<Usual> {
  const usual = await row(
    sql<Usual>`with this as (select created_at, ${isAtLocalTime("runs")} as has_waves,
        greatest(1, least(168, floor(extract(epoch from now() - created_at) / 3600)))::int as hours
        from runs where site_id = ${siteId} and id = ${runId}),
      earlier as (select r.id, r.created_at, this.hours from runs r, this
        where r.site_id = ${siteId} and ${sendsCampaign("r")} and r.status = 'completed' and r.created_at < this.created_at
          and not ${isAtLocalTime("r")} and ${isComparable("r")} and not this.has_waves
        order by r.created_at desc limit ${usualRuns}),
      shares as (select h.displayed / nullif(s.reporting, 0)::float8 as displayed, h.clicked / s.accepted::float8 as clicked
        from earlier e join run_sums s on s.site_id = ${siteId} and s.run_id = e.id and s.accepted > 0
        cross join lateral (select coalesce(sum(displayed), 0) as displayed, coalesce(sum(clicked), 0) as clicked
          from notification_hours where site_id = ${siteId} and run_id = e.id
            and hour < e.created_at + make_interval(hours => e.hours)) h)
      select (select hours from this) as hours, count(*)::int as runs,
        coalesce(percentile_cont(0.5) within group (order by displayed), 0) as displayed,
        coalesce(percentile_cont(0.5) within group (order by clicked), 0) as clicked from shares`,
    on,
  );
  return usual!;
}

/** The counts of a run on one push service. */
export type PushServiceCounts = Counts & { pushService: string };

/**
 * Counts the recipients of a run by push service, largest first. Counts the run's batches, or its totals once it has
 * ended.
 */
export function pushServicesOfRun(on: Executor, { siteId, runId }: RunRef): Promise<PushServiceCounts[]> {
  const ofClass = (digit: number) => sql.raw(`case when code >> 4 = ${digit} then n else 0 end`);
  const sum = (name: string) => sql.raw(`sum(${name})::bigint`);
  return rows(
    sql<PushServiceCounts>`select push_service as "pushService", ${sum("pending")} as pending, ${sum("accepted")} as accepted, ${sum("gone")} as gone,
        ${sum("failed")} as failed, ${sum("expired")} as expired, ${sum("not_sent")} as "notSent", ${sum("unknown")} as unknown
      from (
        select b.push_service, b.pending, b.accepted, b.gone, b.failed, b.expired, b.not_sent, b.unknown, b.size
        from run_batches b join runs r on r.site_id = b.site_id and r.id = b.run_id and r.finished_at is null
        where b.site_id = ${siteId} and b.run_id = ${runId}
        union all
        select push_service, 0, ${ofClass(2)}, ${ofClass(3)}, ${ofClass(4)}, ${ofClass(5)}, ${ofClass(6)}, ${ofClass(7)}, n
        from run_totals where site_id = ${siteId} and run_id = ${runId}) counted
      group by push_service order by sum(size) desc, push_service`,
    on,
  );
}
