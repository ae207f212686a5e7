import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { faults, zodText } from "../faults.ts";
import { givenOnce, oneOfMany, parseInput } from "../input.ts";
import { daysOfSite, type SendFrequency, sendFrequencyOf } from "../receipts/send-frequency.ts";
import { type SendHours, sendHoursOf, sendsByHour } from "../receipts/send-hours.ts";
import { everybody } from "../subscribers/audience.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import { shareCount } from "../subscribers/share-count.ts";
import type { Site } from "../tenants/sites/site.ts";
import { findSite } from "./audience.ts";
import { addFigures, type CampaignRow } from "./find-campaigns.ts";
import {
  type CalendarEntry,
  entriesOfMonth,
  minutesOfSite,
  type Sends,
  type SiteMinute,
  sendsOfPeriods,
  sendsOfToday,
} from "./newsroom-queries.ts";
import { figuresOfPeriod } from "./reports/figures-queries.ts";
import { countLimit, type Day, growthOfSite } from "./reports/queries.ts";

type Input = { siteId: string; query: unknown };

/** The sums of a period: readers who joined and left, and what was sent. */
export type PeriodSums = Sends & { joined: number; left: number };

/**
 * The notifications that were sent on a day: how many people they reached, and all their clicks, whenever those came.
 */
export type SentOfDay = { day: string; reached: number; clicked: number };

/** A period that ends today, day by day. `now`: its sums. `before`: the sums of the same number of days before it. */
export type Period = { days: Day[]; sent: SentOfDay[]; now: PeriodSums; before: PeriodSums };

const periodQuery = z.strictObject({
  days: oneOfMany(["7", "30", "90", "365"]).default("30").transform(Number),
});

/** Reads a site's period of 7, 30, 90 or 365 `days`. Throws `not_found` and `validation_failed`. */
export async function readPeriod(app: App, actor: Actor, { siteId, query }: Input): Promise<Period> {
  const site = await findSite(app, actor, siteId);
  const { timeZone } = site;
  const { days: size } = parseInput(periodQuery, query);
  const { before, days, sends, sent } = await shareCount(app, siteId, ["period", timeZone, size], async () => {
    const both = await growthOfSite(app.db, { siteId, timeZone }, 2 * size);
    const days = both.slice(size);
    const sends = await sendsOfPeriods(app.db, siteId, timeZone, size);
    return { before: both.slice(0, size), days, sends, sent: await sentOfDays(app, site, days) };
  });
  return { days, sent, now: { ...sends.now, ...sumOf(days) }, before: { ...sends.before, ...sumOf(before) } };
}

async function sentOfDays(app: App, site: Site, days: Day[]): Promise<SentOfDay[]> {
  const period = { from: days[0]!.day, to: days.at(-1)!.day, by: "day" } as const;
  const found = await figuresOfPeriod(app.db, site, period, { after: undefined, limit: days.length });
  const byDay = new Map(found.map((one) => [one.key, one]));
  return days.map(({ day }) => {
    const { accepted: reached = 0, clicked = 0 } = byDay.get(day) ?? {};
    return { day, reached, clicked };
  });
}

function sumOf(days: Day[]): { joined: number; left: number } {
  const sum = (name: "joined" | "left") => days.reduce((total, day) => total + day[name], 0);
  return { joined: sum("joined"), left: sum("left") };
}

/**
 * Reads what a site's notifications won and lost in the last twelve weeks, and what follows from that. Throws
 * `not_found`.
 */
export async function readSendFrequency(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<SendFrequency> {
  const { timeZone } = await findSite(app, actor, siteId);
  return shareCount(app, siteId, ["send frequency", timeZone], async () =>
    sendFrequencyOf(await daysOfSite(app.db, siteId, timeZone)),
  );
}

/** Reads the hours at which a site's notifications were clicked most. Throws `not_found`. */
export async function readSendHours(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<SendHours> {
  const { timeZone } = await findSite(app, actor, siteId);
  return shareCount(app, siteId, ["send hours", timeZone], async () =>
    sendHoursOf(await sendsByHour(app.db, siteId, timeZone)),
  );
}

/** A month of sent and planned notifications. `at`: RFC 3339. `day` and `today`: YYYY-MM-DD in the site's time zone. */
export type Calendar = {
  month: string;
  today: string;
  entries: (Omit<CalendarEntry, "at"> & { at: string })[];
};

/** The most entries of a calendar: thirty a day, which is more than a site sends. */
export const maxEntries = 1_000;

const calendarQuery = z.strictObject({
  month: givenOnce.regex(/^20\d\d-(0[1-9]|1[0-2])$/, zodText(faults.not_a_month())).optional(),
});

/** Reads what a site sent and has planned in `month`, by default the current month. Throws as `readPeriod`. */
export async function readCalendar(app: App, actor: Actor, { siteId, query }: Input): Promise<Calendar> {
  const { timeZone } = await findSite(app, actor, siteId);
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(app.now());
  const { month = today.slice(0, 7) } = parseInput(calendarQuery, query);
  const entries = await shareCount(app, siteId, ["calendar", timeZone, month], () =>
    entriesOfMonth(app.db, { siteId, timeZone }, month, maxEntries),
  );
  return { month, today, entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })) };
}

/** The content of a screen in the newsroom: readers, today's notifications, and the last hour by the minute. */
export type Screen = {
  reachable: number;
  /** False if there are more than `reachable`. */
  reachableExact: boolean;
  today: CampaignRow[];
  minutes: (Omit<SiteMinute, "minute"> & { minute: string })[];
};

const shownSends = 12;
const shownMinutes = 60;

/** Reads a site's screen. Throws `not_found`. */
export async function readScreen(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Screen> {
  const { timeZone } = await findSite(app, actor, siteId);
  const counted = await shareCount(app, siteId, ["everybody"], () =>
    countSubscribers(app.db, siteId, everybody, countLimit + 1),
  );
  const sent = await sendsOfToday(app.db, siteId, timeZone, shownSends);
  const campaigns = await Promise.all(sent.map((campaignId) => readCampaign(app, actor, { campaignId })));
  const minutes = await minutesOfSite(app.db, siteId, shownMinutes);
  return {
    reachable: Math.min(counted, countLimit),
    reachableExact: counted <= countLimit,
    today: await addFigures(app, actor, campaigns),
    minutes: minutes.map(({ minute, ...counts }) => ({ minute: minute.toISOString(), ...counts })),
  };
}
