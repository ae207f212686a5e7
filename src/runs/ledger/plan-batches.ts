import { type RawBuilder, sql } from "kysely";
import { row, type Tx } from "../../db/pool.ts";
import { lastRank } from "../../subscribers/seen-queries.ts";
import type { RunRef } from "../queries.ts";
import { codeCount, sameCodes } from "./code-counts.ts";
import { pendingCode } from "./codes.ts";

/** The most recipients of a batch. */
export const batchSize = 1_000;

/**
 * The message and the wave of the recipients with a certain key. `wave`: null if they get the message immediately.
 * `opensAt`: null if an event opens the wave. `ttlSeconds`: null if the wave has no time to live of its own.
 */
export type Assignment = {
  key: string;
  messageNo: number;
  wave: { no: number; opensAt: Date | null; utcOffset: number | null; ttlSeconds: number | null } | null;
};

/**
 * The waves of a page. `key`: SQL over subscriber `s` that returns the key of an assignment. Undefined: all get
 * message 0 immediately.
 */
export type PlannedWaves = { key: RawBuilder<unknown>; assignments: Assignment[] } | undefined;

/**
 * The SQL that reads the readers of a page.
 * - `lists`: a common table expression (no) before `page`, with the batches whose recipients it reads; empty if it
 *   reads none.
 * - `readers`: from subscribers `s` to the end.
 * - `hasInteracted`: whether the reader has clicked or closed the message of the earlier run that the page reads.
 * - `cursor` and `isLast`: the end of the page, and whether no readers are left. They follow `page`.
 */
export type NextReaders = {
  lists: RawBuilder<unknown>;
  readers: RawBuilder<unknown>;
  hasInteracted: RawBuilder<unknown>;
  cursor: RawBuilder<unknown>;
  isLast: RawBuilder<unknown>;
};

/**
 * The SQL that suppresses readers.
 * - `check`: a lateral table `checked` that follows readers `opening` (id, push_service, waits, has_interacted). Its
 *   `code` is the final code of a reader, or null if the reader gets the message or waits for a wave.
 * - `columns`: more columns of `checked`, which `recipient` has for each reader.
 * - `effects`: common table expressions after `recipient`.
 */
export type Suppressed = { check: RawBuilder<unknown>; columns: RawBuilder<unknown>; effects: RawBuilder<unknown> };

/** The SQL from which a page is planned. `rank`: SQL over subscriber `s`. */
export type PagePlan = {
  readers: NextReaders;
  rank: RawBuilder<unknown>;
  waves: PlannedWaves;
  suppressed: Suppressed | undefined;
};

/**
 * A written page. `cursor`: the start of the next page. `isLast`: there is no next page. `recipients`: the recipients
 * in its batches, without suppressed ones.
 */
export type Page = { cursor: number; isLast: boolean; batches: number; recipients: number; pushServices: string[] };

/**
 * Writes the next page of a run's audience, one row per batch. No subscriber passes through this process. The
 * recipients of a batch share push service, rank, message and wave. Their browsers all report displays, or none of
 * them does. Pages follow the subscriber number, which never changes. Claims follow the rank (docs/decisions/0018).
 * Suppressed recipients have their own batches, which are done immediately. The batches of a wave wait until it
 * opens. Recipients are grouped by hash, then each group is sorted and divided. With waves, sorting all recipients by
 * group takes half as much time again (0.42 instead of 0.28 s of CPU for 100,000 readers in twelve zones).
 */
