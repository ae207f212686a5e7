import { sql } from "kysely";
import { rows, type Tx } from "../../src/db/pool.ts";
import {
  type HoldoutPeriod,
  isDrawn,
  periodDays,
  periodOf,
  settledDays,
  subscribedBefore,
} from "../../src/runs/holdout.ts";
import { today } from "../../src/subscribers/seen-queries.ts";

/** The share of readers who get no notification of the class `low`, in percent. */
export const holdoutPercent = 10;

/**
 * Writes the counts of each day since `startMs` (ms since 1970). Of 1,000 readers who get the class `low`, 97 come in
 * a day and 7 leave in four weeks. Of 1,000 who do not get it, 75 come and 5 leave.
 */
export async function writeHoldout(tx: Tx, { siteId, startMs }: { siteId: string; startMs: number }): Promise<void> {
  const periods = await rows(
    sql<{ startsOn: string }>`select distinct to_char(${periodOf(sql`day`)}, 'YYYY-MM-DD') as "startsOn"
      from (select ${today} - n as day from generate_series(1, 100) n) past
      where ${periodOf(sql`day`)} > ${new Date(startMs)}::timestamptz`,
    tx,
  );
  for (const { startsOn } of periods)
    await writePeriod(tx, siteId, { class: "low", startsOn, percent: holdoutPercent });
}

async function writePeriod(tx: Tx, siteId: string, period: HoldoutPeriod): Promise<void> {
  const last = sql.lit(periodDays + settledDays - 1);
  const atAge = (readers: string, left: number) =>
    sql`round(${sql.ref(readers)} * (1 + ${sql.lit(left)} * (${last} - age) / ${last}))`;
  const heldOut = atAge("held_out", 0.005);
  const others = atAge("others", 0.007);
  await sql`insert into holdout_days (site_id, class, starts_on, percent, day,
      held_readers, held_came, other_readers, other_came)
    select ${siteId}, ${period.class}, ${period.startsOn}::date, ${period.percent}, ${period.startsOn}::date + age,
      ${heldOut}, ${heldOut} * 0.075, ${others}, ${others} * 0.097
    from (select count(*) filter (where is_drawn) as held_out, count(*) filter (where not is_drawn) as others
        from (select ${isDrawn(siteId, period, sql`s.id`)} as is_drawn from subscribers s
          where s.site_id = ${siteId} and not s.is_test and ${subscribedBefore(period)}) reader) readers
      cross join generate_series(0, least(${last}, ${today} - 1 - ${period.startsOn}::date)) as age`.execute(tx);
}
