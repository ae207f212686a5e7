import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import type { Subscription } from "./subscription.ts";

/**
 * A subscription that its push service has refused in so many runs in a row is left out, until the browser confirms it,
 * or an import brings it again.
 */
const refusedRunsAtMost = 3;

/** The condition on a subscriber `s` that a message may reach it at all. */
export const isReachable = sql.raw(`s.refused_runs < ${refusedRunsAtMost}`);

/**
 * How many subscribers of a site can be reached; test subscribers are no audience. Counted at most to `limit`; with
 * `maxSubscriberId` those who were there by then.
 */
export async function countSubscribers(
  on: Executor,
  siteId: string,
  topicIds: string[],
  limit: number,
  maxSubscriberId?: number,
): Promise<number> {
  const asOfThen = maxSubscriberId === undefined ? sql`true` : sql`s.id <= ${maxSubscriberId}`;
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from (
      select 1 from subscribers s where s.site_id = ${siteId} and not s.is_test and ${isReachable} and ${asOfThen}
        and ${hasTopic(topicIds)} limit ${limit}) audience`,
    on,
  );
  return counted!.n;
}

/** Whether a site has anybody at all: readers who can be reached or not, and test devices. */
export async function hasSubscribers(on: Executor, siteId: string): Promise<boolean> {
  const found = await row(
    sql<{ found: boolean }>`select exists (select from subscribers where site_id = ${siteId}) as found`,
    on,
  );
  return found!.found;
}

/** Those of `ids` who are subscribed to the site. */
export async function subscribersAmong(on: Executor, siteId: string, ids: number[]): Promise<Set<number>> {
  const found = await rows(
    sql<{ id: number }>`select id from subscribers where site_id = ${siteId} and id = any(${ids}::bigint[])`,
    on,
  );
  return new Set(found.map(({ id }) => id));
}

/** The condition on a subscriber `s` that a topic filter means: any of them, and `[]` is everybody. */
export function hasTopic(topicIds: string[]) {
  if (topicIds.length === 0) return sql`true`;
  return sql`exists (select from subscriber_topics t where t.site_id = s.site_id and t.subscriber_id = s.id
    and t.topic_id = any(${topicIds}::uuid[]))`;
}

/** The ids of the site's topics, lower case. */
export async function topicIdsOfSite(on: Executor, siteId: string): Promise<Set<string>> {
  const topics = await rows(
    sql<{ id: string }>`select id from topics where site_id = ${siteId} and retired_at is null`,
    on,
  );
  return new Set(topics.map((topic) => topic.id));
}

/** The highest subscriber id of the site so far, 0 where there is none: whoever comes later is no audience of a send. */
export async function lastSubscriberId(on: Executor, siteId: string): Promise<number> {
  const last = await row(
    sql<{
      id: number;
    }>`select coalesce((select id from subscribers where site_id = ${siteId} order by id desc limit 1), 0) as id`,
    on,
  );
  return last!.id;
}

/** What delivery needs of a subscriber. `refusedRuns`: runs in a row that it was refused in. */
export type Subscriber = {
  id: number;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  refusedRuns: number;
};

/** A subscriber in a batch. `position`: its place there. */
export type Recipient = Subscriber & { position: number };

/**
 * Removes subscribers whose push service says that they are gone. Only where the endpoint is still the one that was
 * posted: a browser that has subscribed anew meanwhile stays.
 */
export async function deleteGoneSubscribers(
  on: Executor,
  siteId: string,
  gone: { id: number; endpoint: string }[],
): Promise<void> {
  await sql`delete from subscribers s
    using unnest(${gone.map(({ id }) => id)}::bigint[], ${gone.map(({ endpoint }) => endpoint)}::text[]) as gone (id, endpoint)
    where s.site_id = ${siteId} and s.id = gone.id and s.endpoint = gone.endpoint`.execute(on);
}

/** Their push service refused them (401, 403) while it takes others: once more in a row. */
export async function countRefusals(on: Executor, siteId: string, ids: number[]): Promise<void> {
  await sql`update subscribers set refused_runs = least(refused_runs + 1, 1000)
    where site_id = ${siteId} and id = any(${ids}::bigint[])`.execute(on);
}

/** Their push service has taken a message again. */
export async function clearRefusals(on: Executor, siteId: string, ids: number[]): Promise<void> {
  await sql`update subscribers set refused_runs = 0
    where site_id = ${siteId} and id = any(${ids}::bigint[])`.execute(on);
}

/**
 * Stores a browser's subscription in one statement, or confirms the one that is there: who was left out is reachable again.
 * Where it `replaces` an earlier one, that becomes this one and stays the same subscriber, whom a run that goes out just
 * now still reaches; if both are there, the one that came first stays, with what either had. Undefined: the endpoint is
 * there with other keys. `topicIds` null: the choice stays.
 * Two requests of one browser at once meet at the unique index: each finds the other's row, but for one that replaces
 * while the other stores, which fails with PostgreSQL's 23505 and may be done again.
 */
export async function upsertSubscriber(
  on: Executor,
  siteId: string,
  { endpoint, endpointHash, p256dh, auth, lane }: Subscription,
  change: {
    topicIds: string[] | null;
    replaces: { endpointHash: Buffer; auth: Buffer } | null;
    label: string | null;
  },
): Promise<{ isNew: boolean; topicIds: string[]; isTest: boolean; label: string | null } | undefined> {
  const { topicIds, replaces, label } = change;
  return row(
    sql<{ isNew: boolean; topicIds: string[]; isTest: boolean; label: string | null }>`with earlier as (
        select id, is_test, label from subscribers
        where site_id = ${siteId} and endpoint_hash = ${replaces?.endpointHash ?? null}
          and auth = ${replaces?.auth ?? null} and endpoint_hash <> ${endpointHash}
        for update),
      there as (
        select id, is_test, label, p256dh = ${p256dh} and auth = ${auth} as is_same from subscribers
        where site_id = ${siteId} and endpoint_hash = ${endpointHash} and exists (select from earlier)
        for update),
      merged as (
        select least(earlier.id, there.id) as id, there.id is null as is_new,
          case when there.id is not null then greatest(earlier.id, there.id) end as doubled_id,
          earlier.is_test or coalesce(there.is_test, false) as is_test, coalesce(earlier.label, there.label) as label
        from earlier left join there on true where there.is_same is not false),
      doubled as (
        delete from subscribers s using merged where s.site_id = ${siteId} and s.id = merged.doubled_id returning s.id),
      renewed as (
        update subscribers s set endpoint = ${endpoint}, endpoint_hash = ${endpointHash}, p256dh = ${p256dh}, auth = ${auth},
          lane = ${lane}, refused_runs = 0, confirmed_at = now(),
          is_test = ${label}::text is not null or merged.is_test, label = coalesce(${label}, merged.label)
        from merged where s.site_id = ${siteId} and s.id = merged.id
          -- First the other one has to go: no two rows may have the endpoint, not for a moment.
          and (merged.doubled_id is null or exists (select from doubled))
        returning s.id, s.is_test, s.label, merged.is_new),
      inserted as (
        insert into subscribers as s (site_id, endpoint, endpoint_hash, p256dh, auth, lane, is_test, label)
        select ${siteId}, ${endpoint}, ${endpointHash}, ${p256dh}, ${auth}, ${lane}, ${label}::text is not null, ${label}
        where not exists (select from renewed)
        on conflict (site_id, endpoint_hash) do update
          set confirmed_at = now(), refused_runs = 0, is_test = s.is_test or excluded.is_test,
            label = coalesce(excluded.label, s.label)
          where s.p256dh = excluded.p256dh and s.auth = excluded.auth
        returning id, is_test, label, (xmax = 0) as is_new),
      stored as (select * from renewed union all select * from inserted),
      chosen as (
        select distinct t.id from topics t
        where t.site_id = ${siteId} and t.retired_at is null and case when ${topicIds}::uuid[] is not null
          then t.id = any(${topicIds})
          else exists (select from subscriber_topics st where st.site_id = t.site_id and st.topic_id = t.id
            and st.subscriber_id in (select id from doubled union all select id from stored)) end),
      dropped as (
        delete from subscriber_topics st using stored
        where st.site_id = ${siteId} and st.subscriber_id = stored.id and st.topic_id <> all(${topicIds}::uuid[])),
      added as (
        insert into subscriber_topics (site_id, topic_id, subscriber_id)
        select ${siteId}, chosen.id, stored.id from chosen cross join stored on conflict do nothing)
      select is_new as "isNew", is_test as "isTest", label,
        array(select id::text from chosen order by id) as "topicIds" from stored`,
    on,
  );
}

/** Removes a subscription whose secret is `auth`. Returns whether there was one. */
export async function deleteSubscriber(
  on: Executor,
  siteId: string,
  endpointHash: Buffer,
  auth: Buffer,
): Promise<boolean> {
  const removed = await row(
    sql`delete from subscribers where site_id = ${siteId} and endpoint_hash = ${endpointHash} and auth = ${auth}
      returning id`,
    on,
  );
  return removed !== undefined;
}

/** Removes a test subscriber by its id. Returns whether there was one. */
export async function deleteTestSubscriber(on: Executor, siteId: string, id: number): Promise<boolean> {
  const removed = await row(
    sql`delete from subscribers where site_id = ${siteId} and id = ${id} and is_test returning id`,
    on,
  );
  return removed !== undefined;
}

/**
 * Removes what is dormant of the next `pageSize` subscribers behind `after`, of one site; all of a removed one. Returns where it stopped;
 * `siteId` null behind the last one. A confirmation that comes meanwhile saves its row: the delete looks again.
 */
export async function deleteDormantPage(
  on: Executor,
  after: { siteId: string | null; id: number },
  pageSize: number,
): Promise<{ siteId: string | null; lastId: number; removed: number }> {
  const page = await row(
    sql<{ siteId: string | null; lastId: number | null; size: number; removed: number }>`with site as materialized (
        select id, case when removed_at is null then dormant_months else 0 end as months, case when id = ${after.siteId}::uuid then ${after.id} else 0 end as behind
        from sites where (${after.siteId}::uuid is null or id >= ${after.siteId})
          and (dormant_months is not null or removed_at is not null)
        order by id limit 1),
      page as materialized (
        select id from subscribers where site_id = (select id from site) and id > (select behind from site)
        order by id limit ${pageSize}),
      gone as (
        delete from subscribers where site_id = (select id from site)
          and id > (select behind from site) and id <= (select max(id) from page)
          and confirmed_at < now() - make_interval(months => (select months from site))
        returning id)
      select (select id from site) as "siteId", (select max(id) from page) as "lastId",
        (select count(*) from page) as size, (select count(*) from gone) as removed`,
    on,
  );
  const { siteId, lastId, size, removed } = page!;
  if (siteId === null || size === pageSize) return { siteId, lastId: lastId ?? 0, removed };
  return { siteId: await siteBehind(on, siteId), lastId: 0, removed };
}

async function siteBehind(on: Executor, siteId: string): Promise<string | null> {
  const next = await row(sql<{ id: string }>`select id from sites where id > ${siteId} order by id limit 1`, on);
  return next?.id ?? null;
}

/** Statements of the import, which runs on a connection of its own because COPY is no query. */
export const importStatements = {
  stage: `create temp table import_lines (line bigint, endpoint text, endpoint_hash bytea, p256dh bytea, auth bytea,
    lane text, topic_ids uuid[]) on commit delete rows`,
  copy: "copy import_lines from stdin",
  /**
   * $1 site, $2 test label or null. The last of several lines of one endpoint counts; what is the same stays untouched, but
   * for who was refused: he is reachable again. A reader whom a label would take out of the audience stays as he is.
   */
  merge: `with lines as (
      select distinct on (endpoint_hash) * from import_lines order by endpoint_hash, line desc),
    merged as (
      insert into subscribers as s (site_id, endpoint, endpoint_hash, p256dh, auth, lane, is_test, label)
      select $1, endpoint, endpoint_hash, p256dh, auth, lane, $2::text is not null, $2 from lines order by line
      on conflict (site_id, endpoint_hash) do update
        set p256dh = excluded.p256dh, auth = excluded.auth,
          label = coalesce(excluded.label, s.label), confirmed_at = now(), refused_runs = 0
        where (s.is_test or not excluded.is_test)
          and ((s.p256dh, s.auth) is distinct from (excluded.p256dh, excluded.auth) or s.refused_runs > 0
            or (excluded.is_test and s.label is distinct from excluded.label))
      returning (xmax = 0) as added)
    select count(*) filter (where added)::int as added, count(*) filter (where not added)::int as changed from merged`,
  /** $1 site. After a merge with a label: those readers, whoever has come meanwhile among them. Their lines end here. */
  dropReaders: `delete from import_lines l using subscribers s
    where s.site_id = $1 and s.endpoint_hash = l.endpoint_hash and not s.is_test returning l.line::int`,
  /** $1 site. Topics are added, never taken away: a reader's own choice is not undone by a file. */
  mergeTopics: `insert into subscriber_topics (site_id, topic_id, subscriber_id)
    select distinct $1::uuid, topic.id, s.id from import_lines l
      cross join lateral unnest(l.topic_ids) as topic (id)
      join subscribers s on s.site_id = $1 and s.endpoint_hash = l.endpoint_hash
    on conflict do nothing`,
};
