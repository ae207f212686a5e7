import { type RawBuilder, sql } from "kysely";
import { isOfAudience } from "../subscribers/audience.ts";
import { isReachable } from "../subscribers/queries.ts";
import { type FrozenSegment, type RunOfReaders, runOfLists } from "../subscribers/segments/segment.ts";
import type { RunKind } from "./run.ts";

/**
 * The audience of a run that is being planned. `cursor`: the number of the last subscriber of a page; where the readers
 * are those of an earlier run's lists, the number of the last list.
 */
export type UnplannedAudience = {
  siteId: string;
  runId: string;
  kind: RunKind;
  topicIds: string[];
  /** Null: all readers. */
  segment: FrozenSegment | null;
  cursor: number;
  maxSubscriberId: number;
};

/**
 * SQL of a page. `lists`: a common table expression (no) before `page`, the lists that it reads; empty where it reads none.
 * `readers`: from subscribers `s` on. `cursor` and `isLast` follow `page`: up to where it went, and whether none are left.
 */
export type NextReaders = {
  lists: RawBuilder<unknown>;
  readers: RawBuilder<unknown>;
  cursor: RawBuilder<unknown>;
  isLast: RawBuilder<unknown>;
};

/** Lists of a page, at most: with few readers in each a page has fewer of them. */
const listsAtMost = 200;

/**
 * The next `limit` subscribers that are in no batch yet, paged by key, never by OFFSET. Those of an earlier run are paged
 * by its lists, each of which is read once, until they have `limit` readers: by subscriber each page would read all of them.
 */
export function nextReaders(audience: UnplannedAudience, limit: number): NextReaders {
  const from = runOfLists(audience.segment);
  return from === undefined ? nextSubscribers(audience, limit) : nextOfLists(audience, from, limit);
}

function nextSubscribers(audience: UnplannedAudience, limit: number): NextReaders {
  return {
    lists: sql``,
    readers: sql`from subscribers s where ${isUnplanned(audience)} order by s.id limit ${limit}`,
    cursor: sql`(select coalesce(max(id), 0) from page)`,
    isLast: sql`(select count(*) < ${limit} from page)`,
  };
}

function nextOfLists(audience: UnplannedAudience, from: RunOfReaders, limit: number): NextReaders {
  const left = sql`from run_batches where site_id = ${from.siteId} and run_id = ${from.runId}
    and no > ${audience.cursor}`;
  return {
    lists: sql`lists as materialized (
      select no from (select no, size, sum(size) over (order by no) as total
        from (select no, size ${left} order by no limit ${listsAtMost}) next) summed
      where total - size < ${limit}),`,
    // "offset 0", so that each list is looked up by its key: where PostgreSQL expects few lists of a run it would read them all.
    readers: sql`from lists cross join lateral (select subscriber_ids from run_recipients r
        where r.site_id = ${from.siteId} and r.run_id = ${from.runId} and r.no = lists.no offset 0) list
      cross join lateral unnest(list.subscriber_ids) as one (id)
      join subscribers s on s.site_id = ${audience.siteId} and s.id = one.id
      where ${isMeant(audience)}`,
    cursor: sql`(select coalesce(max(no), ${audience.cursor}) from lists)`,
    isLast: sql`(not exists (select ${left} and no > (select coalesce(max(no), 0) from lists)))`,
  };
}

/** SQL: the subscribers that are in no batch yet, from subscribers `s` on. */
export function unplannedReaders(audience: UnplannedAudience): RawBuilder<unknown> {
  const from = runOfLists(audience.segment);
  if (from === undefined) return sql`from subscribers s where ${isUnplanned(audience)}`;
  return sql`from subscribers s where s.site_id = ${audience.siteId} and ${isMeant(audience)} and s.id in (
    select one.id from run_recipients r cross join lateral unnest(r.subscriber_ids) as one (id)
    where r.site_id = ${from.siteId} and r.run_id = ${from.runId} and r.no > ${audience.cursor})`;
}

/** The condition that a subscriber `s` is in the audience, which is paged by subscriber, and in no batch yet. */
function isUnplanned(audience: UnplannedAudience) {
  return sql`s.site_id = ${audience.siteId} and s.id > ${audience.cursor} and ${isMeant(audience)}
    and ${isOfAudience(audience)}`;
}

/** The condition that a subscriber `s` is one to which a run of this kind goes. */
function isMeant({ siteId, runId, kind, maxSubscriberId }: UnplannedAudience) {
  const isOfKind = {
    test: sql`s.is_test`,
    live: sql`not s.is_test and ${isReachable}`,
    update: sql`not s.is_test and ${isReachable}`,
    digest: sql`not s.is_test and ${isReachable} and s.id in (select p.subscriber_id from reader_preferences p
      where p.site_id = ${siteId} and p.digest_run_id = ${runId})`,
    welcome: sql`not s.is_test and ${isReachable} and s.id in (select w.subscriber_id from welcome_due w
      where w.site_id = ${siteId} and w.run_id = ${runId})`,
  }[kind];
  return sql`s.id <= ${maxSubscriberId} and ${isOfKind}`;
}
