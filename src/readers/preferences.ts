import { sql } from "kysely";
import type { App } from "../app.ts";
import { type Executor, rows } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { parseInput } from "../input.ts";
import type { LocalTime } from "../local-time.ts";
import { isComparable, topicsOf } from "../runs/audience.ts";
import { hasEffect, isListed } from "../runs/effect.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { isWaiting } from "../runs/ledger/states.ts";
import { earliestStart } from "../runs/queries.ts";
import { placesOfReader } from "../runs/reader-places.ts";
import { isAtLocalTime } from "../runs/timing.ts";
import { waveOfZone } from "../runs/waves/waves.ts";
import { removeFact, type ToldFact, tellFacts, viewFacts } from "../subscribers/facts/tell-facts.ts";
import {
  type MutedStory,
  type Preferences,
  preferencesInput,
  storyKey,
} from "../subscribers/preferences/preferences.ts";
import {
  deleteMute,
  ensurePreferences,
  insertMute,
  mutedStories,
  preferencesOf,
  subscriberOf,
  upsertPreferences,
} from "../subscribers/preferences/queries.ts";
import { endpointHref, hashEndpoint, readAuth } from "../subscribers/subscription.ts";

const recentHours = 48;
const recentLimit = 20;

/** A notification of the site that a reader may look up, and whose story they may mute. */
type RecentNudge = {
  runId: string;
  title: string;
  url: string;
  /** The time of the send to this reader, if it was sent at the reader's own hour. */
  sentAt: string;
  story: string;
  /** Whether the reader's limit or quiet hours suppressed it. */
  isSuppressed: boolean;
};

/** The preferences that a browser gets for its reader. */
export type PreferencesView = {
  preferences: Preferences;
  muted: MutedStory[];
  facts: ToldFact[];
  recent: RecentNudge[];
};

/**
 * Changes the preferences of a reader if the body says so, and returns all of them, with the notifications of the last
 * 48 hours. Throws `validation_failed` with all faults, and `not_found` if the body does not name a subscription of
 * the site with its secret.
 */
export async function changePreferences(app: App, input: { siteId: string; body: unknown }): Promise<PreferencesView> {
  const { siteId } = input;
  const wanted = parseInput(preferencesInput, input.body);
  const href = endpointHref(wanted.endpoint);
  const auth = readAuth(wanted.auth);
  const found = href && auth && (await subscriberOf(app.db, siteId, { endpointHash: hashEndpoint(href), auth }));
  if (!found) throw appError("not_found", { message: "This browser is not subscribed to the site. Subscribe first." });
  const { id, siteZone } = found;
  return app.db.transaction().execute(async (tx) => {
    if (wanted.preferences !== undefined) await upsertPreferences(tx, siteId, id, wanted.preferences);
    if (wanted.facts !== undefined) await tellFacts(tx, siteId, id, wanted.facts);
    if (wanted.removeFact !== undefined) await removeFact(tx, siteId, id, wanted.removeFact);
    if (wanted.mute !== undefined) {
      const [nudge] = await nudgesOf(tx, siteId, id, wanted.mute);
      if (nudge === undefined) {
        throw invalidFields([fault("/mute", faults.not_a_recent_run())]);
      }
      await ensurePreferences(tx, siteId, id, siteZone);
      await insertMute(tx, siteId, id, { ...nudge, story: Buffer.from(nudge.story, "hex") });
    }
    if (wanted.unmute !== undefined) await deleteMute(tx, siteId, id, Buffer.from(wanted.unmute, "hex"));
    const nothing = { maxADay: null, quietHours: null, digestAt: null, breaking: false, timeZone: siteZone };
    return {
      preferences: (await preferencesOf(tx, siteId, id)) ?? nothing,
      muted: await mutedStories(tx, siteId, id),
      facts: await viewFacts(tx, siteId, id),
      recent: await nudgesOf(tx, siteId, id),
    };
  });
}

