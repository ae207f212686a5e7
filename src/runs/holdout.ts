import { type RawBuilder, sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";

/** The days of a period. Each period draws different readers. */
export const periodDays = 28;
/**
 * The days after a period until its losses are known. If a browser blocks notifications, only the next send finds
 * out.
 */
export const settledDays = 7;
/** The first day of a period, a Monday. All periods count from it. */
const firstPeriod = "2024-01-01";

/**
 * A period in which a class of a site leaves out `percent` of its readers. `startsOn`: its first day (UTC, YYYY-MM-DD).
 */
export type HoldoutPeriod = { class: CampaignClass; startsOn: string; percent: number };

/** SQL: the first day (date) of the period of a `day` (date). */
export const periodOf = (day: RawBuilder<unknown>) =>
  sql`(${day} - (${day} - ${firstPeriod}::date) % ${sql.lit(periodDays)})`;

/**
 * SQL condition: a period draws the subscriber with this `id`. A drawn subscriber is left out only if they subscribed
 * before the period (`subscribedBefore`). Otherwise a new reader would get nothing in the first weeks, and no count
 * includes new readers. If the percentage grows, the readers drawn before stay drawn.
 */
export function isDrawn(
  siteId: string,
  { class: ofClass, startsOn, percent }: HoldoutPeriod,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const seed = sql`(select hashtextextended(${`${siteId} ${ofClass} ${startsOn}`}, 0))`;
  return sql`abs(hashint8extended(${id}, ${seed}) % 100) < ${percent}::int`;
}

/** SQL condition: subscriber `s` had subscribed when a period began. */
export const subscribedBefore = ({ startsOn }: HoldoutPeriod) =>
  sql`s.created_at < ${startsOn}::timestamp at time zone 'UTC'`;

/**
 * Returns SQL over readers `opening` (id): whether the run's class leaves the reader out. `percent`: the percentage
 * of readers that it leaves out, in the period in which the run began. Returns undefined for 0 percent.
 */
export async function heldOutReaders(
  on: Executor,
  { siteId, runId, class: ofClass }: { siteId: string; runId: string; class: CampaignClass },
  percent: number,
): Promise<RawBuilder<unknown> | undefined> {
  if (percent === 0) return undefined;
  const found = await row(
    sql<{ startsOn: string }>`
      select to_char(${periodOf(sql`(created_at at time zone 'UTC')::date`)}, 'YYYY-MM-DD') as "startsOn"
      from runs where site_id = ${siteId} and id = ${runId}`,
    on,
  );
  const period = { class: ofClass, startsOn: found!.startsOn, percent };
  // The subscriber's row is read only for the few who are drawn.
  return sql`case when ${isDrawn(siteId, period, sql`opening.id`)} then exists (select from (
      select s.created_at from subscribers s where s.site_id = ${siteId} and s.id = opening.id offset 0) s
    where ${subscribedBefore(period)}) else false end`;
}
