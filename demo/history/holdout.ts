import { sql } from "kysely";
import { rows, type Tx } from "../../src/db/pool.ts";
import {
  type HoldoutPeriod,
  isHeldOut,
  periodDays,
  periodOf,
  settledDays,
  subscribedBefore,
} from "../../src/runs/holdout.ts";
import { today } from "../../src/subscribers/seen-queries.ts";

/** The readers to whom the newspaper sends nothing of less importance, to see what that wins. In percent. */
export const holdoutPercent = 10;

/**
 * Counts, for each day since the import at `startMs`, the readers who get what matters less and those who do not: of
 * 1,000, 97 and 75 come, and 7 and 5 leave in four weeks.
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
    from (select count(*) filter (where is_held_out) as held_out, count(*) filter (where not is_held_out) as others
        from (select ${isHeldOut(siteId, period, sql`s.id`)} as is_held_out from subscribers s
          where s.site_id = ${siteId} and not s.is_test and ${subscribedBefore(period)}) reader) readers
      cross join generate_series(0, least(${last}, ${today} - 1 - ${period.startsOn}::date)) as age`.execute(tx);
}
