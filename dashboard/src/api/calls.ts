import type { listSessions, SessionView } from "../../../src/access/accounts/own-sessions.ts";
import type { createPasswordLink } from "../../../src/access/accounts/password-links.ts";
import type { addApiKey, listApiKeys } from "../../../src/access/api-keys/api-keys.ts";
import type { readInvitation } from "../../../src/access/members/accept-invitation.ts";
import type { inviteMember } from "../../../src/access/members/invitations.ts";
import type { listMembers } from "../../../src/access/members/members.ts";
import type { Role, Roles, SiteRole } from "../../../src/access/roles.ts";
import type {
  beginSecondFactor as begin,
  confirmSecondFactor as confirmFactor,
  readSecondFactor,
} from "../../../src/access/second-factor/second-factor.ts";
import type { AuditEventName } from "../../../src/audit/events.ts";
import type { AuditEventView, readAuditLog, readPeopleOfLog } from "../../../src/audit/read-log.ts";
import type { CampaignView } from "../../../src/campaigns/campaign.ts";
import type { HeadlineVariant } from "../../../src/campaigns/headline-variants.ts";
import type { PreviewBody } from "../../../src/campaigns/preview-content.ts";
import type { CampaignStatus, SendableState } from "../../../src/campaigns/states.ts";
import type { testCampaign } from "../../../src/campaigns/test-campaign.ts";
import type { AudienceSize, Subscribers } from "../../../src/dashboard-api/audience.ts";
import type { CampaignChoices, findCampaigns } from "../../../src/dashboard-api/find-campaigns.ts";
import type { Calendar, Period, PeriodSums, Screen } from "../../../src/dashboard-api/newsroom.ts";
import type { Overview } from "../../../src/dashboard-api/overview.ts";
import type { ForecastView } from "../../../src/dashboard-api/read-forecast.ts";
import type { Grouping } from "../../../src/dashboard-api/reports/figures-queries.ts";
import type { FiguresPage } from "../../../src/dashboard-api/reports/read-figures.ts";
import type { SendFacts } from "../../../src/dashboard-api/send-facts.ts";
import type { SetUp } from "../../../src/dashboard-api/set-up.ts";
import type { ReaderSettingsView, SiteSettings, TenantSettings } from "../../../src/dashboard-api/settings.ts";
import type { Start } from "../../../src/dashboard-api/start.ts";
import type { Verdict } from "../../../src/decision/decide-story.ts";
import type { UpdateResult, UpdateView } from "../../../src/follow-ups/update-notification.ts";
import type { SendFrequency as SendFrequencyView } from "../../../src/receipts/send-frequency.ts";
import type { SendHours } from "../../../src/receipts/send-hours.ts";
import type { Urgency } from "../../../src/runs/run.ts";
import type { RunView } from "../../../src/runs/view-run.ts";
import type { Scope } from "../../../src/scope.ts";
import type { ApprovalRequest } from "../../../src/sends/approval-request.ts";
import type { UndoWindow } from "../../../src/sends/undo-window.ts";
import type { CampaignClass } from "../../../src/tenants/sites/campaign-classes.ts";
import type { SitePage } from "../../../src/tenants/sites/list-sites.ts";
import type { SiteChange } from "../../../src/tenants/sites/site.ts";
import { addressOf, api, tenantPath } from "./address.ts";
import { call } from "./client.ts";

/** The type of the answer of an operation. The types of operations are those of the service. */
// biome-ignore lint/suspicious/noExplicitAny: an operation may take any input
export type AnswerOf<Operation extends (...input: any[]) => Promise<unknown>> = Awaited<ReturnType<Operation>>;

