import { v7 } from "uuid";
import { reasonOf } from "../../src/decision/checks/check.ts";
import { decisionMessages } from "../../src/decision/messages.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { screenSeconds } from "../../src/runs/screen-times.ts";
import { usuallyReportsDisplays } from "../../src/subscribers/push-service.ts";
import { holdoutPercent } from "./holdout.ts";
import { type PastSend, planReceipts, type Receipts } from "./plan.ts";
import type { Random } from "./random.ts";

/**
 * The surroundings of the history. `origin`: that of the newspaper. `actors`: as the audit log names them.
 * `pushServices`: with their shares of the readers.
 */
export type Setting = {
  tenantId: string;
  siteId: string;
  origin: string;
  actors: Record<PastSend["author"], string>;
  topicIds: Record<string, string>;
  pushServices: { pushService: string; share: number }[];
  nowMs: number;
};

type Row = Record<string, unknown>;
/** The rows of a send by table, with the columns of the table. */
export type SendRows = Record<
  | "campaigns"
  | "planned_sends"
  | "runs"
  | "run_messages"
  | "run_totals"
  | "run_waves"
  | "headline_tests"
  | "receipt_hours"
  | "screen_times"
  | "click_outcomes"
  | "receipt_minutes"
  | "audit_events",
  Row[]
>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const ttlSeconds = 14_400;
/** The messages per second of the demo's service. */
const messagesPerSecond = 1_400;

const reasons = {
  article: reasonOf("article_type", { effect: "raises", message: decisionMessages.page_is_article() }),
  recent: reasonOf("recent", { effect: "raises", message: decisionMessages.story_recent() }),
  picture: reasonOf("no_image", { effect: "lowers", message: decisionMessages.picture_missing() }),
  product: reasonOf("product", { effect: "blocks", message: decisionMessages.page_is_product() }),
};

/** Returns the labels of a send: the desk, and a second label for breaking news. */
const labelsOf = ({ story, class: ofClass }: PastSend) => [
  story.topic ?? "City desk",
  ...(ofClass === "breaking" ? ["Front page"] : []),
];

function decisionOf({ end, score }: PastSend) {
  if (end === "rejected") return { decision: "skip", score: 0, reasons: [reasons.product] };
  const good = score === 0.8 ? [reasons.article, reasons.recent] : score === 0.7 ? [reasons.recent] : [reasons.article];
  return { decision: "send", score, reasons: [...good, reasons.picture] };
}

/**
 * Returns the rows of one send. `audience`: its size at that time. `gone`: how many of those readers no longer
 * existed. `corrected`: the rows of the send that it corrects.
 */
export function rowsOf(
  setting: Setting,
  random: Random,
  send: PastSend,
  { audience, gone, corrected }: { audience: number; gone: number; corrected: SendRows | undefined },
): SendRows {
  const { siteId } = setting;
  const at = new Date(send.atMs).toISOString();
  const campaignId = v7({ msecs: send.atMs - 4 * minuteMs });
  const topicIds = send.story.topic === undefined ? [] : [setting.topicIds[send.story.topic]!];
  const url = `${setting.origin}/archive/${campaignId}`;
  const { title, body } = send.story;
  const campaign = campaignRow(setting, send, {
    campaignId,
    topicIds,
    url,
    corrects: corrected?.campaigns[0]?.id ?? null,
  });
  const inParts = { run_waves: [], headline_tests: [] };
  const none = {
    ...inParts,
    planned_sends: [],
    runs: [],
    run_messages: [],
    run_totals: [],
    receipt_hours: [],
    screen_times: [],
    click_outcomes: [],
    receipt_minutes: [],
    audit_events: [],
  };
  if (send.end === "rejected" || audience === 0) return { ...none, campaigns: [{ ...campaign, status: "cancelled" }] };
  const notSent = send.end === "stopped" ? Math.round(audience * 0.62) : 0;
  // The demo's site limits notifications of class `low` to one a day for each reader, and some readers get none.
  const shareOfLow = (share: number) =>
    send.class === "low" && send.end === "completed" ? Math.round(audience * share) : 0;
  const capped = shareOfLow(0.04);
  const heldOut = shareOfLow(holdoutPercent / 100);
  const accepted = audience - notSent - gone - capped - heldOut;
  const run = runOf(setting, send, { campaign, audience, accepted, corrected: corrected?.runs[0]?.id });
  const ref = { site_id: siteId, run_id: run.id };
  const codes = {
    [finalCode.accepted]: accepted,
    [finalCode.gone]: gone,
    [finalCode.stopped]: notSent,
    [finalCode.classCap]: capped,
    [finalCode.heldOut]: heldOut,
  };
  const receipts = planReceipts(random, send, accepted, setting.nowMs);
  return {
    ...inParts,
    campaigns: [campaign],
    planned_sends: send.scheduled ? [scheduleOf(campaign, at, send.atMs - 3 * minuteMs)] : [],
    runs: [run],
    run_messages: [{ ...ref, no: 0, message: { title, body, url, imageUrl: null } }],
    run_totals: Object.entries(codes).flatMap(([code, n]) => totals(ref, setting.pushServices, Number(code), n)),
    ...receiptRows(setting, send, ref, receipts),
    audit_events: eventsOf(setting, send, { campaignId, runId: run.id, audience }),
  };
}

