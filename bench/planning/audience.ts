import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { createPublisher } from "../../test/fixtures/publisher.ts";

/** A site whose readers all have the topic `topicId`. */
export type Site = { siteId: string; tenantId: string; topicId: string };

/** How many readers have preferences. `quiet`: they are in their quiet hours now. */
export type Preferences = "nobody" | "one reader" | "every second reader" | "every second reader, quiet";

/**
 * Creates a site with `n` readers in twelve time zones, three ranks and two push services, and with these preferences.
 */
export async function createSite(app: App, n: number, preferences: Preferences): Promise<Site> {
  const { siteId, tenantId } = await createPublisher(app);
  await insertReaders(app, siteId, n);
  const topicId = await giveTopicToAll(app, siteId);
  await insertPreferences(app, siteId, preferences);
  return { siteId, tenantId, topicId };
}

/** Creates a topic of a site and gives it to all readers. Returns its id. */
export async function giveTopicToAll(app: App, siteId: string): Promise<string> {
  const topicId = newId();
  await sql`insert into topics (site_id, id, name) values (${siteId}, ${topicId}, 'Sport')`.execute(app.db);
  await sql`insert into subscriber_topics (site_id, topic_id, subscriber_id)
    select site_id, ${topicId}, id from subscribers where site_id = ${siteId}`.execute(app.db);
  return topicId;
}

/**
 * Inserts readers. Half of them are in one zone, a quarter in the next, and so on to the twelfth. Their keys cannot
 * encrypt.
 */
async function insertReaders(app: App, siteId: string, n: number): Promise<void> {
  await sql`insert into subscribers (site_id, endpoint, endpoint_hash, p256dh, auth, push_service, time_zone, seen_on, created_at)
    select ${siteId}, rpad('https://fcm.googleapis.com/fcm/send/' || ${siteId}::text || i, 188, 'x'),
      decode(md5(${siteId}::text || i), 'hex'), decode(repeat('04', 65), 'hex'), decode(repeat('04', 16), 'hex'),
      case when i % 4 = 0 then 'mozilla' else 'fcm' end,
      'Etc/GMT' || to_char(least(11, log(2, (i & -i)::numeric)::int), 'SGFM99'), current_date - (i % 3) * 20,
      now() - i % 30 * interval '1 day'
    from generate_series(1, ${n}::int) i`.execute(app.db);
}

async function insertPreferences(app: App, siteId: string, preferences: Preferences): Promise<void> {
  if (preferences === "nobody") return;
  const [from, until] = preferences.endsWith("quiet") ? [0, 1_439] : [null, null];
  const who = preferences === "one reader" ? sql`order by id limit 1` : sql`and id % 2 = 0`;
  await sql`insert into reader_preferences (site_id, subscriber_id, time_zone, max_a_day, quiet_from, quiet_until)
    select site_id, id, time_zone, 50, ${from}::smallint, ${until}::smallint from subscribers
    where site_id = ${siteId} ${who}`.execute(app.db);
}
