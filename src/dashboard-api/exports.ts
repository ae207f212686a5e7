import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { appError, invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { readRun } from "../runs/read-run.ts";
import { findSite } from "./audience.ts";
import { type CampaignNames, namesOfCampaigns } from "./campaign-queries.ts";
import { type CampaignRow, findCampaigns } from "./find-campaigns.ts";
import { subscribersPage } from "./queries.ts";
import { readReport } from "./reports/read-report.ts";

const pageSize = 100;
const subscribersPerPage = 2_000;

const figureNames = [
  ...(["audience", "pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"] as const),
  ...(["displayed", "clicked", "dismissed", "unsubscribed", "reporting"] as const),
];
const campaignColumns = [
  ...["created", "status", "title", "url", "externalId", ...figureNames, "class", "labels"],
  ...["sent", "topics", "segment", "sender", "followersOf"],
];

/**
 * Returns the lines of a CSV file (RFC 4180) with all campaigns that match the filter in `query`, the newest first.
 * Records an audit event. Throws `validation_failed`.
 */
export async function exportCampaigns(
  app: App,
  actor: Actor,
  input: { query: unknown },
): Promise<AsyncGenerator<string>> {
  const query = { ...(input.query as object), limit: String(pageSize) };
  if ("sort" in query) throw invalidFields([fault("/sort", faults.unknown_field())]);
  const first = await readReport(app, (reader) => findCampaigns(reader, actor, { query }));
  await recordAuditEvent(app.db, actor, "campaigns.exported");
  return campaignLines(app, actor, query, first);
}

async function* campaignLines(
  app: App,
  actor: Actor,
  query: object,
  first: Awaited<ReturnType<typeof findCampaigns>>,
): AsyncGenerator<string> {
  yield csvLine(campaignColumns);
  for (let page = first; ; ) {
    yield await linesOf(app, actor, page.data);
    if (page.nextCursor === null) return;
    const next = { query: { ...query, cursor: page.nextCursor } };
    page = await readReport(app, (reader) => findCampaigns(reader, actor, next));
  }
}

async function linesOf(app: App, { tenantId }: Actor, campaigns: CampaignRow[]): Promise<string> {
  const ids = campaigns.map(({ campaignId }) => campaignId);
  const names = await readReport(app, ({ db }) => namesOfCampaigns(db, tenantId, ids));
  const byId = new Map(names.map((one) => [one.id, one]));
  return campaigns.map((campaign) => csvLine(cellsOf(campaign, byId.get(campaign.campaignId)))).join("");
}

function cellsOf(campaign: CampaignRow, names: CampaignNames | undefined): unknown[] {
  const { createdAt, status, title, url, externalId, run, class: ofClass, labels } = campaign;
  const figures = figureNames.map((name) => run?.[name]);
  const { topics = [], segment, sender } = names ?? {};
  return [
    ...[createdAt, status, title, url, externalId, ...figures, ofClass, labels.join("; ")],
    ...[run?.startedAt, topics.join("; "), segment, sender, campaign.followersOf],
  ];
}

/** Returns a CSV file with a run's outcomes by push service and reason. Records an audit event. Throws `not_found`. */
export async function exportRun(app: App, actor: Actor, input: { runId: string }): Promise<string> {
  const run = await readRun(app, actor, input);
  if (run.campaignId === null) throw appError("not_found");
  const { title } = await readCampaign(app, actor, { campaignId: run.campaignId });
  const of = (cells: unknown[]) => csvLine([title, run.startedAt, ...cells]);
  await recordAuditEvent(app.db, actor, "run.exported", { subjectId: run.runId });
  const accepted = of(["accepted", "accepted", "all", run.accepted, "Taken by the push service."]);
  const rest = run.reasons.map(({ class: name, reason, pushService, count, message }) =>
    of([name, reason, pushService, count, message]),
  );
  return [
    csvLine(["title", "started", "outcome", "reason", "pushService", "count", "meaning"]),
    accepted,
    ...rest,
  ].join("");
}

/**
 * Returns the subscribers of a site as NDJSON, in the format of `pressbell subscribers import`. Records an audit event.
 * Throws `not_found`.
 */
export async function exportSubscribers(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<AsyncGenerator<string>> {
  await findSite(app, actor, siteId);
  await recordAuditEvent(app.db, actor, "subscribers.exported", { siteId });
  return subscriberLines(app, siteId);
}

async function* subscriberLines(app: App, siteId: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const page = await readReport(app, ({ db }) => subscribersPage(db, siteId, after, subscribersPerPage));
    const lines = page.map(({ endpoint, p256dh, auth, topics }) => {
      const keys = { p256dh: p256dh.toString("base64url"), auth: auth.toString("base64url") };
      return `${JSON.stringify({ endpoint, keys, topics })}\n`;
    });
    if (lines.length > 0) yield lines.join("");
    if (page.length < subscribersPerPage) return;
    after = page.at(-1)!.id;
  }
}

/**
 * Returns one line of CSV. A text that a spreadsheet would run as a formula gets a leading apostrophe, because titles
 * come from outside and are not trusted.
 */
function csvLine(cells: unknown[]): string {
  const texts = cells.map((cell) => {
    const text = String(cell ?? "");
    const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${texts.join(",")}\r\n`;
}
