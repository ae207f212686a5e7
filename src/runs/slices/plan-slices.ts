import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/pool.ts";
import { zonesIn } from "../../subscribers/zone-queries.ts";
import { type ReaderHour, sliceOfZone } from "./slices.ts";

type PlannedRun = {
  siteId: string;
  runId: string;
  readerHour: ReaderHour | null;
  /** Of the site. */
  timeZone: string;
  dueAt: Date;
  ttlSeconds: number;
};

/**
 * SQL of a page that is planned. `zone`: the zone of subscriber `s`. `slice`: a common table expression (zone, at, utc_offset),
 * empty for a run without slices. `written`: one that stores the slices of `recipient`.
 */
type SlicePlan = { zone: RawBuilder<unknown>; slice: RawBuilder<unknown>; written: RawBuilder<unknown> };

const noSlices: SlicePlan = {
  zone: sql`null::text`,
  slice: sql`slice as (select null::text as zone, null::timestamptz as at, null::int as utc_offset where false)`,
  written: sql`slices as (select)`,
};

/** SQL: the zone that the browser of subscriber `s` has named, or else where they have asked for quiet hours; else ''. */
const zoneOfSubscriber = sql`coalesce(s.time_zone, (select p.time_zone from reader_preferences p
  where p.site_id = s.site_id and p.subscriber_id = s.id), '')`;

/**
 * Reckons when the readers of a run are nudged, by the zones of the site's readers. The time is reckoned here: a zone that
 * the database does not know would fail the planning of the whole site. The slice of '' is that of the site's hour.
 */
export async function planSlices(tx: Tx, run: PlannedRun): Promise<SlicePlan> {
  const { siteId, runId, readerHour, timeZone, dueAt, ttlSeconds } = run;
  if (readerHour === null) return noSlices;
  const named = [...(await zonesIn(tx, "subscribers", siteId)), ...(await zonesIn(tx, "reader_preferences", siteId))];
  const slices = [...new Set(["", ...named])].map((zone) => sliceOfZone(readerHour, zone, timeZone, dueAt.getTime()));
  return {
    zone: zoneOfSubscriber,
    slice: sql`slice as (
        select * from unnest(${slices.map(({ zone }) => zone)}::text[], ${slices.map(({ at }) => at)}::timestamptz[],
          ${slices.map(({ utcOffset }) => utcOffset)}::int[]) as slice (zone, at, utc_offset))`,
    // A later page adds to a slice that was released: what it adds waits until the next look.
    written: sql`slices as (
        insert into run_slices (site_id, run_id, at, utc_offset, readers, expires_at)
        select ${siteId}, ${runId}, slice_at, min(utc_offset), count(*),
          slice_at + make_interval(secs => ${ttlSeconds})
        from recipient group by slice_at
        on conflict (site_id, run_id, at) do update set readers = run_slices.readers + excluded.readers,
          released_at = null, ended_at = null)`,
  };
}
