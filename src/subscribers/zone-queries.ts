import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";

/** SQL: the time zone that the browser of subscriber `s` named, or else the zone in their preferences, or else ''. */
export const zoneOfSubscriber = sql`coalesce(s.time_zone, (select p.time_zone from reader_preferences p
  where p.site_id = s.site_id and p.subscriber_id = s.id), '')`;

/**
 * Returns the time zones in a table of a site's readers, each once. `subscribers` has the zones that browsers named,
 * and `reader_preferences` the zones of readers who asked for anything. Costs one look into the index for each zone,
 * not for each reader.
 */
export async function zonesIn(
  on: Executor,
  table: "subscribers" | "reader_preferences",
  siteId: string,
): Promise<string[]> {
  const from = sql.table(table);
  const zones = await rows(
    sql<{ name: string }>`with recursive zone as (
        (select time_zone as name from ${from} where site_id = ${siteId} and time_zone is not null
          order by time_zone limit 1)
        union all
        select (select t.time_zone from ${from} t where t.site_id = ${siteId} and t.time_zone > zone.name
          order by t.time_zone limit 1) from zone where zone.name is not null)
      select name from zone where name is not null`,
    on,
  );
  return zones.map(({ name }) => name);
}
