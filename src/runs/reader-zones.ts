import { sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { isTimeZone, localDay, localTimeOf, minutesOf } from "../local-time.ts";
import { zonesIn } from "../subscribers/zone-queries.ts";

/** The time zones in a site's preferences, with the day and the minute of the day in each. */
export type ReaderZones = { names: string[]; days: string[]; minutes: number[] };

/**
 * Returns the time zones in a site's preferences, with the local time in each by the database's clock. It is empty if
 * no reader has preferences, so that planning then costs nothing more. Node.js computes the local times, because a
 * zone that the database does not know would fail the planning of the whole site. A zone that Node.js does not know
 * counts as UTC.
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

/** Returns SQL: a common table expression `zones` (name, day, minute). */
export const zonesTable = ({ names, days, minutes }: ReaderZones) => sql`zones as (
        select * from unnest(${names}::text[], ${days}::date[], ${minutes}::int[]) as zone (name, day, minute))`;

/**
 * Returns SQL: a lateral table `z` (day, minute), the local time in the zone of reader `p`; no row if the zone is not
 * among `zones`. It finds the zone by its position in arrays. A join with `zones` would compare each reader of a page
 * with each zone if PostgreSQL expects one reader.
 */
export const zoneOfReader = ({ names, days, minutes }: ReaderZones) => sql`lateral (
        select (${days}::date[])[at] as day, (${minutes}::int[])[at] as minute
        from (select array_position(${names}::text[], p.time_zone) as at) place where at is not null) z`;

/** SQL condition: the reader `p` has quiet hours now, in the zone `z`. Null if the reader has no quiet hours. */
export const isQuiet =
  sql.raw(`case when p.quiet_from < p.quiet_until then z.minute >= p.quiet_from and z.minute < p.quiet_until
              else z.minute >= p.quiet_from or z.minute < p.quiet_until end`);
