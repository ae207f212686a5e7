import { createHash } from "node:crypto";
import { type Campaign, type Client, ConnectionError, PressbellError } from "../client/client.ts";
import type { Job } from "./journal.ts";

/** What became of a post: `again` is tried later. */
export type Outcome = { kind: "sent" | "skipped" | "refused" | "again"; message: string };

const repeated = ["dpa_required", "idempotency_key_reused"];
/** The page may not be there yet: sites that are built after a publication, and caches. */
const notYet = ["unreachable", "http_status"];

/**
 * Creates and sends the campaign of a post. Both carry a key of the post's id, so a post is sent at most once, however often
 * this runs and wherever it breaks off. Never throws, except the reason of an aborted `signal`.
 */
export async function sendPost(client: Client, siteId: string, job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    const earlier = await campaignOf(client, siteId, job, signal);
    return await (earlier === undefined ? createAndSend(client, siteId, job, signal) : send(client, earlier, signal));
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

async function createAndSend(client: Client, siteId: string, job: Job, signal: AbortSignal): Promise<Outcome> {
  const { url, title, imageUrl, topicIds } = job;
  const { decision, reasons } = await client.content.preview({ url, siteId }, { signal });
  const absent = decision === "skip" ? reasons.find(({ code }) => notYet.includes(code)) : undefined;
  if (absent !== undefined) return { kind: "again", message: absent.message };
  const nudge = { ...(title === undefined ? {} : { title }), ...(imageUrl === undefined ? {} : { imageUrl }) };
  const filter = topicIds.length === 0 ? {} : { topicIds };
  const campaign = await client.campaigns.create(
    { siteId, url, externalId: externalId(job), ...nudge, ...filter },
    { idempotencyKey: keyOf("create", siteId, job), signal },
  );
  return send(client, campaign, signal);
}

async function send(client: Client, campaign: Campaign, signal: AbortSignal): Promise<Outcome> {
  const { campaignId, status, decision } = campaign;
  if (status !== "draft") {
    const reasons = (decision?.reasons ?? []).map(({ message }) => message).join(" ");
    const isRejected = status === "cancelled" && decision?.decision === "skip";
    return { kind: "skipped", message: isRejected ? reasons : `its campaign ${campaignId} is ${status}` };
  }
  const { runId } = await client.campaigns.send(campaignId, { idempotencyKey: `bridge-send-${campaignId}`, signal });
  return { kind: "sent", message: `campaign ${campaignId}, run ${runId}` };
}

/**
 * What a person can mend within the hour, or mends itself, is tried again; also a creation that another bridge was quicker
 * with, whose campaign the next try finds.
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
