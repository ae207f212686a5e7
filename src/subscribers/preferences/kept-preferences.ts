import { sql } from "kysely";
import type { Executor } from "../../db/pool.ts";

/**
 * SQL: the preferences and muted stories of a row `d` (site_id, id) that is being deleted, as one value. Null: there
 * are none.
 */
export const keptPreferences = sql.raw(`(
  select to_jsonb(p) || jsonb_build_object('muted', coalesce((
      select jsonb_agg(jsonb_build_object('story', encode(m.story, 'hex'), 'title', m.title, 'muted_at', m.muted_at))
      from muted_stories m where m.site_id = d.site_id and m.subscriber_id = d.id), '[]'))
  from reader_preferences p where p.site_id = d.site_id and p.subscriber_id = d.id)`);

/**
 * Restores what a reader who is back had asked for, from the value of `keptPreferences`. Headlines for a digest do not
 * come back.
 */
export async function restorePreferences(
  on: Executor,
  siteId: string,
  endpointHash: Buffer,
  kept: object,
): Promise<void> {
  await sql`with reader as (select id from subscribers where site_id = ${siteId} and endpoint_hash = ${endpointHash}),
      asked as (
        insert into reader_preferences (site_id, subscriber_id, max_a_day, quiet_from, quiet_until, digest_at, breaking,
          time_zone, used_on, used)
        select ${siteId}, reader.id, k.max_a_day, k.quiet_from, k.quiet_until, k.digest_at, k.breaking, k.time_zone,
          k.used_on, k.used
        from reader cross join jsonb_to_record(${JSON.stringify(kept)}::jsonb) as k (max_a_day smallint, quiet_from smallint,
          quiet_until smallint, digest_at smallint, breaking boolean, time_zone text, used_on date, used smallint)
        on conflict do nothing)
    insert into muted_stories (site_id, story, subscriber_id, title, muted_at)
    select ${siteId}, decode(m.story, 'hex'), reader.id, m.title, m.muted_at
    from reader cross join jsonb_to_recordset(${JSON.stringify(kept)}::jsonb->'muted')
      as m (story text, title text, muted_at timestamptz)
    on conflict do nothing`.execute(on);
}
