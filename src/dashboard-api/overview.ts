import { keysSeenInBrowser } from "../access/api-keys/queries.ts";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { CampaignView } from "../campaigns/campaign.ts";
import { listCampaigns, readCampaign } from "../campaigns/read-campaigns.ts";
import { openRequestsOfSite } from "../campaigns/send-requests/queries.ts";
import { type SendRequest, viewSendRequest } from "../campaigns/send-requests/send-request.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { androidFallsOfSite } from "../receipts/android-clicks.ts";
import { judgeStanding, type Standing, type StandingWarning, standingOfSite } from "../receipts/standing.ts";
import { capAdvice, type FinalCode, finalCodes } from "../runs/codes.ts";
import { cappedLanes } from "../runs/queries.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import { quotaOfWarning } from "../subscribers/registration-queries.ts";
import { addFigures, type CampaignRow } from "./find-campaigns.ts";
import {
  countLimit,
  type Day,
  feedsThatAsk,
  growthOfSite,
  heldLanes,
  recentSends,
  refusalsOfSite,
  type SiteState,
  stateOfSite,
} from "./queries.ts";

const shownDays = 30;
const shownSends = 6;
const alertHours = 24;

/** A condition that needs attention. `message` says what to do. */
export type Alert = { code: string; message: string };

export type Overview = {
  reachable: number;
  /** False if there are more than `reachable`. */
  reachableExact: boolean;
  testDevices: number;
  timeZone: string;
  paused: boolean;
  days: Day[];
  /** The last live sends, the newest first. */
  recent: CampaignRow[];
  /** The earliest first. */
  scheduled: CampaignView[];
  alerts: Alert[];
  /** What readers did with the nudges of the last seven days. */
  standing: Standing;
  /** Send requests that wait for a second person, the first to expire first. */
  requests: SendRequest[];
};

/**
 * Reads the overview of a site: subscribers, recent and scheduled sends, alerts, open send requests. Throws
 * `not_found`.
 */