/**
 * Returns the last notifications for the topics of a subscriber, newest first, or the notification of `runId`.
 * Includes a send to a segment only if the subscriber is one of its recipients, because nothing else shows who was in
 * the segment then. For a headline test, returns the headline that the subscriber got, and nothing while they wait for
 * it. Leaves out a corrected notification and lists its correction instead.
 */
async function nudgesOf(on: Executor, siteId: string, id: number, runId?: string): Promise<RecentNudge[]> {
  const isCorrected = sql`exists (select from runs later where later.site_id = r.site_id and ${sendsCampaign("later")}
    and later.thread_id = r.thread_id and later.sequence > r.sequence and ${hasEffect("later")})`;
  const isLocal = isAtLocalTime("r");
  const nudges = sql`
      select r.id as "runId", m.message->>'title' as title, m.message->>'url' as url, m.message->>'story' as story,
        r.timing->'hour' as "localTime", s.now, s.zone, s.site_zone as "siteZone",
        coalesce((r.timing->>'from')::timestamptz, r.created_at) as "from",
        coalesce(r.thread_id = any(p.suppressed || p.digested), false) as "isSuppressed"
      from runs r left join reader_preferences p on p.site_id = r.site_id and p.subscriber_id = ${id}
        cross join (select now() as now, coalesce(s.time_zone, p.time_zone, '') as zone, sites.time_zone as site_zone
          from subscribers s join sites on sites.id = s.site_id
            left join reader_preferences p on p.site_id = s.site_id and p.subscriber_id = s.id
          where s.site_id = ${siteId} and s.id = ${id}) s
        left join lateral (select b.message_no, ${isWaiting} and w.opens_at is null as waits
          from place join run_batches b on b.site_id = place.site_id and b.run_id = place.run_id and b.no = place.no
            left join run_waves w on w.site_id = b.site_id and w.run_id = b.run_id and w.no = b.wave_no
          where place.run_id = r.id) mine on true
        join run_messages m on m.site_id = r.site_id and m.run_id = r.id and m.no = coalesce(mine.message_no, 0)
      where r.site_id = ${siteId} and ${sendsCampaign("r")} and ${isListed}
        and (r.id = ${runId ?? null} or ${runId ?? null}::uuid is null and not ${isCorrected})
        and (r.id in (select run_id from place) or r.thread_id = any(p.suppressed || p.digested) or (${isComparable("r")} and (${topicsOf("r")} = '{}'
          or exists (select from subscriber_topics t
            where t.site_id = r.site_id and t.subscriber_id = ${id} and t.topic_id::text = any(${topicsOf("r")})))))
        and mine.waits is not true`;
  const earliest = sql`now() - make_interval(hours => ${recentHours})`;
  // Sends with local-time delivery are not limited here. Their order depends on moments that the database does not
  // know.
  const found = await rows(
    sql<Sent>`with place as materialized (${placesOfReader(siteId, id)})
      (${nudges} and not ${isLocal} and r.created_at > ${earliest}
        order by r.created_at desc limit ${recentLimit})
      union all (${nudges} and ${isLocal} and r.created_at > ${earliestStart(earliest)})`,
    on,
  );
  return found
    .map((sent) => ({ ...sent, sentAt: momentOf(sent) }))
    .filter(({ sentAt, now }) => sentAt <= now && sentAt.getTime() > now.getTime() - recentHours * 3_600_000)
    .toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
    .slice(0, recentLimit)
    .map(viewNudge);
}

type Sent = Omit<RecentNudge, "sentAt" | "story"> & {
  from: Date;
  story: string | null;
  localTime: LocalTime | null;
  now: Date;
  zone: string;
  siteZone: string;
};

/** Returns the moment of a notification for the reader. Before it, the reader must not see the headline. */
function momentOf({ localTime, from, zone, siteZone }: Sent): Date {
  return localTime === null ? from : waveOfZone(localTime, zone, siteZone, from.getTime()).at;
}

function viewNudge({ runId, title, url, story, sentAt, isSuppressed }: Sent & { sentAt: Date }): RecentNudge {
  const key = storyKey(story ?? url).toString("hex");
  return { runId, title, url, isSuppressed, sentAt: sentAt.toISOString(), story: key };
}
