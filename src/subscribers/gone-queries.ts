import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { isRemovedForGood } from "../tenants/sites/removal-queries.ts";
import { countLeft } from "./left-days.ts";
import { keptPreferences } from "./preferences/kept-preferences.ts";
import { noteLeft } from "./queries.ts";

/** What identifies a subscription and proves that this browser has it. */
export type Address = { endpointHash: Buffer; auth: Buffer };

/**
 * What a reader had chosen before they were gone. `label`: the label of a test device. `preferences`: the value of
 * `keptPreferences`.
 */
export type Kept = { topicIds: string[]; label: string | null; preferences: object | null };

/** SQL: what a table keeps of the secret `auth`. It is enough to recognise the secret, but useless for sending. */
const authHash = (auth: ReturnType<typeof sql>) => sql`substring(sha256(${auth}) for 16)`;

/**
 * Deletes subscribers whose push service answers that they are gone. Keeps what they chose for as long as the site
 * allows: a reader who allows notifications again gets it back. A subscriber whose endpoint has changed since the POST
 * stays, because its browser has subscribed again.
 */
export async function deleteGoneSubscribers(
  on: Executor,
  siteId: string,
  gone: { id: number; endpoint: string }[],
): Promise<void> {
  await sql`with deleted as (
      delete from subscribers s
      using unnest(${gone.map(({ id }) => id)}::bigint[], ${gone.map(({ endpoint }) => endpoint)}::text[]) as gone (id, endpoint)
      where s.site_id = ${siteId} and s.id = gone.id and s.endpoint = gone.endpoint
      returning s.site_id, s.id, s.endpoint_hash, s.auth, s.label, s.is_test),
    counted as (${countLeft("gone")})
    insert into gone_subscribers (site_id, endpoint_hash, auth_hash, topic_ids, label, preferences)
    select d.site_id, d.endpoint_hash, ${authHash(sql`d.auth`)},
      -- As it was before the delete, which takes the topics along.
      array(select t.topic_id from subscriber_topics t where t.site_id = d.site_id and t.subscriber_id = d.id), d.label,
      ${keptPreferences}
    from deleted d join sites on sites.id = d.site_id and sites.return_days is not null order by d.endpoint_hash
    on conflict (site_id, endpoint_hash) do update set auth_hash = excluded.auth_hash, topic_ids = excluded.topic_ids,
      label = excluded.label, preferences = excluded.preferences, gone_at = now()`.execute(on);
}

/**
 * Returns and deletes the records of these former subscriptions of one browser. Records that are older than the site
 * allows are deleted too, but not returned.
 */
export async function takeKept(on: Executor, siteId: string, addresses: Address[]): Promise<Kept | undefined> {
  const kept = await rows(
    sql<Kept>`delete from gone_subscribers g
      using unnest(${addresses.map(({ endpointHash }) => endpointHash.toString("hex"))}::text[],
        ${addresses.map(({ auth }) => auth.toString("hex"))}::text[]) as named (endpoint_hash, auth)
      where g.site_id = ${siteId} and g.endpoint_hash = decode(named.endpoint_hash, 'hex')
        and g.auth_hash = ${authHash(sql`decode(named.auth, 'hex')`)}
        and g.gone_at > now() - (select make_interval(days => return_days) from sites where id = ${siteId})
      returning g.topic_ids as "topicIds", g.label, g.preferences`,
    on,
  );
  if (kept.length === 0) return undefined;
  return {
    topicIds: kept.flatMap(({ topicIds }) => topicIds),
    label: kept.find(({ label }) => label)?.label ?? null,
    preferences: kept.find(({ preferences }) => preferences)?.preferences ?? null,
  };
}

/** Deletes what is kept of a subscription, if its secret was `auth`. Notes that its reader has left. */
export async function deleteKept(on: Executor, siteId: string, { endpointHash, auth }: Address): Promise<void> {
  await sql`with deleted as (
      delete from gone_subscribers where site_id = ${siteId} and endpoint_hash = ${endpointHash}
        and auth_hash = ${authHash(sql`${auth}::bytea`)} returning site_id, endpoint_hash)
    ${noteLeft(sql`select site_id, endpoint_hash from deleted`)}`.execute(on);
}

/**
 * Deletes what is kept of at most `limit` readers: those gone for longer than their site allows, and those of sites
 * that were removed for good. Returns how many it deleted.
 */
export async function deleteOldGone(on: Executor, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from gone_subscribers where (site_id, endpoint_hash) in (
        select g.site_id, g.endpoint_hash from sites s join gone_subscribers g on g.site_id = s.id
          and (${isRemovedForGood("s")} or g.gone_at <= now() - make_interval(days => coalesce(s.return_days, 0)))
        limit ${limit})
      returning site_id`,
    on,
  );
  return deleted.length;
}
