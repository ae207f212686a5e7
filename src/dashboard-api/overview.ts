import { keysSeenInBrowser } from "../access/api-keys/queries.ts";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { messageOfDrill } from "../automations/drill/check-drill.ts";
import { drillOfSite } from "../automations/drill/queries.ts";
import type { CampaignView } from "../campaigns/campaign.ts";
import { listCampaigns, readCampaign } from "../campaigns/read-campaigns.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type Message, type Said, said } from "../messages.ts";
import { androidFallsOfSite } from "../receipts/android-clicks.ts";
import { checkReputation, reputationOfSite, type SenderReputation } from "../receipts/sender-reputation.ts";
import { readTimeToScreen } from "../runs/figures.ts";
import type { FinalCode } from "../runs/ledger/codes.ts";
import { messageOfCode } from "../runs/messages.ts";
import { rateLimitedPushServices } from "../runs/push-services.ts";
import { openRequestsOfSite } from "../sends/approval-queries.ts";
import { type ApprovalRequest, viewApprovalRequest } from "../sends/approval-request.ts";
import { everybody } from "../subscribers/audience.ts";
import { countSubscribers } from "../subscribers/queries.ts";
import { quotaOfWarning } from "../subscribers/registration-queries.ts";
import { shareCount } from "../subscribers/share-count.ts";
import { alertMessages, nameOfPushService, reputationMessages } from "./alert-messages.ts";
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
export type Alert = Said & { code: string };

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
      ...checkReputation(reputation).map((warning) => alertOf(reputationMessages[warning]())),
    ],
  };
}

/** Returns the alert of a message. `code`: that of the condition, if the message has another. */
function alertOf(message: Message, code = message.code): Alert {
  return { code, ...said(message) };
}

function alertsOfState({ dpaAccepted, tenantPaused, sitePaused }: SiteState): Alert[] {
  return [
    ...(dpaAccepted ? [] : [alertOf(alertMessages.alert_dpa_required(), "dpa_required")]),
    ...(tenantPaused ? [alertOf(alertMessages.alert_tenant_paused(), "tenant_paused")] : []),
    ...(sitePaused ? [alertOf(alertMessages.alert_site_paused(), "site_paused")] : []),
  ];
}

async function alertsOfKeys(app: App, { tenantId }: Actor): Promise<Alert[]> {
  return (await keysSeenInBrowser(app.db, tenantId)).map(({ name, prefix, seenAt }) =>
    alertOf(alertMessages.key_in_browser({ name, prefix, day: seenAt.toISOString().slice(0, 10) })),
  );
}

async function alertsOfFeeds(app: App, siteId: string): Promise<Alert[]> {
  const names = await feedsThatAsk(app.db, siteId);
  return names.map((name) => alertOf(alertMessages.feed_asks({ name })));
}

async function alertsOfRegistrations(app: App, siteId: string): Promise<Alert[]> {
  const quota = await quotaOfWarning(app.db, siteId);
  return quota === undefined ? [] : [alertOf(alertMessages.registrations_limited({ quota }))];
}

async function alertsOfDrill(app: App, siteId: string): Promise<Alert[]> {
  const drill = await drillOfSite(app.db, siteId);
  const failure = drill && drill.canaryId !== null ? messageOfDrill(drill) : null;
  return failure === null ? [] : [alertOf(failure, "drill_failed")];
}

async function alertsOfPush(app: App, siteId: string): Promise<Alert[]> {
  const blocked = (await blockedPushServices(app.db, siteId)).map(({ pushService, reason }) =>
    alertOf(alertMessages.push_service_blocked({ pushService: nameOfPushService(pushService), reason })),
  );
  const refused = (await refusalsOfSite(app.db, siteId)).map(({ pushService, code, n }) => {
    const cause = messageOfCode(code as FinalCode);
    return alertOf(alertMessages.push_service_refuses({ pushService: nameOfPushService(pushService), n, cause }));
  });
  const rateLimited = (await rateLimitedPushServices(app.db, siteId, alertHours)).map((pushService) =>
    alertOf(alertMessages.push_service_limits({ pushService: nameOfPushService(pushService) })),
  );
  return [...blocked, ...rateLimited, ...refused];
}

async function alertsOfAndroid(app: App, siteId: string): Promise<Alert[]> {
  const fallen = await androidFallsOfSite(app.db, siteId);
  return fallen.map(({ title }) => alertOf(alertMessages.android_clicks_fell({ title })));
}

async function alertsOfScreenGoal(app: App, siteId: string, { screenGoalSeconds }: SiteState): Promise<Alert[]> {
  if (screenGoalSeconds === null) return [];
  const times = await readTimeToScreen(app.db, { nowMs: app.now(), days: screenGoalDays, siteId });
  if (times === null || times.p90Seconds <= screenGoalSeconds) return [];
  return [alertOf(alertMessages.late_on_screen({ goalSeconds: screenGoalSeconds }))];
}
