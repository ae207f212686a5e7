import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import { localTimeOf, minutesOf, timeOf } from "../../local-time.ts";
import { type MutedStory, maxMuted, muteDays, type Preferences } from "./preferences.ts";

/** What a subscriber asks for. `breaking` absent: unchanged. */
type WantedPreferences = Omit<Preferences, "breaking"> & { breaking?: boolean | null | undefined };

type Minutes = Omit<Preferences, "quietHours" | "digestAt"> & {
  quietFrom: number | null;
  quietUntil: number | null;
  digestAt: number | null;
};

/**
 * Returns the subscriber with this endpoint and the time zone of its site, or undefined if there is none with the
 * secret `auth`. The site may have been removed.
 */
export function subscriberOf(
  on: Executor,
  siteId: string,
  address: { endpointHash: Buffer; auth: Buffer },
): Promise<{ id: number; siteZone: string } | undefined> {
  return row(
    sql<{ id: number; siteZone: string }>`select s.id, sites.time_zone as "siteZone"
      from subscribers s join sites on sites.id = s.site_id
      where s.site_id = ${siteId} and s.endpoint_hash = ${address.endpointHash} and s.auth = ${address.auth}`,
    on,
  );
}

/** Returns what a subscriber has asked for, or undefined if they asked for nothing. */
export async function preferencesOf(
  on: Executor,
  siteId: string,
  subscriberId: number,
): Promise<Preferences | undefined> {
  const found = await row(
    sql<Minutes>`select max_a_day as "maxADay", quiet_from as "quietFrom", quiet_until as "quietUntil",
        digest_at as "digestAt", breaking, time_zone as "timeZone"
      from reader_preferences where site_id = ${siteId} and subscriber_id = ${subscriberId}`,
    on,
  );
  if (found === undefined) return undefined;
  const { maxADay, quietFrom, quietUntil, digestAt, breaking, timeZone } = found;
  return {
    maxADay,
    quietHours: quietFrom === null ? null : { from: timeOf(quietFrom), until: timeOf(quietUntil!) },
    digestAt: digestAt === null ? null : timeOf(digestAt),
    breaking,
    timeZone,
  };
}

/** SQL: the next time at which clocks that now show `minute` will show `digestAt`. Both are minutes of the day. */
export function nextDigest(digestAt: RawBuilder<unknown>, minute: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`date_trunc('minute', now()) + make_interval(mins => 1 + (${digestAt} - ${minute} + 1439) % 1440)`;
}

/**
 * Stores what a subscriber asks for. Without a digest, headlines that were suppressed for one are dropped. With a
 * digest at another time, they wait for that time, because the earlier one may now be within quiet hours.
 */
export async function upsertPreferences(
  on: Executor,
  siteId: string,
  subscriberId: number,
  { maxADay, quietHours, digestAt, breaking = null, timeZone }: WantedPreferences,
): Promise<void> {
  const quietFrom = quietHours && minutesOf(quietHours.from);
  const quietUntil = quietHours && minutesOf(quietHours.until);
  const digestMinute = digestAt === null ? null : minutesOf(digestAt);
  const { now } = (await row(sql<{ now: Date }>`select now() as now`, on))!;
  const minute = sql`${minutesOf(localTimeOf(timeZone, now.getTime()))}::int`;
  await sql`insert into reader_preferences as p
      (site_id, subscriber_id, max_a_day, quiet_from, quiet_until, digest_at, breaking, time_zone)
    values (${siteId}, ${subscriberId}, ${maxADay}, ${quietFrom}, ${quietUntil}, ${digestMinute},
      coalesce(${breaking}, false), ${timeZone})
    on conflict (site_id, subscriber_id) do update set max_a_day = excluded.max_a_day,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, digest_at = excluded.digest_at,
      breaking = coalesce(${breaking}, p.breaking), time_zone = excluded.time_zone,
      suppressed = case when excluded.digest_at is null then '{}' else p.suppressed end,
      digest_due_at = case when excluded.digest_at is null or p.digest_due_at is null then null
        when (excluded.digest_at, excluded.time_zone) = (p.digest_at, p.time_zone) then p.digest_due_at
        else ${nextDigest(sql`excluded.digest_at`, minute)} end`.execute(on);
}

