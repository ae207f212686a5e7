import { keysSeenInBrowser } from "../access/api-keys/queries.ts";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { failureOf } from "../automations/drill/check-drill.ts";
import { drillOfSite } from "../automations/drill/queries.ts";
import type { CampaignView } from "../campaigns/campaign.ts";
import { listCampaigns, readCampaign } from "../campaigns/read-campaigns.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { androidFallsOfSite } from "../receipts/android-clicks.ts";
import {
  checkReputation,
  type ReputationWarning,
  reputationOfSite,
  type SenderReputation,
} from "../receipts/sender-reputation.ts";
import { readTimeToScreen } from "../runs/figures.ts";
import type { FinalCode } from "../runs/ledger/codes.ts";
import { rateLimitedPushServices } from "../runs/push-services.ts";
import { openRequestsOfSite } from "../sends/approval-queries.ts";
import { type ApprovalRequest, viewApprovalRequest } from "../sends/approval-request.ts";
import { everybody } from "../subscribers/audience.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import { quotaOfWarning } from "../subscribers/registration-queries.ts";
import { shareCount } from "../subscribers/share-count.ts";
import { alertMessages } from "./alert-messages.ts";
import { addFigures, type CampaignRow } from "./find-campaigns.ts";
import { type FirstSteps, readFirstSteps } from "./first-steps.ts";
import {
  blockedPushServices,
  feedsThatAsk,
  recentSends,
  refusalsOfSite,
  type SiteState,
  stateOfSite,
} from "./queries.ts";
import { countLimit, type Day, growthOfSite } from "./reports/queries.ts";

const shownDays = 30;
const shownSends = 6;
const alertHours = 24;
const screenGoalDays = 7;

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
  /** The last live sends, newest first. */
  recent: CampaignRow[];
  /** The scheduled campaigns, earliest first. */
  scheduled: CampaignView[];
  alerts: Alert[];
  /** What readers did with the notifications of the last seven days. */
  reputation: SenderReputation;
  /** Approval requests that wait for a second person. The request that expires first is first. */
  requests: ApprovalRequest[];
  /** The first steps, until the second notification to readers; null afterwards. */
  firstSteps: FirstSteps | null;
};

/**
 * Reads the overview of a site: subscribers, recent and scheduled sends, alerts, open approval requests. Throws
 * `not_found`.
 */
