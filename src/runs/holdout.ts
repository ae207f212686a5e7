import { type RawBuilder, sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { type CampaignClass, type ClassRules, classRulesOf } from "../tenants/sites/campaign-classes.ts";

/** The days of a period. The readers who are left out are drawn anew for each. */
export const periodDays = 28;
/** Losses of a period show by then: a browser that blocks notifications is found by the next send to it. */
export const settledDays = 7;
/** A Monday, on which a period began. */
const firstPeriod = "2024-01-01";

/**
 * A period in which a class of a site leaves out `percent` of its readers. `startsOn`: its first day (UTC, YYYY-MM-DD).
 */
export type HoldoutPeriod = { class: CampaignClass; startsOn: string; percent: number };

/** SQL: the first day (date) of the period of a `day` (date). */
export const periodOf = (day: RawBuilder<unknown>) =>
  sql`(${day} - (${day} - ${firstPeriod}::date) % ${sql.lit(periodDays)})`;

/**
 * SQL condition: the subscriber with this `id` and time of subscription is left out in a period. A reader who joined
 * during the period is not: the first weeks would be silent, and no count of the period has them. A share that grows
 * keeps the readers that it had.
 */
export function isHeldOut(
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
 * Returns SQL over readers `opening` (id): whether the class of a run leaves the reader out, in the period in which the
 * run began. Returns undefined if it leaves out nobody.
 */
export async function heldOutReaders(
  on: Executor,
  { siteId, runId, class: ofClass }: { siteId: string; runId: string; class: CampaignClass },
): Promise<RawBuilder<unknown> | undefined> {
  const found = await row(
    sql<{ classes: Partial<ClassRules>; startsOn: string }>`select s.classes,
        to_char(${periodOf(sql`(r.created_at at time zone 'UTC')::date`)}, 'YYYY-MM-DD') as "startsOn"
      from sites s join runs r on r.site_id = s.id where s.id = ${siteId} and r.id = ${runId}`,
    on,
  );
  const { classes, startsOn } = found!;
  const percent = classRulesOf(classes)[ofClass].holdoutPercent;
  if (percent === 0) return undefined;
  const period = { class: ofClass, startsOn, percent };
  // The row is read only for the few whose number is drawn.
  return sql`case when ${isHeldOut(siteId, period, sql`opening.id`)} then exists (select from (
      select s.created_at from subscribers s where s.site_id = ${siteId} and s.id = opening.id offset 0) s
    where ${subscribedBefore(period)}) else false end`;
}