export async function readOverview(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Overview> {
  const state = isId(siteId) ? await stateOfSite(app.db, actor.tenantId, siteId) : undefined;
  if (state === undefined) throw appError("not_found");
  const counted = await countSubscribers(app.db, siteId, [], countLimit + 1);
  const sent = await recentSends(app.db, siteId, shownSends);
  const campaigns = await Promise.all(sent.map((campaignId) => readCampaign(app, actor, { campaignId })));
  const standing = await standingOfSite(app.db, siteId);
  const { data: scheduled } = await listCampaigns(app, actor, { query: { siteId, status: "scheduled", limit: "20" } });
  return {
    reachable: Math.min(counted, countLimit),
    reachableExact: counted <= countLimit,
    testDevices: state.testDevices,
    timeZone: state.timeZone,
    paused: state.tenantPaused || state.sitePaused,
    days: await growthOfSite(app.db, siteId, state.timeZone, shownDays),
    recent: await addFigures(app, actor, campaigns),
    scheduled: scheduled.toSorted((a, b) => (a.scheduledAt! < b.scheduledAt! ? -1 : 1)),
    standing,
    requests: (await openRequestsOfSite(app.db, siteId)).map(viewSendRequest),
    alerts: [
      ...alertsOfState(state),
      ...(await alertsOfKeys(app, actor)),
      ...(await alertsOfFeeds(app, siteId)),
      ...(await alertsOfRegistrations(app, siteId)),
      ...(await alertsOfPush(app, siteId)),
      ...(await alertsOfAndroid(app, siteId)),
      ...judgeStanding(standing).map((warning) => ({ code: warning, message: standingMessages[warning] })),
    ],
  };
}

function alertsOfState({ dpaAccepted, tenantPaused, sitePaused }: SiteState): Alert[] {
  const alerts: Alert[] = [];
  if (!dpaAccepted) {
    const message = "Nothing can be sent yet: an owner has to accept the data processing agreement in the settings.";
    alerts.push({ code: "dpa_required", message });
  }
  if (tenantPaused) {
    alerts.push({
      code: "tenant_paused",
      message: "All sends are paused. An owner can lift the pause in the settings.",
    });
  }
  if (sitePaused) {
    alerts.push({ code: "site_paused", message: "Sends of this site are paused. Lift the pause in its settings." });
  }
  return alerts;
}

async function alertsOfKeys(app: App, { tenantId }: Actor): Promise<Alert[]> {
  const seen = await keysSeenInBrowser(app.db, tenantId);
  return seen.map(({ name, prefix, seenAt }) => ({
    code: "key_in_browser",
    message:
      `The API key “${name}” (${prefix}…) was seen in a web page on ${seenAt.toISOString().slice(0, 10)}, where ` +
      "everybody can read it. Create a new one for your server, then delete this one.",
  }));
}

async function alertsOfFeeds(app: App, siteId: string): Promise<Alert[]> {
  return (await feedsThatAsk(app.db, siteId)).map((name) => ({
    code: "feed_asks",
    message: `The feed “${name}” brought very many items at once, and sends nothing. Choose under Feeds what to do with them.`,
  }));
}

async function alertsOfRegistrations(app: App, siteId: string): Promise<Alert[]> {
  const quota = await quotaOfWarning(app.db, siteId);
  if (quota === undefined) return [];
  const message =
    `More than ${quota.toLocaleString("en")} new readers came within an hour, and further ones were refused. If you did ` +
    "not just ask many readers to subscribe, an owner can delete the false ones under Subscribers.";
  return [{ code: "registrations_limited", message }];
}

async function alertsOfPush(app: App, siteId: string): Promise<Alert[]> {
  const held = (await heldLanes(app.db, siteId)).map(({ lane, reason }) => ({
    code: "push_service_holds",
    message: `${nameOfLane(lane)} accepts no messages from us for now (${reason}). They wait, and sending continues by itself.`,
  }));
  const refused = (await refusalsOfSite(app.db, siteId)).map(({ lane, code, n }) => ({
    code: "push_service_refuses",
    message:
      `${nameOfLane(lane)} refused ${n.toLocaleString("en")} messages in the last 24 hours. ` +
      finalCodes[code as FinalCode].message,
  }));
  const capped = (await cappedLanes(app.db, siteId, alertHours)).map((lane) => ({
    code: "push_service_limits",
    message: `${nameOfLane(lane)} took only so many messages a minute from this site in the last 24 hours. ${capAdvice}`,
  }));
  return [...held, ...capped, ...refused];
}

async function alertsOfAndroid(app: App, siteId: string): Promise<Alert[]> {
  return (await androidFallsOfSite(app.db, siteId)).map(({ title }) => ({
    code: "android_clicks_fell",
    message:
      `On Android far fewer readers than usual clicked “${title}”, while the others clicked as always: Chrome may hide ` +
      "nudges of this site there, as it does with what it takes for spam. What helps: fewer nudges, and titles that say " +
      "what the story says.",
  }));
}

/** What the overview says of each warning, with the cure. */
export const standingMessages: Record<StandingWarning, string> = {
  few_clicks:
    "Fewer than 1 in 100 nudges that readers saw in the last 7 days were clicked. Browsers take nudges that readers pass over for noise, and limit the site. Send fewer, and let readers choose topics.",
  many_dismissals:
    "More than 3 in 10 nudges that readers saw in the last 7 days were dismissed. Browsers limit sites whose nudges are dismissed. Send fewer, and let readers choose topics.",
  many_leave:
    "More than 3 in 100 readers left in the last 7 days. Browsers withdraw the permission of sites that readers leave. Send fewer nudges, and ask for permission only after a click.",
  many_nudges:
    "Readers got more than 10 nudges a day in the last 7 days. Browsers limit sites that send much and are visited little. Send fewer, and let readers choose topics.",
};

const laneNames: Record<string, string> = {
  fcm: "Google (Chrome, Edge on Android, Opera)",
  mozilla: "Mozilla (Firefox)",
  apple: "Apple (Safari)",
  wns: "Microsoft (Edge on Windows)",
};

/** Returns the product name of a lane's push service; a lane without one is named by its origin. */
function nameOfLane(lane: string): string {
  return laneNames[lane] ?? lane;
}
