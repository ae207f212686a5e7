import { sql } from "kysely";
import { type Executor, rows } from "../../db/pool.ts";
import type { RunKind } from "../../runs/kinds.ts";
import { goesToReaders } from "../../runs/kinds.ts";
import type { Counts } from "../../runs/ledger/codes.ts";
import type { ReceiptCounts } from "../../runs/run.ts";
import type { CampaignClass } from "../../tenants/sites/campaign-classes.ts";

/** The limit of counts of readers: nobody needs the exact number of ten million subscribers. */
export const countLimit = 1_000_000;

/** A day of a site. `readers`: how many subscribers it had at the end of the day, without test devices. */
export type Day = { day: string; joined: number; left: number; readers: number };

/**
 * Returns the subscribers that joined (registered or imported) and left on each of the `days` days up to `last`
 * (YYYY-MM-DD; null for today in `timeZone`). Reads daily counts, and no subscriber.
 */
export function growthOfSite(
  on: Executor,
  { siteId, timeZone }: { siteId: string; timeZone: string },
  days: number,
  last: string | null = null,
): Promise<Day[]> {
  const end = sql`coalesce(${last}::date, (now() at time zone ${timeZone})::date)`;
  return rows(
    sql<Day>`with
      dates as (select generate_series(${end} - ${days - 1}::int, ${end}, interval '1 day')::date as day),
      joined as (select day, sum(n) as n from subscribers_joined where site_id = ${siteId} group by 1),
      lost as (select day, sum(n) as n from subscribers_left where site_id = ${siteId} group by 1),
      changed as (select day, coalesce(joined.n, 0) - coalesce(lost.n, 0) as n from joined full join lost using (day)),
      before as (select coalesce(sum(n), 0) as n from changed where day < (select min(day) from dates))
      select to_char(dates.day, 'YYYY-MM-DD') as day, coalesce(joined.n, 0)::int as joined, coalesce(l.n, 0)::int as "left",
        (before.n + coalesce(sum(changed.n) over (order by dates.day), 0))::float8 as readers
      from dates cross join before left join joined using (day) left join changed using (day)
        left join readers_left l on l.site_id = ${siteId} and l.day = dates.day
      order by dates.day`,
    on,
  );
}

export type RunFigures = Counts &
  ReceiptCounts & {
    runId: string;
    status: string;
    audience: number;
    /** The part of `accepted` whose browsers report displays. */
    reporting: number;
    /** The time of the send. With local-time delivery, the time when the run began for the first readers. */
    startedAt: Date;
    finishedAt: Date | null;
  };

/** Returns the counts and receipts of several live runs of a tenant. */
export function figuresOfRuns(on: Executor, tenantId: string, runIds: string[]): Promise<RunFigures[]> {
  return rows(
    sql<RunFigures>`select r.id as "runId", r.status, r.created_at as "startedAt", r.finished_at as "finishedAt",
        case when r.planned_at is null then greatest(r.expected_audience, c.size) else c.size end as audience,
        c.pending, c.accepted, c.gone, c.failed, c.expired, c.not_sent as "notSent", c.unknown, c.reporting,
        h.displayed, h.clicked, h.dismissed, h.unsubscribed
      from runs r join run_sums c on c.site_id = r.site_id and c.run_id = r.id
        join notification_sums h on h.site_id = r.site_id and h.run_id = r.id
      where r.id = any(${runIds}::uuid[]) and r.tenant_id = ${tenantId}`,
    on,
  );
}

/**
 * A run as the export API lists it. `labels` and `topicIds`: those of its campaign; empty for a digest or a welcome.
 */
export type ListedRun = {
  runId: string;
  siteId: string;
  campaignId: string | null;
  kind: RunKind;
  class: CampaignClass;
  labels: string[];
  topicIds: string[];
};

/**
 * Returns at most `limit` runs of a tenant with an id below `after`, newest first, without tests. `since`: the
 * earliest start of a run. An absent filter matches all runs.
 */
export function runsOfTenant(
  on: Executor,
  tenantId: string,
  filter: {
    siteId?: string | undefined;
    siteIds?: string[] | undefined;
    since?: Date | undefined;
    after?: string | undefined;
    limit: number;
  },
): Promise<ListedRun[]> {
  const { siteId, siteIds, since, after, limit } = filter;
  const conditions = [
    sql`r.tenant_id = ${tenantId} and ${goesToReaders("r")}`,
    ...(siteId === undefined ? [] : [sql`r.site_id = ${siteId}`]),
    ...(siteIds === undefined ? [] : [sql`r.site_id = any(${siteIds}::uuid[])`]),
    ...(since === undefined ? [] : [sql`r.created_at >= ${since}`]),
    ...(after === undefined ? [] : [sql`r.id < ${after}`]),
  ];
  return rows(
    sql<ListedRun>`select r.id as "runId", r.site_id as "siteId", r.campaign_id as "campaignId", r.kind, r.class,
        coalesce(c.labels, '{}') as labels, coalesce(c.topic_ids, '{}') as "topicIds"
      from runs r left join campaigns c on c.site_id = r.site_id and c.id = r.campaign_id
      where ${sql.join(conditions, sql` and `)} order by r.id desc limit ${limit}`,
    on,
  );
}
