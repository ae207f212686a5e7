import { createHash } from "node:crypto";
import { type Campaign, type Client, ConnectionError, type Decision, PressbellError } from "../client/client.ts";
import type { Job } from "./journal.ts";

/** The outcome of a post. `again`: the post is tried again later. */
export type Outcome = { kind: "sent" | "skipped" | "refused" | "again"; message: string };

/**
 * Error codes after which a post is tried again. `unexpected_answer` comes from a proxy: some answer 404 or with a
 * page of their own while the service is away.
 */
const repeated = ["dpa_required", "idempotency_key_reused", "unexpected_answer"];
/**
 * Reasons for which the page may be missing: a site that is built after a publication, a cache, or a withdrawn post.
 */
const notYet = ["unreachable", "http_status"];

/**
 * Creates and sends the campaign of a post. Both calls carry an idempotency key that is made from the post's id, so a
 * post is sent at most once, however often this runs and wherever it breaks off. Throws only the reason of an aborted
 * `signal`.
 */
export async function sendPost(client: Client, siteId: string, job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    const found = await campaignOf(client, siteId, job, signal);
    const earlier = found && absenceIn(found.decision) === undefined ? found : undefined;
    if (earlier !== undefined && earlier.status !== "draft") return skip(earlier);
    // Checked before each try: a post can be withdrawn while it waits, for example while sending is paused.
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

/**
 * Returns the earlier campaign of the post. If the post has changed since, a creation with the same key would be
 * refused.
 */
async function campaignOf(
  client: Client,
  siteId: string,
  job: Job,
  signal: AbortSignal,
): Promise<Campaign | undefined> {
  const { data } = await client.campaigns.listPage({ siteId, externalId: externalId(job) }, { limit: 1, signal });
  return data[0];
}

/** Returns why the page cannot be read now, or undefined if it can. */
async function absenceOf(
  client: Client,
  siteId: string,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return absenceIn(await client.content.preview({ url, siteId }, { signal }));
}

/** Returns why the page could not be read when the decision was made, or undefined if it could. */
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
 * Returns `again` for failures that pass, or that a person can fix within the hour, and `refused` for all others. The
 * creation is also tried again if another bridge has used its key: the next try finds the campaign of that bridge.
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