function campaignRow(
  setting: Setting,
  send: PastSend,
  { campaignId, topicIds, url, corrects }: { campaignId: string; topicIds: string[]; url: string; corrects: unknown },
) {
  const { title, body } = send.story;
  return {
    site_id: setting.siteId,
    id: campaignId,
    tenant_id: setting.tenantId,
    mode: "url",
    url,
    canonical_url: url,
    title,
    body,
    status: send.end === "rejected" ? "cancelled" : "started",
    topic_ids: topicIds,
    force_send: false,
    decision: decisionOf(send),
    ttl_seconds: ttlSeconds,
    urgency: "normal",
    class: send.class,
    labels: labelsOf(send),
    created_by: setting.actors[send.author],
    language: "en",
    corrects,
    extras: {},
    revision: 1,
    created_at: new Date(send.atMs - 4 * minuteMs).toISOString(),
    updated_at: new Date(send.atMs).toISOString(),
  };
}

/** Returns the row of a schedule that has been sent. `at`: its time in ISO 8601. */
export function scheduleOf(campaign: Row, at: string, decidedMs: number): Row {
  return {
    id: v7({ msecs: decidedMs }),
    tenant_id: campaign.tenant_id,
    site_id: campaign.site_id,
    campaign_id: campaign.id,
    campaign_revision: campaign.revision,
    waits_for: "time",
    starts_at: at,
    local_time: null,
    late_from: null,
    is_unapproved: false,
    audience_exact: true,
    delay_notified: false,
    status: "sent",
    decided_at: new Date(decidedMs).toISOString(),
    ended_at: at,
  };
}

function runOf(
  setting: Setting,
  send: PastSend,
  of: { campaign: Row; audience: number; accepted: number; corrected: unknown },
) {
  const { campaign, audience, accepted, corrected } = of;
  const id = v7({ msecs: send.atMs });
  const [thread, to] = corrected
    ? [
        { thread_id: corrected, sequence: 1 },
        { of: "recipients", runId: corrected, outcomes: [finalCode.accepted] },
      ]
    : [
        { thread_id: id, sequence: 0 },
        { of: "readers", topicIds: campaign.topic_ids, segment: null, upTo: 0 },
      ];
  const at = (ms: number) => new Date(send.atMs + ms).toISOString();
  const tookMs = 900 + ((send.end === "stopped" ? 0.38 : 1) * audience * 1_000) / messagesPerSecond;
  return {
    site_id: setting.siteId,
    id,
    tenant_id: setting.tenantId,
    campaign_id: campaign.id,
    kind: "live",
    class: send.class,
    status: send.end,
    priority: 0,
    ...thread,
    audience: to,
    timing: { at: "once" },
    ttl_seconds: ttlSeconds,
    urgency: "normal",
    expected_audience: audience,
    expires_at: at(ttlSeconds * 1_000),
    created_at: at(0),
    started_at: at(120),
    planned_at: at(300),
    finished_at: at(tookMs),
    pruned_at: at(tookMs),
    counts_at: at(0),
    stop_requested_at: send.end === "stopped" ? at(tookMs - 400) : null,
    plan_cursor: 0,
    planned_batches: 0,
    push_services: [],
    served: audience,
    plan_failures: 0,
    repeated: 0,
    reporting: reportingOf(setting, accepted),
  };
}

function totals(ref: Row, pushServices: Setting["pushServices"], code: number, n: number): Row[] {
  const shares = pushServices.map(({ share }) => share);
  return divide(n, shares)
    .map((part, i) => ({ ...ref, push_service: pushServices[i]!.pushService, code, n: part }))
    .filter((row) => row.n > 0);
}

