import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { isTimeZone, localDay, localTimeOf, minutesOf } from "../local-time.ts";
import { zonesIn } from "../subscribers/zone-queries.ts";

/** The time zones of a site's readers who have asked for anything, with the day and the minute of the day in each. */
export type ReaderZones = { names: string[]; days: string[]; minutes: number[] };

/**
 * Reads the time zones of a site's preferences, with the local time in each by the database's clock. Empty where no
 * reader has asked for anything, which is what planning without preferences costs. Local times are computed here: a
 * zone that the database does not know would fail the planning of the whole site. In a zone that is not known here it
 * is the time of UTC.
 */
export async function readReaderZones(on: Executor, siteId: string): Promise<ReaderZones> {
  const { now } = (await row(sql<{ now: Date }>`select now() as now`, on))!;
  const names = await zonesIn(on, "reader_preferences", siteId);
  const known = names.map((name) => (isTimeZone(name) ? name : "UTC"));
  return {
    names,
    days: known.map((name) => localDay(name, now.getTime())),
    minutes: known.map((name) => minutesOf(localTimeOf(name, now.getTime()))),
  };
}

/** SQL: a common table expression `zones` (name, day, minute). */
export const zonesTable = ({ names, days, minutes }: ReaderZones) => sql`zones as (
        select * from unnest(${names}::text[], ${days}::date[], ${minutes}::int[]) as zone (name, day, minute))`;

/**
 * SQL: a lateral table `z` (day, minute), the local time in the zone of reader `p`; no row where the zone is not among
 * `zones`. By position in arrays: a join with `zones` compares each reader of a page with each zone where PostgreSQL
 * expects one reader.
 */
export const zoneOfReader = ({ names, days, minutes }: ReaderZones) => sql`lateral (
        select (${days}::date[])[at] as day, (${minutes}::int[])[at] as minute
        from (select array_position(${names}::text[], p.time_zone) as at) place where at is not null) z`;

/** SQL condition, null without quiet hours: in the zone `z` of reader `p` they are now. */
export const isQuiet =
  sql.raw(`case when p.quiet_from < p.quiet_until then z.minute >= p.quiet_from and z.minute < p.quiet_until
              else z.minute >= p.quiet_from or z.minute < p.quiet_until end`);
