import { createHash } from "node:crypto";
import { type Campaign, type Client, ConnectionError, type Decision, PressbellError } from "../client/client.ts";
import type { Job } from "./journal.ts";

/** What became of a post: `again` is tried later. */
export type Outcome = { kind: "sent" | "skipped" | "refused" | "again"; message: string };

/** `unexpected_answer`: of a proxy, some of which answer 404 or with a page of their own while the service is away. */
const repeated = ["dpa_required", "idempotency_key_reused", "unexpected_answer"];
/** The page may not be there yet: sites that are built after a publication, and caches. Or it is there no more. */
const notYet = ["unreachable", "http_status"];

/**
 * Creates and sends the campaign of a post. Both carry a key of the post's id, so a post is sent at most once, however
 * often this runs and wherever it breaks off. Never throws, except the reason of an aborted `signal`.
 */
export async function sendPost(client: Client, siteId: string, job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    const found = await campaignOf(client, siteId, job, signal);
    const earlier = found && absenceIn(found.decision) === undefined ? found : undefined;
    if (earlier !== undefined && earlier.status !== "draft") return skip(earlier);
    // Before each try: a post that waits, as while sending is paused, may be withdrawn meanwhile.
    const absent = await absenceOf(client, siteId, earlier?.url ?? job.url, signal);
    if (absent !== undefined) return { kind: "again", message: absent };
    const campaign = earlier ?? (await create(client, siteId, job, signal));
    const message = absenceIn(campaign.decision);
    return message === undefined ? await send(client, campaign, signal) : { kind: "again", message };
  } catch (error) {
    signal.throwIfAborted();
    return outcomeOf(error);
  }
}

/** The post may have changed since its campaign was created: then its key would be refused with the new text. */
async function campaignOf(
  client: Client,
  siteId: string,
  job: Job,
  signal: AbortSignal,
): Promise<Campaign | undefined> {
  const { data } = await client.campaigns.listPage({ siteId, externalId: externalId(job) }, { limit: 1, signal });
  return data[0];
}

/** Why the page cannot be read now; undefined if it can. */
async function absenceOf(
  client: Client,
  siteId: string,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return absenceIn(await client.content.preview({ url, siteId }, { signal }));
}

/** Why the page could not be read, by a decision; undefined if it could. */
function absenceIn(decided: Pick<Decision, "decision" | "reasons"> | null): string | undefined {
  return decided?.decision === "skip" ? decided.reasons.find(({ code }) => notYet.includes(code))?.message : undefined;
}

async function create(client: Client, siteId: string, job: Job, signal: AbortSignal): Promise<Campaign> {
  const { url, title, imageUrl, topicIds } = job;
  const nudge = { ...(title === undefined ? {} : { title }), ...(imageUrl === undefined ? {} : { imageUrl }) };
  const filter = topicIds.length === 0 ? {} : { topicIds };
  return client.campaigns.create(
    { siteId, url, externalId: externalId(job), ...nudge, ...filter },
    { idempotencyKey: keyOf("create", siteId, job), signal },
  );
}

async function send(client: Client, campaign: Campaign, signal: AbortSignal): Promise<Outcome> {
  const { campaignId, status } = campaign;
  if (status !== "draft") return skip(campaign);
  const { runId } = await client.campaigns.send(campaignId, { idempotencyKey: `bridge-send-${campaignId}`, signal });
  return { kind: "sent", message: `campaign ${campaignId}, run ${runId}` };
}

function skip({ campaignId, status, decision }: Campaign): Outcome {
  const reasons = (decision?.reasons ?? []).map(({ message }) => message).join(" ");
  const isRejected = status === "cancelled" && decision?.decision === "skip";
  return { kind: "skipped", message: isRejected ? reasons : `its campaign ${campaignId} is ${status}` };
}

/**
 * What a person can fix within the hour, or fixes itself, is tried again; also a creation that another bridge was
 * quicker with, whose campaign the next try finds.
 */
function outcomeOf(error: unknown): Outcome {
  const { message } = error as Error;
  if (error instanceof ConnectionError) return { kind: "again", message };
  if (!(error instanceof PressbellError)) return { kind: "refused", message };
  const isPassing =
    error.status >= 500 || [401, 402, 408, 423, 429].includes(error.status) || repeated.includes(error.code);
  const faults = error.faults.map(({ path, message: fault }) => `${path} ${fault}`).join("; ");
  return { kind: isPassing ? "again" : "refused", message: `${error.code}: ${faults || message}` };
}

function externalId({ id }: Job): string {
  return `bridge:${id}`;
}

function keyOf(step: string, siteId: string, { id }: Job): string {
  return `bridge-${step}-${createHash("sha256").update(`${siteId}/${id}`).digest("hex")}`;
}