export type {
  ApprovalRequest,
  AudienceSize,
  AuditEventName,
  AuditEventView,
  Calendar,
  CampaignStatus,
  CampaignView,
  HeadlineVariant,
  Overview,
  Period,
  PeriodSums,
  Role,
  Roles,
  RunView,
  Screen,
  SendableState,
  SendFacts,
  SendFrequencyView,
  SessionView,
  SiteRole,
  SiteSettings,
  Start,
  Subscribers,
  TenantSettings,
  UndoWindow,
  UpdateView,
  Urgency,
  Verdict,
};
export type CampaignPage = AnswerOf<typeof findCampaigns>;
export type CampaignRow = CampaignPage["data"][number];
export type Site = SitePage["data"][number];
export type TestSend = AnswerOf<typeof testCampaign>;
export type { Scope };
export type ApiKeys = AnswerOf<typeof listApiKeys>;
export type NewApiKey = AnswerOf<typeof addApiKey>;
export type { FiguresOfGroup, Grouping } from "../../../src/dashboard-api/reports/figures-queries.ts";
export type Members = AnswerOf<typeof listMembers>;
export type NewPasswordLink = AnswerOf<typeof createPasswordLink>;
export type NewInvitation = AnswerOf<typeof inviteMember>;
export type Invitation = AnswerOf<typeof readInvitation>;

/** The input of the compose page. The service validates it. */
export type CampaignInput = {
  siteId: string;
  mode: "url" | "manual";
  url: string;
  title: string;
  body: string;
  imageUrl: string;
  topicIds: string[];
  /** The id of a segment. Absent or empty: all readers. */
  segment?: string | undefined;
  /** The id of a story, an author or a series. Only its followers are notified. Absent or empty: all readers. */
  followersOf?: string | undefined;
  ttlSeconds: number;
  urgency: Urgency;
  class: CampaignClass;
  labels: string[];
  /** Other headlines to try. */
  variants?: HeadlineVariant[];
  testMinutes?: number;
  forceSend: true;
  /** The id of the campaign whose notification this one replaces. */
  corrects?: string;
};

/** Another site to which a notification goes. `url`: the address of the story at that site. Empty: the same address. */
export type OtherSite = { siteId: string; url: string };

export type CampaignChange = Partial<Omit<CampaignInput, "siteId" | "mode" | "forceSend" | "corrects">>;

export type SetUpInput = Record<
  "token" | "email" | "password" | "tenantName" | "siteName" | "siteUrl" | "timeZone",
  string
> & {
  dpaAccepted: boolean;
};

export const start = () => call<Start>("GET", `${api}/start`);
/** Signs in with a password. If the person has a second factor, the answer has a `challenge` for `signInWithCode`. */
export const signIn = (body: { email: string; password: string }) =>
  call<{ challenge?: string }>("POST", `${api}/auth/sign-in/email`, { body });
export const signInWithCode = (body: { challenge: string; code: string }) =>
  call<unknown>("POST", `${api}/auth/sign-in/code`, { body });
export const secondFactor = () => call<AnswerOf<typeof readSecondFactor>>("GET", `${api}/auth/second-factor`);
export const beginSecondFactor = () => call<AnswerOf<typeof begin>>("POST", `${api}/auth/second-factor/begin`);
export const confirmSecondFactor = (code: string) =>
  call<AnswerOf<typeof confirmFactor>>("POST", `${api}/auth/second-factor/confirm`, { body: { code } });
export const removeSecondFactor = () => call<unknown>("POST", `${api}/auth/second-factor/remove`);
export const signOut = () => call<unknown>("POST", `${api}/auth/sign-out`);
export const setUp = (body: SetUpInput) => call<SetUp>("POST", `${api}/set-up`, { body });
export const changePassword = (body: { currentPassword: string; newPassword: string }) =>
  call<unknown>("POST", `${api}/auth/change-password`, { body });
export const changeName = (name: string) => call<unknown>("POST", `${api}/auth/name`, { body: { name } });
export const sessions = () => call<AnswerOf<typeof listSessions>>("GET", `${api}/auth/sessions`);
/** Fails with `reauthentication_required` if the last sign-in is too old for an export. */
export const requireRecentSignIn = () => call<unknown>("GET", `${api}/auth/recent`);
export const confirmPassword = (password: string) =>
  call<unknown>("POST", `${api}/auth/confirm`, { body: { password } });
export const endSession = (sessionId: string) =>
  call<unknown>("POST", `${api}/auth/sessions/end`, { body: { sessionId } });