export async function planBatches(
  tx: Tx,
  { siteId, runId, plannedBatches }: RunRef & { plannedBatches: number },
  { readers, rank, waves, suppressed }: PagePlan,
): Promise<Page> {
  const size = sql`size`;
  const page = await row(
    sql<Page>`
      with ${readers.lists} page as materialized (
        select s.id, s.push_service, s.reports_displays as reports, ${rank} as rank, ${readers.hasInteracted} as has_interacted,
          ${waves?.key ?? sql`null::text`} as key
        ${readers.readers}),
      opening as (${placed(waves)}),
      recipient as (
        select opening.id, opening.push_service, case when checked.code is null then opening.wave_no end as wave_no,
          checked.code,
          checked.code is not null or opening.reports as reports,
          case when checked.code is null then opening.rank else ${sql.lit(lastRank)} end as rank,
          case when checked.code is null then opening.message_no else 0 end as message_no ${suppressed?.columns ?? sql``}
        from opening ${suppressed?.check ?? sql`cross join (select null::int as code) checked`}),
      grouped as (
        select wave_no, code, message_no, rank, push_service, reports, array_agg(id) as found
        from recipient group by wave_no, code, message_no, rank, push_service, reports),
      parts as (
        select wave_no, code, message_no, rank, push_service, reports, part,
          sorted.ids[part * ${batchSize} + 1 : (part + 1) * ${batchSize}] as ids
        from grouped
          cross join lateral (select array_agg(id order by id) as ids from unnest(found) as id) sorted
          cross join lateral generate_series(0, (cardinality(found) - 1) / ${batchSize}) as part),
      numbered as materialized (
        select ${plannedBatches} + row_number() over (order by wave_no, rank, part, push_service, reports, code, message_no) as no, push_service,
          reports, rank, code, message_no, wave_no, cardinality(ids) as size, ids
        from parts),
      batches as (
        insert into run_batches (site_id, run_id, no, push_service, reports_displays, rank, size, pending, unanswered, codes,
          message_no, wave_no, state)
        select ${siteId}, ${runId}, no, push_service, reports, rank, size, size, size, ${sameCodes(sql.lit(pendingCode), size)},
          message_no, wave_no, case when wave_no is null then 'ready' else 'waiting' end
        from numbered where code is null
        returning no),
      suppressed as (
        insert into run_batches (site_id, run_id, no, push_service, rank, size, pending, not_sent, state, codes, code_counts)
        select ${siteId}, ${runId}, no, push_service, rank, size, 0, size, 'done', ${sameCodes(sql`code`, size)},
          ${codeCount(sql`code`, size)}
        from numbered where code is not null
        returning no),
      ${writtenWaves({ siteId, runId }, waves)}
      recipients as (
        insert into run_recipients (site_id, run_id, no, subscriber_ids)
        select ${siteId}, ${runId}, no, ids from numbered)
      ${suppressed?.effects ?? sql``}
      select ${readers.cursor} as cursor, ${readers.isLast} as "isLast",
        (select count(*) from numbered) as batches,
        (select coalesce(sum(size), 0)::bigint from numbered where code is null) as recipients,
        (select coalesce(array_agg(distinct push_service), '{}') from numbered) as "pushServices"`,
    tx,
  );
  return page!;
}

/**
 * Returns SQL: the readers of the page with their message and their wave. It finds an assignment by its position in
 * an array. A join would compare each reader with each assignment if PostgreSQL expects few readers.
 */
function placed(waves: PlannedWaves): RawBuilder<unknown> {
  const reader = sql`select page.id, page.push_service, page.reports, page.rank, page.has_interacted`;
  if (waves === undefined)
    return sql`${reader}, 0::smallint as message_no, null::smallint as wave_no, false as waits from page`;
  const { assignments } = waves;
  const messages = assignments.map(({ messageNo }) => messageNo);
  const numbers = assignments.map(({ wave }) => wave?.no ?? null);
  return sql`${reader}, a.message_no, a.wave_no, a.wave_no is not null as waits
        from page cross join lateral (
          select (${messages}::smallint[])[at] as message_no, (${numbers}::smallint[])[at] as wave_no
          from (select array_position(${assignments.map(({ key }) => key)}::text[], page.key) as at offset 0) place) a`;
}

/** Returns SQL: the waves of the assignments, each once. */
function assignedWaves(assignments: Assignment[]): RawBuilder<unknown> {
  const all = assignments.flatMap(({ wave }) => wave ?? []);
  return sql`select distinct on (no) no, opens_at, utc_offset, opens_at + make_interval(secs => ttl_seconds) as expires_at
          from unnest(${all.map(({ no }) => no)}::smallint[], ${all.map(({ opensAt }) => opensAt)}::timestamptz[],
            ${all.map(({ utcOffset }) => utcOffset)}::smallint[], ${all.map(({ ttlSeconds }) => ttlSeconds)}::int[])
            as wave (no, opens_at, utc_offset, ttl_seconds)
          order by no, utc_offset`;
}

/**
 * Returns SQL: a common table expression that stores the waves. If a later page adds readers to a wave that is
 * already open, they wait until due waves are next looked for.
 */
function writtenWaves({ siteId, runId }: RunRef, waves: PlannedWaves): RawBuilder<unknown> {
  if (waves === undefined) return sql``;
  return sql`waves as (
        insert into run_waves (site_id, run_id, no, opens_at, utc_offset, expires_at, readers)
        select ${siteId}, ${runId}, r.wave_no, a.opens_at, a.utc_offset, a.expires_at, r.n
        from (select wave_no, count(*) as n from recipient where wave_no is not null group by wave_no) r
          join (${assignedWaves(waves.assignments)}) a on a.no = r.wave_no
        on conflict (site_id, run_id, no) do update set readers = run_waves.readers + excluded.readers,
          opened_at = null, ended_at = null),`;
}
