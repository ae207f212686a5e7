import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";
import { expireDays } from "../receipts/expire-days.ts";
import { type HoldoutPeriod, isDrawn, periodDays, periodOf, settledDays, subscribedBefore } from "../runs/holdout.ts";
import { isReachable } from "../subscribers/queries.ts";
import { today } from "../subscribers/seen-queries.ts";
import { campaignClasses } from "../tenants/sites/campaign-classes.ts";

/** The maintenance task that deletes old counts. Effects are computed from the last 400 days. */
export const expireHoldoutDays = expireDays("old days of holdouts", "holdout_days", 400);

/**
 * The maintenance task that counts, once after each day (UTC), the readers of each site with a holdout. A piece counts
 * one site. The count runs up to an hour after the end of the day. Readers who come in that hour also count for the
 * day, in both groups alike.
 */
export const countHoldoutDays: MaintenanceTask = {
  name: "counts of readers left out",
  async sweep(tx, at) {
    const site = await nextSite(tx, at);
    if (site === undefined) return { removed: 0, at: null };
    for (const period of await periodsOfYesterday(tx, site.id)) await countDay(tx, site.id, period);
    return { removed: 0, at: site.id };
  },
};

/** Returns the next site that has a holdout, or had one within the last eight days. */
function nextSite(tx: Tx, at: string | null): Promise<{ id: string } | undefined> {
  return row(
    sql<{ id: string }>`select s.id from sites s
      where s.removed_at is null and (${at}::uuid is null or s.id > ${at}::uuid)
        and (jsonb_path_exists(s.classes, '$.*.holdoutPercent ? (@ > 0)')
          or exists (select from holdout_days d where d.site_id = s.id and d.day >= ${today} - ${sql.lit(settledDays + 1)}))
      order by s.id limit 1`,
    tx,
  );
}

/**
 * Returns the periods of a site to count for yesterday: the current period of each class with a holdout, and periods
 * that ended within a week, whose losses only show now.
 */
function periodsOfYesterday(on: Executor, siteId: string): Promise<HoldoutPeriod[]> {
  const yesterday = sql`(${today} - 1)`;
  return rows(
    sql<HoldoutPeriod>`with period as (
        select class.name as class, ${periodOf(yesterday)} as starts_on,
          (s.classes -> class.name ->> 'holdoutPercent')::smallint as percent
        from sites s cross join unnest(${campaignClasses}::text[]) as class (name)
        where s.id = ${siteId} and (s.classes -> class.name ->> 'holdoutPercent')::smallint > 0
        union
        select class, starts_on, percent from holdout_days d
        where d.site_id = ${siteId} and d.starts_on + ${sql.lit(periodDays)} <= ${yesterday}
          and d.starts_on + ${sql.lit(periodDays + settledDays)} > ${yesterday})
      select class, to_char(starts_on, 'YYYY-MM-DD') as "startsOn", percent from period
      where not exists (select from holdout_days d where d.site_id = ${siteId} and d.class = period.class
        and d.starts_on = period.starts_on and d.percent = period.percent and d.day = ${yesterday})
      order by class, starts_on`,
    on,
  );
}

type Counts = Record<"heldReaders" | "heldCame" | "readers" | "came", number>;

async function countDay(on: Executor, siteId: string, period: HoldoutPeriod): Promise<void> {
  const sums: Counts = { heldReaders: 0, heldCame: 0, readers: 0, came: 0 };
  let after: number | null = 0;
  while (after !== null) {
    const page = await countPage(on, siteId, period, after);
    for (const name of ["heldReaders", "heldCame", "readers", "came"] as const) sums[name] += page[name];
    after = page.last;
  }
  // If there is no count for the day before, the share may have been set since. Nobody was left out yet, so the visits
  // mean nothing.
  await sql`insert into holdout_days (site_id, class, starts_on, percent, day,
      held_readers, held_came, other_readers, other_came)
    select ${siteId}, ${period.class}, ${period.startsOn}::date, ${period.percent}, ${today} - 1, ${sums.heldReaders},
      case when was_counted then ${sums.heldCame}::bigint end, ${sums.readers},
      case when was_counted then ${sums.came}::bigint end
    from (select exists (select from holdout_days d where d.site_id = ${siteId} and d.class = ${period.class}
      and d.percent = ${period.percent} and d.day = ${today} - 2) as was_counted) earlier`.execute(on);
}

/** Counting a million readers takes about three seconds, and a statement may take fifteen. */
const readersPerPage = 500_000;

/**
 * Counts a page of readers whose number is above `after`. `last`: the last number of the page; null if it was the last
 * page.
 */
async function countPage(on: Executor, siteId: string, period: HoldoutPeriod, after: number) {
  const found = await row(
    sql<Counts & { last: number | null }>`with page as (
        select s.id, s.seen_on, not s.is_test and ${isReachable} and ${subscribedBefore(period)} as counts
        from subscribers s where s.site_id = ${siteId} and s.id > ${after} order by s.id limit ${readersPerPage}),
      reader as (
        select ${isDrawn(siteId, period, sql`page.id`)} as held, coalesce(seen_on >= ${today} - 1, false) as came
        from page where counts)
      select count(*) filter (where held) as "heldReaders", count(*) filter (where held and came) as "heldCame",
        count(*) filter (where not held) as readers, count(*) filter (where not held and came) as came,
        (select case when count(*) = ${readersPerPage} then max(id) end from page) as last
      from reader`,
    on,
  );
  return found!;
}
