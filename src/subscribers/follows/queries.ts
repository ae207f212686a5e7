import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { type Follow, followDays } from "./follow.ts";

/**
 * SQL condition: subscriber `s` of the site follows the id. It is a list of ids, so that PostgreSQL looks up the
 * followers by their keys, however many readers the site has.
 */
export function isFollowerOf(siteId: string, key: string): RawBuilder<unknown> {
  return sql`s.id = any(array(select f.subscriber_id from follows f where f.site_id = ${siteId} and f.key = ${key}))`;
}

/** Returns what a subscriber follows, the latest first. */
export function followsOf(on: Executor, siteId: string, subscriberId: number): Promise<Follow[]> {
  return rows(
    sql<Follow>`select key, label from follows where site_id = ${siteId} and subscriber_id = ${subscriberId}
      order by followed_at desc, key`,
    on,
  );
}

/** Locks what one subscriber follows until the transaction ends, so that changes wait for each other. */
export async function lockFollows(tx: Tx, siteId: string, subscriberId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`follows ${siteId} ${subscriberId}`}, 0))`.execute(tx);
}

export async function insertFollow(
  tx: Tx,
  siteId: string,
  subscriberId: number,
  { key, label }: Follow,
): Promise<void> {
  await sql`insert into follows (site_id, key, subscriber_id, label)
    values (${siteId}, ${key}, ${subscriberId}, ${label})
    on conflict (site_id, key, subscriber_id) do update set label = excluded.label, followed_at = now()`.execute(tx);
}

export async function deleteFollow(on: Executor, siteId: string, subscriberId: number, key: string): Promise<void> {
  await sql`delete from follows
    where site_id = ${siteId} and key = ${key} and subscriber_id = ${subscriberId}`.execute(on);
}

/** Deletes at most `limit` followers of an id. Returns how many it deleted. */
export async function deleteFollowers(on: Executor, siteId: string, key: string, limit: number): Promise<number> {
  const deleted = await row(
    sql<{ n: number }>`with deleted as (
        delete from follows where site_id = ${siteId} and key = ${key} and subscriber_id in (
          select subscriber_id from follows where site_id = ${siteId} and key = ${key}
          order by subscriber_id limit ${limit})
        returning 1)
      select count(*) as n from deleted`,
    on,
  );
  return deleted!.n;
}

/** Returns whether a campaign to the followers of an id is scheduled, about to start, or not completely planned. */
export async function isKeyAwaited(on: Executor, siteId: string, key: string): Promise<boolean> {
  const found = await row(
    sql`select from campaigns c where c.site_id = ${siteId} and c.followers_of = ${key} and (
        c.status = 'draft' and exists (select from planned_sends p where p.campaign_id = c.id and p.status = 'waiting'
          and (p.waits_for = 'time' or p.campaign_revision = c.revision)
          and (p.expires_at is null or p.expires_at > now()))
        or exists (select from runs r where r.site_id = c.site_id and r.campaign_id = c.id and r.planned_at is null
          and r.finished_at is null))
      limit 1`,
    on,
  );
  return found !== undefined;
}

/**
 * Deletes follows that are older than `followDays`, if nothing was sent to the followers of their id in that time.
 * Looks at the next `limit` old follows after the position `at`, by age. Returns how many it deleted and the next
 * position, or null after the last.
 */
export async function deleteOldFollows(
  on: Executor,
  at: string | null,
  limit: number,
): Promise<{ removed: number; at: string | null }> {
  const [since, site, key, reader] = at === null ? ["-infinity", null, "", 0] : (JSON.parse(at) as unknown[]);
  const after = sql`(${since}::timestamptz, coalesce(${site}::uuid, '00000000-0000-0000-0000-000000000000'), ${key}::text, ${reader}::bigint)`;
  const swept = await row(
    sql<{ removed: number; looked: number; last: unknown[] | null }>`with old as materialized (
        select site_id, key, subscriber_id, followed_at from follows
        where followed_at < now() - make_interval(days => ${followDays}) and followed_at >= ${since}::timestamptz
          and (followed_at, site_id, key, subscriber_id) > ${after}
        order by followed_at, site_id, key, subscriber_id limit ${limit}),
      silent as materialized (select site_id, key from (select distinct site_id, key from old) named
        where not exists (select from campaigns c join runs r on r.site_id = c.site_id and r.campaign_id = c.id
          where c.site_id = named.site_id and c.followers_of = named.key
            and r.created_at > now() - make_interval(days => ${followDays}))),
      deleted as (delete from follows f using old, silent
        where silent.site_id = old.site_id and silent.key = old.key
          and f.site_id = old.site_id and f.key = old.key and f.subscriber_id = old.subscriber_id
        returning 1)
      select (select count(*) from deleted) as removed, (select count(*) from old) as looked,
        (select jsonb_build_array(followed_at, site_id, key, subscriber_id) from old
          order by followed_at desc, site_id desc, key desc, subscriber_id desc limit 1) as last`,
    on,
  );
  const { removed, looked, last } = swept!;
  return { removed, at: looked === limit ? JSON.stringify(last) : null };
}
