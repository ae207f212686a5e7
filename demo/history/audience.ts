import { sql } from "kysely";
import { upsertWelcome } from "../../src/automations/welcome/queries.ts";
import { upsertWinBack } from "../../src/automations/win-back/queries.ts";
import type { Tx } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { insertRecurringSend } from "../../src/recurring-sends/queries.ts";
import { insertSegment } from "../../src/subscribers/segments/queries.ts";

const segments = [
  { name: "Here this week", rule: { seenWithinDays: 7 } },
  { name: "Not here for a month", rule: { notSeenForDays: 30 } },
  { name: "Clicks often", rule: { clickedWithinDays: 14, subscribedBeforeDays: 30 } },
  { name: "Reads in Portuguese or Japanese", rule: { languages: ["pt", "ja"] } },
  { name: "Subscribers who read in English", rule: { languages: ["en"], facts: { plan: ["paid"] } } },
];

/** The languages of the readers' browsers, one for each tenth. Most readers abroad use the language of their place. */
const languagesOfReaders = [...Array<string>(6).fill("en"), "de", "pt", "en", "ja"];

/** Returns the time zones of the readers, one for each tenth. Most are in the site's zone. */
export function zonesOfReaders(siteZone: string): string[] {
  return [...Array<string>(7).fill(siteZone), "Europe/Lisbon", "America/New_York", "Asia/Tokyo"];
}

/**
 * Writes the readers' visits, clicks, zones, languages and plans. Half of the readers were here this week, and a
 * quarter not for a month. Three in ten have clicked. Most are in the site's zone, and the others in three zones with
 * their languages. A third has a paid plan. The dates depend on the readers' numbers, so they are the same each time.
 */
export async function writeVisits(tx: Tx, { siteId, timeZone, startMs }: Site): Promise<void> {
  await sql`with visit as (
      select id, (now() at time zone 'UTC')::date - case id % 4 when 0 then 31 + id * 7919 % 25
          when 1 then 8 + id * 7919 % 20 else id * 7919 % 7 end::int as day
      from subscribers where site_id = ${siteId} and not is_test)
    update subscribers s set seen_on = greatest(v.day, s.created_at::date),
      clicked_on = case when s.id % 10 < 3 then greatest(v.day, s.created_at::date) end,
      time_zone = (${zonesOfReaders(timeZone)}::text[])[1 + s.id % 10],
      language = (${languagesOfReaders}::text[])[1 + s.id % 10],
      facts = jsonb_build_object('plan', case when s.id % 3 = 0 then 'paid' else 'free' end)
    from visit v where s.site_id = ${siteId} and s.id = v.id`.execute(tx);
  await sql`update sites set clicks_known_from = ${new Date(startMs)}::date where id = ${siteId}`.execute(tx);
}

/** The stories and the series that readers follow. One reader in `oneOf` follows each. */
const stories = [
  { key: "river-bridge", label: "The river bridge", oneOf: 9 },
  { key: "council-budget", label: "The council's budget", oneOf: 40 },
  { key: "series:city-gardens", label: "City gardens", oneOf: 65 },
];

/** Makes readers follow the stories and the series since a week ago, or since they subscribed. */
export async function addFollows(tx: Tx, siteId: string): Promise<void> {
  for (const { key, label, oneOf } of stories) {
    await sql`insert into follows (site_id, key, subscriber_id, label, followed_at)
      select site_id, ${key}, id, ${label}, greatest(created_at, now() - interval '7 days') from subscribers
      where site_id = ${siteId} and not is_test and id % ${oneOf} = 0`.execute(tx);
  }
}

type Site = { siteId: string; timeZone: string; startMs: number };

/**
 * Adds segments, and a welcome and a win-back that are off, so that subscribers of the demo see only the notifications
 * of the desk.
 */
export async function addSegmentsAndAutomations(tx: Tx, siteId: string, origin: string): Promise<void> {
  for (const segment of segments) await insertSegment(tx, siteId, { id: newId(), ...segment });
  const same = { url: `${origin}/`, imageUrl: null, topicId: null };
  await upsertWelcome(tx, siteId, {
    enabled: false,
    steps: [
      { ...same, afterDays: 0, onlyUnclicked: false, title: "Welcome to the Courier", body: "News as it happens." },
      {
        ...same,
        afterDays: 3,
        onlyUnclicked: true,
        title: "Choose your topics",
        body: "Sport, weather, or all of it.",
      },
    ],
  });
  await upsertWinBack(tx, siteId, {
    enabled: false,
    afterDays: 60,
    afterwards: "keep",
    url: `${origin}/`,
    imageUrl: null,
    title: "The Courier has kept your place",
    body: "The stories that most readers opened while you were away.",
  });
}

/**
 * Adds the recurring send of sports stories: at seven on each weekday, the newest unsent story of the topic, if there
 * is one.
 */
export async function addRecurringSend(
  tx: Tx,
  of: { tenantId: string; siteId: string; createdBy: string },
  topicIds: Record<string, string>,
): Promise<void> {
  const source = { feedId: null, topicId: topicIds.Sport! };
  await insertRecurringSend(
    tx,
    { id: newId(), ...of },
    { days: [1, 2, 3, 4, 5], time: "07:00", ...source, enabled: true },
  );
}