export const endOtherSessions = () => call<{ ended: number }>("POST", `${api}/auth/sessions/end-others`);
export const deleteAccount = () => call<unknown>("POST", `${api}/auth/delete-account`);
export const fetchInvitation = (token: string) =>
  call<Invitation>("POST", `${api}/invitations/look`, { body: { token } });
export const acceptInvitation = (body: { token: string; password: string; name?: string }) =>
  call<unknown>("POST", `${api}/invitations/accept`, { body });

export const mailPasswordLink = (email: string) =>
  call<unknown>("POST", `${api}/password/forgotten`, { body: { email } });
export const fetchPasswordLink = (token: string) =>
  call<{ email: string }>("POST", `${api}/password/look`, { body: { token } });
export const setNewPassword = (body: { token: string; password: string }) =>
  call<unknown>("POST", `${api}/password/new`, { body });

export const overview = (tenantId: string, siteId: string) =>
  call<Overview>("GET", `${tenantPath(tenantId)}/sites/${siteId}/overview`);
export const sendHours = (tenantId: string, siteId: string) =>
  call<SendHours>("GET", `${tenantPath(tenantId)}/sites/${siteId}/send-hours`);
export const sendFrequency = (tenantId: string, siteId: string) =>
  call<SendFrequencyView>("GET", `${tenantPath(tenantId)}/sites/${siteId}/send-frequency`);
export const period = (tenantId: string, siteId: string, days: number) =>
  call<Period>("GET", `${tenantPath(tenantId)}/sites/${siteId}/period?days=${days}`);
/** Reads the calendar of a month. `month`: YYYY-MM. Absent: this month. */
export const calendar = (tenantId: string, siteId: string, month: string | undefined) =>
  call<Calendar>(
    "GET",
    `${tenantPath(tenantId)}/sites/${siteId}/calendar${month === undefined ? "" : `?month=${month}`}`,
  );
export const screen = (tenantId: string, siteId: string) =>
  call<Screen>("GET", `${tenantPath(tenantId)}/sites/${siteId}/screen`);
export const subscribers = (tenantId: string, siteId: string) =>
  call<Subscribers>("GET", `${tenantPath(tenantId)}/sites/${siteId}/subscribers`);
export const audience = (
  tenantId: string,
  siteId: string,
  {
    topicIds,
    ...of
  }: { topicIds: string[] } & { [Name in "segment" | "followersOf" | "corrects" | "class"]: string | undefined },
) => {
  const given = Object.entries(of).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams([["topicIds", topicIds.join(",")], ...given]);
  return call<AudienceSize>("GET", `${tenantPath(tenantId)}/sites/${siteId}/audience?${query}`);
};
export const subscribersFile = (tenantId: string, siteId: string) =>
  addressOf(`${tenantPath(tenantId)}/sites/${siteId}/subscribers.ndjson`);

/** The parts of a notification to change. */
export type NudgeUpdate = { title?: string; body?: string };

export const preview = (tenantId: string, body: PreviewBody, signal: AbortSignal) =>
  call<Verdict>("POST", `${tenantPath(tenantId)}/content/preview`, { body, signal });
export const campaigns = (tenantId: string, query: Record<string, string>) =>
  call<CampaignPage>("GET", `${tenantPath(tenantId)}/campaigns?${new URLSearchParams(query)}`);
/** Reads the topics and senders of a site's campaigns, as choices for a filter. */
export const campaignChoices = (tenantId: string, siteId: string) =>
  call<CampaignChoices>("GET", `${tenantPath(tenantId)}/sites/${siteId}/campaign-choices`);
export const campaignsFile = (tenantId: string, query: Record<string, string>) =>
  addressOf(`${tenantPath(tenantId)}/campaigns.csv?${new URLSearchParams(query)}`);
export const campaign = (tenantId: string, campaignId: string) =>
  call<CampaignView>("GET", `${tenantPath(tenantId)}/campaigns/${campaignId}`);
export const forecast = (tenantId: string, campaignId: string) =>
  call<ForecastView>("GET", `${tenantPath(tenantId)}/campaigns/${campaignId}/forecast`);