/** Divides `n` by `shares`, which add up to 1, into whole numbers. The first part gets the rest from rounding. */
export function divide(n: number, shares: number[]): number[] {
  const parts = shares.map((share) => Math.floor(n * share));
  const rest = n - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, i) => part + (i === 0 ? rest : 0));
}

/** Returns how many of `n` recipients have browsers that report displays. */
function reportingOf({ pushServices }: Setting, n: number): number {
  const share = pushServices.reduce((sum, one) => sum + (usuallyReportsDisplays(one.pushService) ? one.share : 0), 0);
  return Math.round(n * share);
}

const kinds = ["displayed", "clicked", "dismissed", "unsubscribed"] as const;
type Counted = { atMs: number } & Record<(typeof kinds)[number], number>;

function sumBy(counted: Counted[], stepMs: number, name: "hour" | "minute"): Row[] {
  const sums = new Map<number, Record<string, number>>();
  for (const { atMs, ...counts } of counted) {
    const start = Math.floor(atMs / stepMs) * stepMs;
    const sum = sums.get(start) ?? {};
    for (const kind of kinds) sum[kind] = (sum[kind] ?? 0) + counts[kind];
    sums.set(start, sum);
  }
  return [...sums].map(([start, sum]) => ({ [name]: new Date(start).toISOString(), ...sum }));
}

/** Returns the sums of a send's receipts: by hour, recent ones by minute, and displays by the time that they took. */
function receiptRows(setting: Setting, send: PastSend, ref: Row, receipts: Receipts[]) {
  const counted = receipts.map(({ minute, ...counts }) => ({ atMs: send.atMs + minute * minuteMs, ...counts }));
  const isYoung = (atMs: number) => atMs > setting.nowMs - 3 * 24 * hourMs && atMs < send.atMs + 3 * hourMs;
  const young = counted.filter(({ atMs }) => isYoung(atMs));
  return {
    receipt_hours: sumBy(counted, hourMs, "hour").map((hour) => ({
      ...ref,
      ...hour,
      clicked_reporting: reportingOf(setting, Number(hour.clicked)),
    })),
    receipt_minutes: sumBy(young, minuteMs, "minute").map(({ minute, displayed, clicked }) => ({
      ...ref,
      minute,
      displayed,
      clicked,
    })),
    screen_times: screenTimesOf(ref, receipts),
    click_outcomes: outcomesOf(ref, counted),
  };
}

/**
 * Returns the outcomes of the clicks: about half of the readers read to the end, and some open another page or
 * register.
 */
function outcomesOf(ref: Row, counted: { clicked: number }[]): Row[] {
  const clicked = counted.reduce((sum, one) => sum + one.clicked, 0);
  const shares = { read: 0.47, second_page: 0.22, registered: 0.013 };
  return Object.entries(shares)
    .map(([name, share]) => ({ ...ref, name, n: Math.round(clicked * share) }))
    .filter(({ n }) => n > 0);
}

/**
 * Returns the displays by the time that they took. `receipts`: by minute after the send. Those of a minute count at
 * its middle.
 */
function screenTimesOf(ref: Row, receipts: { minute: number; displayed: number }[]): Row[] {
  const boundOf = (minute: number) => screenSeconds.find((bound) => bound >= minute * 60 + 30) ?? screenSeconds.at(-1)!;
  return [...Map.groupBy(receipts, ({ minute }) => boundOf(minute))]
    .map(([seconds, within]) => ({ ...ref, seconds, displayed: within.reduce((sum, one) => sum + one.displayed, 0) }))
    .filter(({ displayed }) => displayed > 0);
}

function eventsOf(
  setting: Setting,
  send: PastSend,
  { campaignId, runId, audience }: { campaignId: string; runId: string; audience: number },
): Row[] {
  const by = setting.actors[send.author];
  const at = (ms: number) => new Date(send.atMs + ms).toISOString();
  const of = { tenant_id: setting.tenantId, site_id: setting.siteId, subject_id: campaignId };
  const planned = {
    ...of,
    at: at(-3 * minuteMs),
    actor: by,
    event: "campaign.scheduled",
    details: { scheduledAt: at(0) },
  };
  const actor = send.scheduled ? "schedule" : by;
  const sent = { ...of, at: at(0), actor, event: "campaign.sent", details: { audience, audienceExact: true } };
  const stopped = { ...of, subject_id: runId, at: at(3_000), actor: by, event: "run.stopped", details: {} };
  return [...(send.scheduled ? [planned] : []), sent, ...(send.end === "stopped" ? [stopped] : [])];
}