/**
 * Inserts default preferences for a subscriber who mutes a story, so that the planning of runs looks at this
 * subscriber.
 */
export async function ensurePreferences(
  on: Executor,
  siteId: string,
  subscriberId: number,
  timeZone: string,
): Promise<void> {
  await sql`insert into reader_preferences (site_id, subscriber_id, time_zone)
    values (${siteId}, ${subscriberId}, ${timeZone}) on conflict do nothing`.execute(on);
}

/**
 * Mutes the story of a notification (`runId`) for a subscriber, in the next digest too. Beyond `maxMuted`, the oldest
 * mutes end.
 */
export async function insertMute(
  on: Executor,
  siteId: string,
  subscriberId: number,
  { runId, story, title }: { runId: string; story: Buffer; title: string },
): Promise<void> {
  await sql`insert into muted_stories (site_id, subscriber_id, story, title)
    values (${siteId}, ${subscriberId}, ${story}, ${title})
    on conflict (site_id, story, subscriber_id) do update set muted_at = now(), title = excluded.title`.execute(on);
  await sql`delete from muted_stories where site_id = ${siteId} and subscriber_id = ${subscriberId} and story in (
    select story from muted_stories where site_id = ${siteId} and subscriber_id = ${subscriberId}
    order by muted_at desc, story offset ${maxMuted})`.execute(on);
  await sql`update reader_preferences p set suppressed = array(
      select kept.id from unnest(p.suppressed) with ordinality as kept (id, n)
      where not exists (select from run_messages m where m.site_id = p.site_id and m.run_id = kept.id and m.no = 0
          and ${story} = substring(sha256(convert_to(coalesce(m.message->>'story', m.message->>'url'), 'UTF8')) for 16))
        -- A correction may lead elsewhere than the notification that it replaces.
        and not exists (select from runs r where r.site_id = p.site_id and r.id = ${runId} and r.thread_id = kept.id)
      order by kept.n)
    where site_id = ${siteId} and subscriber_id = ${subscriberId} and suppressed <> '{}'`.execute(on);
}

export async function deleteMute(on: Executor, siteId: string, subscriberId: number, story: Buffer): Promise<void> {
  await sql`delete from muted_stories
    where site_id = ${siteId} and subscriber_id = ${subscriberId} and story = ${story}`.execute(on);
}

/** Returns the stories that a subscriber has muted, the latest first. */
export function mutedStories(on: Executor, siteId: string, subscriberId: number): Promise<MutedStory[]> {
  return rows(
    sql<MutedStory>`select encode(story, 'hex') as story, title from muted_stories
      where site_id = ${siteId} and subscriber_id = ${subscriberId}
        and muted_at > now() - make_interval(days => ${muteDays})
      order by muted_at desc, story`,
    on,
  );
}

/** Deletes at most `limit` mutes that have ended. Returns how many it deleted. */
export async function deleteOldMutes(on: Executor, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from muted_stories where (site_id, story, subscriber_id) in (
        select site_id, story, subscriber_id from muted_stories
        where muted_at <= now() - make_interval(days => ${muteDays}) order by muted_at limit ${limit})
      returning site_id`,
    on,
  );
  return deleted.length;
}

/** Drops the headlines that were suppressed for digests, at all sites. */
export async function clearDigests(on: Executor): Promise<void> {
  await sql`update reader_preferences set suppressed = '{}', digest_due_at = null where digest_due_at is not null`.execute(
    on,
  );
}

/** Drops the headlines that were suppressed for the digests of a site that are due and were not sent. */
export async function clearDueDigests(on: Executor, siteId: string): Promise<void> {
  await sql`update reader_preferences set suppressed = '{}', digest_due_at = null
    where site_id = ${siteId} and digest_due_at <= now()`.execute(on);
}