export const sendFacts = (tenantId: string, campaignId: string) =>
  call<SendFacts>("GET", `${tenantPath(tenantId)}/campaigns/${campaignId}/send-facts`);
export const createCampaign = (tenantId: string, body: CampaignInput, idempotencyKey: string) =>
  call<CampaignView>("POST", `${tenantPath(tenantId)}/campaigns`, {
    body,
    headers: { "idempotency-key": idempotencyKey },
  });
export const changeCampaign = (tenantId: string, campaignId: string, body: CampaignChange) =>
  call<CampaignView>("PATCH", `${tenantPath(tenantId)}/campaigns/${campaignId}`, { body });
/** Changes a scheduled campaign, which stays scheduled. */
export const changeScheduled = (tenantId: string, campaignId: string, body: CampaignChange) =>
  call<CampaignView>("PATCH", `${tenantPath(tenantId)}/campaigns/${campaignId}/scheduled`, { body });
export const testCampaignNow = (tenantId: string, campaignId: string) =>
  call<TestSend>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/test`);
/** The time of a campaign: one moment, or a local time in each reader's time zone. */
export type Schedule = { scheduleAt: string } | { localTime: NonNullable<CampaignView["localTime"]> };
export const scheduleCampaign = (tenantId: string, campaignId: string, body: Schedule) =>
  call<CampaignView>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/schedule`, { body });
export const cancelCampaign = (tenantId: string, campaignId: string) =>
  call<CampaignView>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/cancel`);
/** Changes the notification of a campaign on the screens of readers. */
export const updateNudge = (tenantId: string, campaignId: string, body: NudgeUpdate) =>
  call<UpdateResult>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/updates`, { body });
export const updates = (tenantId: string, campaignId: string) =>
  call<{ updates: UpdateView[] }>("GET", `${tenantPath(tenantId)}/campaigns/${campaignId}/updates`).then(
    ({ updates }) => updates,
  );
/**
 * Begins a send that can be undone for some seconds. A second call, also from another tab, does not begin another
 * send. `as`: the campaign's `updatedAt` as the page shows it, or the approval request that the call approves.
 */
export const beginSend = (tenantId: string, campaignId: string, as: { updatedAt: string } | { requestId: string }) =>
  call<UndoWindow>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/undo-window`, { body: as });
export const undoWindows = (tenantId: string) =>
  call<{ data: UndoWindow[] }>("GET", `${tenantPath(tenantId)}/undo-windows`).then(({ data }) => data);
export const undoSend = (tenantId: string, campaignId: string) =>
  call<UndoWindow>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/undo-window/undo`, {
    keepalive: true,
  });

export const approvalRequest = (tenantId: string, campaignId: string) =>
  call<{ request: ApprovalRequest | null }>("GET", `${tenantPath(tenantId)}/campaigns/${campaignId}/approval-request`);
/** Asks a second person to approve the send. `schedule` null: the campaign goes out when it is approved. */
export const askToSend = (tenantId: string, campaignId: string, schedule: Schedule | null) =>
  call<ApprovalRequest>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/approval-request`, {
    body: schedule ?? {},
  });
export const approveRequest = (tenantId: string, campaignId: string, requestId: string) =>
  call<unknown>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/approval-request/approve`, {
    body: { requestId },
  });
export const refuseRequest = (tenantId: string, campaignId: string, requestId: string) =>
  call<unknown>("POST", `${tenantPath(tenantId)}/campaigns/${campaignId}/approval-request/refuse`, {
    body: { requestId },
  });

export const run = (tenantId: string, runId: string) => call<RunView>("GET", `${tenantPath(tenantId)}/runs/${runId}`);
export const stopRun = (tenantId: string, runId: string) =>
  call<RunView>("POST", `${tenantPath(tenantId)}/runs/${runId}/stop`);
/** Ends a headline test. All other readers get the variant with this index. */
export const chooseHeadline = (tenantId: string, runId: string, variant: number) =>
  call<RunView>("POST", `${tenantPath(tenantId)}/runs/${runId}/headline`, { body: { variant } });