export async function readOverview(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Overview> {
  const state = isId(siteId) ? await stateOfSite(app.db, actor.tenantId, siteId) : undefined;
  if (state === undefined) throw appError("not_found");
  const counted = await shareCount(app, siteId, ["everybody"], () =>
    countSubscribers(app.db, siteId, everybody, countLimit + 1),
  );
  const sent = await recentSends(app.db, siteId, shownSends);
  const campaigns = await Promise.all(sent.map((campaignId) => readCampaign(app, actor, { campaignId })));
  const reputation = await reputationOfSite(app.db, siteId, state.timeZone);
  const { data: scheduled } = await listCampaigns(app, actor, { query: { siteId, status: "scheduled", limit: "20" } });
  return {
    reachable: Math.min(counted, countLimit),
    reachableExact: counted <= countLimit,
    testDevices: state.testDevices,
    timeZone: state.timeZone,
    paused: state.tenantPaused || state.sitePaused,
    days: await growthOfSite(app.db, { siteId, timeZone: state.timeZone }, shownDays),
    recent: await addFigures(app, actor, campaigns),
    scheduled: scheduled.toSorted((a, b) => (a.scheduledAt! < b.scheduledAt! ? -1 : 1)),
    reputation,
    firstSteps: sent.length > 1 ? null : await readFirstSteps(app.db, siteId),
    requests: (await openRequestsOfSite(app.db, siteId)).map(viewApprovalRequest),
    alerts: [
      ...alertsOfState(state),
      ...(await alertsOfKeys(app, actor)),
      ...(await alertsOfFeeds(app, siteId)),
      ...(await alertsOfRegistrations(app, siteId)),
      ...(await alertsOfDrill(app, siteId)),
      ...(await alertsOfPush(app, siteId)),
      ...(await alertsOfAndroid(app, siteId)),
      ...(await alertsOfScreenGoal(app, siteId, state)),
      ...checkReputation(reputation).map((warning) => ({ code: warning, message: reputationMessages[warning] })),
    ],
  };
}

function alertsOfState({ dpaAccepted, tenantPaused, sitePaused }: SiteState): Alert[] {
  return [
    ...(dpaAccepted ? [] : [{ code: "dpa_required", message: alertMessages.dpaRequired }]),
    ...(tenantPaused ? [{ code: "tenant_paused", message: alertMessages.tenantPaused }] : []),
    ...(sitePaused ? [{ code: "site_paused", message: alertMessages.sitePaused }] : []),
  ];
}

async function alertsOfKeys(app: App, { tenantId }: Actor): Promise<Alert[]> {
  return (await keysSeenInBrowser(app.db, tenantId)).map(({ name, prefix, seenAt }) => ({
    code: "key_in_browser",
    message: alertMessages.keyInBrowser(name, prefix, seenAt.toISOString().slice(0, 10)),
  }));
}

async function alertsOfFeeds(app: App, siteId: string): Promise<Alert[]> {
  const names = await feedsThatAsk(app.db, siteId);
  return names.map((name) => ({ code: "feed_asks", message: alertMessages.feedAsks(name) }));
}

async function alertsOfRegistrations(app: App, siteId: string): Promise<Alert[]> {
  const quota = await quotaOfWarning(app.db, siteId);
  if (quota === undefined) return [];
  return [{ code: "registrations_limited", message: alertMessages.registrationsLimited(quota) }];
}

async function alertsOfDrill(app: App, siteId: string): Promise<Alert[]> {
  const drill = await drillOfSite(app.db, siteId);
  const failure = drill && drill.canaryId !== null ? failureOf(drill) : null;
  return failure === null ? [] : [{ code: "drill_failed", message: failure.message }];
}

async function alertsOfPush(app: App, siteId: string): Promise<Alert[]> {
  const blocked = (await blockedPushServices(app.db, siteId)).map(({ pushService, reason }) => ({
    code: "push_service_blocked",
    message: alertMessages.pushServiceBlocked(pushService, reason),
  }));
  const refused = (await refusalsOfSite(app.db, siteId)).map(({ pushService, code, n }) => ({
    code: "push_service_refuses",
    message: alertMessages.pushServiceRefuses(pushService, n, code as FinalCode),
  }));
  const rateLimited = (await rateLimitedPushServices(app.db, siteId, alertHours)).map((pushService) => ({
    code: "push_service_limits",
    message: alertMessages.pushServiceLimits(pushService),
  }));
  return [...blocked, ...rateLimited, ...refused];
}

async function alertsOfAndroid(app: App, siteId: string): Promise<Alert[]> {
  const fallen = await androidFallsOfSite(app.db, siteId);
  return fallen.map(({ title }) => ({
    code: "android_clicks_fell",
    message: alertMessages.androidClicksFell(title),
  }));
}

async function alertsOfScreenGoal(app: App, siteId: string, { screenGoalSeconds }: SiteState): Promise<Alert[]> {
  if (screenGoalSeconds === null) return [];
  const times = await readTimeToScreen(app.db, { nowMs: app.now(), days: screenGoalDays, siteId });
  if (times === null || times.p90Seconds <= screenGoalSeconds) return [];
  return [{ code: "late_on_screen", message: alertMessages.lateOnScreen(screenGoalSeconds) }];
}

/** The overview's text for each warning. Each says what to do. */
export const reputationMessages: Record<ReputationWarning, string> = {
  few_clicks:
    "Fewer than 1 in 100 notifications that readers saw in the last 7 days were clicked. Browsers take notifications that readers pass over for noise, and limit the site. Send fewer, and let readers choose topics.",
  many_dismissals:
    "More than 3 in 10 notifications that readers saw in the last 7 days were dismissed. Browsers limit sites whose notifications are dismissed. Send fewer, and let readers choose topics.",
  many_leave:
    "More than 3 in 100 readers left in the last 7 days. Browsers withdraw the permission of sites that readers leave. Send fewer notifications, and ask for permission only after a click.",
  many_nudges:
    "Readers got more than 10 notifications a day in the last 7 days. Browsers limit sites that send much and are visited little. Send fewer, and let readers choose topics.",
  many_prompts:
    "More than half of the visits of the last 7 days saw the prompt. Browsers limit sites that ask much. Let it come later, rest longer, or only after a click.",
  many_denials:
    "More than 4 in 10 readers that the browser asked in the last 7 days said no. Browsers then ask for the site without being seen. Say in the prompt what readers get, or ask only after a click.",
};