export const runEvents = (tenantId: string, runId: string) => addressOf(`${tenantPath(tenantId)}/runs/${runId}/events`);
export const runFile = (tenantId: string, runId: string) =>
  addressOf(`${tenantPath(tenantId)}/runs/${runId}/report.csv`);

export const sites = (tenantId: string) => call<SitePage>("GET", `${tenantPath(tenantId)}/sites?limit=100`);
export const addSite = (tenantId: string, body: { name: string; url: string }) =>
  call<{ siteId: string }>("POST", `${tenantPath(tenantId)}/sites`, { body });
/** Returns the URL of a stream of events that name what has changed. */
export const siteChanges = (tenantId: string, siteId: string) =>
  addressOf(`${tenantPath(tenantId)}/sites/${siteId}/changes`);
export const readerSettings = (tenantId: string, siteId: string) =>
  call<ReaderSettingsView>("GET", `${tenantPath(tenantId)}/sites/${siteId}/readers`);
export const site = (tenantId: string, siteId: string) =>
  call<SiteSettings>("GET", `${tenantPath(tenantId)}/sites/${siteId}`);
export const changeSite = (tenantId: string, siteId: string, body: SiteChange) =>
  call<SiteSettings>("PATCH", `${tenantPath(tenantId)}/sites/${siteId}`, { body });
export const reportOfSite = (tenantId: string, siteId: string, query: { from: string; to: string; by: Grouping }) =>
  call<FiguresPage>(
    "GET",
    `${tenantPath(tenantId)}/sites/${siteId}/figures?${new URLSearchParams({ ...query, limit: "100" })}`,
  );
export const addTopic = (tenantId: string, siteId: string, name: string) =>
  call<{ topicId: string }>("POST", `${tenantPath(tenantId)}/sites/${siteId}/topics`, { body: { name } });
export const tenant = (tenantId: string) => call<TenantSettings>("GET", tenantPath(tenantId));
export const changeTenant = (
  tenantId: string,
  body: {
    name?: string;
    paused?: boolean;
    dpaAccepted?: true;
    confirmAbove?: number | null;
    requiresSecondFactor?: boolean;
  },
) => call<TenantSettings>("PATCH", tenantPath(tenantId), { body });

export const auditLog = (tenantId: string, query: Record<string, string>) =>
  call<AnswerOf<typeof readAuditLog>>("GET", `${tenantPath(tenantId)}/audit-log?${new URLSearchParams(query)}`);

export const peopleOfLog = (tenantId: string) =>
  call<AnswerOf<typeof readPeopleOfLog>>("GET", `${tenantPath(tenantId)}/audit-log/people`);

export const members = (tenantId: string) => call<Members>("GET", `${tenantPath(tenantId)}/members`);
export const changeMember = (tenantId: string, userId: string, roles: Roles) =>
  call<undefined>("PATCH", `${tenantPath(tenantId)}/members/${userId}`, { body: roles });
export const deleteMember = (tenantId: string, userId: string) =>
  call<undefined>("DELETE", `${tenantPath(tenantId)}/members/${userId}`);
export const passwordLink = (tenantId: string, userId: string) =>
  call<NewPasswordLink>("POST", `${tenantPath(tenantId)}/members/${userId}/password-link`);
export const invite = (tenantId: string, body: { email: string } & Roles) =>
  call<NewInvitation>("POST", `${tenantPath(tenantId)}/invitations`, { body });
export const deleteInvitation = (tenantId: string, invitationId: string) =>
  call<undefined>("DELETE", `${tenantPath(tenantId)}/invitations/${invitationId}`);

/** Reads the API keys. They are managed with the routes of /v1, in an owner's session. */
export const apiKeys = (tenantId: string) => call<ApiKeys>("GET", `/v1/tenants/${tenantId}/api-keys`);
export const addApiKeyNow = (tenantId: string, body: { name: string; scopes?: Scope[]; expiresAt?: string }) =>
  call<NewApiKey>("POST", `/v1/tenants/${tenantId}/api-keys`, { body });
export const deleteApiKey = (tenantId: string, keyId: string) =>
  call<undefined>("DELETE", `/v1/tenants/${tenantId}/api-keys/${keyId}`);
