import { createHash } from "node:crypto";
import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant } from "../db/database.ts";
import { decideStory, type Verdict } from "../decision/decide-story.ts";
import { appError, type FieldFault, invalidFields } from "../errors.ts";
import { newId } from "../ids.ts";
import { maxPayloadBytes, payloadBytes } from "../runs/payload.ts";
import { sameBytes } from "../secret-box.ts";
import { siteOfTenant } from "../tenants/queries.ts";
import {
  type CampaignInput,
  type CampaignView,
  defaultTtlSeconds,
  readCampaignInput,
  viewCampaign,
  type Warning,
} from "./campaign.ts";
import {
  campaignByIdempotencyKey,
  campaignOfTenant,
  insertCampaign,
  type NewCampaign,
  unknownTopics,
} from "./queries.ts";

/**
 * Creates a campaign from `body` (see readCampaignInput). In url mode the story is read and judged: a skip lands as
 * `cancelled` unless forceSend is set. With an Idempotency-Key the same body again returns the same campaign, with
 * `duplicate: true`. Throws `validation_failed`, `url_not_allowed`, `fetch_failed` (forced, but neither the caller nor
 * the page gives a title) and `idempotency_key_reused`.
 */
export async function createCampaign(
  app: App,
  actor: Actor,
  input: { body: unknown; idempotencyKey: string | null },
): Promise<CampaignView & { duplicate: boolean }> {
  const wanted = readCampaignInput(input.body);
  const idempotency = input.idempotencyKey === null ? null : { key: input.idempotencyKey, bodyHash: hashInput(wanted) };
  const earlier = await findEarlier(app, actor, idempotency);
  if (earlier !== undefined) return earlier;
  await checkReferences(app, actor, wanted);

  const verdict = wanted.mode === "url" ? await judge(app, wanted) : null;
  const campaign = writeCampaign(actor, wanted, verdict, idempotency);
  checkPayload(campaign);

  const isNew = await inTenant(app.db, actor.tenantId, (tx) => insertCampaign(tx, campaign));
  if (!isNew) return (await findEarlier(app, actor, idempotency))!;
  const record = (await campaignOfTenant(app.db, actor.tenantId, campaign.id))!;
  return { ...viewCampaign(record, warningsOf(wanted)), duplicate: false };
}

/** Two bodies are the same if they ask for the same: the order of fields and a null count for nothing. */
function hashInput(wanted: CampaignInput): Buffer {
  const entries = Object.entries(wanted).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(entries)).digest();
}

async function findEarlier(app: App, actor: Actor, idempotency: NewCampaign["idempotency"]) {
  if (idempotency === null) return undefined;
  const earlier = await campaignByIdempotencyKey(app.db, actor.tenantId, idempotency.key);
  if (earlier === undefined) return undefined;
  if (!sameBytes(earlier.bodyHash, idempotency.bodyHash)) throw appError("idempotency_key_reused");
  const record = (await campaignOfTenant(app.db, actor.tenantId, earlier.id))!;
  return { ...viewCampaign(record), duplicate: true };
}

async function checkReferences(app: App, actor: Actor, wanted: CampaignInput): Promise<void> {
  if ((await siteOfTenant(app.db, actor.tenantId, wanted.siteId)) === undefined) {
    throw invalidFields([{ path: "/siteId", message: "is no site of this tenant" }]);
  }
  const topicIds = wanted.topicIds ?? [];
  const unknown = await unknownTopics(app.db, wanted.siteId, topicIds);
  const faults = topicIds.flatMap((id, index): FieldFault[] =>
    unknown.has(id) ? [{ path: `/topicIds/${index}`, message: "is no topic of this site" }] : [],
  );
  if (faults.length > 0) throw invalidFields(faults);
}

async function judge(app: App, wanted: CampaignInput): Promise<Verdict> {
  const { title, body, imageUrl } = wanted;
  const verdict = await decideStory(app, { url: wanted.url, given: { title, body, imageUrl } });
  if (wanted.forceSend === true && verdict.nudge.title === null) throw appError("fetch_failed");
  return verdict;
}

function writeCampaign(
  actor: Actor,
  wanted: CampaignInput,
  verdict: Verdict | null,
  idempotency: NewCampaign["idempotency"],
): NewCampaign {
  const forceSend = wanted.forceSend ?? false;
  const isRejected = verdict?.decision === "skip" && !forceSend;
  const nudge = verdict?.nudge ?? { title: wanted.title!, body: wanted.body!, imageUrl: wanted.imageUrl || null };
  return {
    id: newId(),
    tenantId: actor.tenantId,
    siteId: wanted.siteId,
    externalId: wanted.externalId ?? null,
    mode: wanted.mode,
    status: isRejected ? "cancelled" : "draft",
    url: wanted.url,
    title: nudge.title,
    body: nudge.body ?? "",
    imageUrl: nudge.imageUrl,
    topicIds: wanted.topicIds ?? [],
    forceSend,
    decision: verdict && { decision: verdict.decision, score: verdict.score, reasons: verdict.reasons },
    canonicalUrl: verdict?.article.canonicalUrl ?? null,
    ttlSeconds: wanted.ttlSeconds ?? defaultTtlSeconds,
    urgency: wanted.urgency ?? "normal",
    createdBy: actorName(actor),
    idempotency,
  };
}

/** A message too large for a push service is refused here, not by every push service for every reader. */
function checkPayload(campaign: NewCampaign): void {
  const { title, body, url, imageUrl } = campaign;
  const bytes = payloadBytes({ title: title ?? "", body, url, imageUrl });
  if (bytes > maxPayloadBytes) {
    const message = `makes a message of ${bytes} bytes, and push services take ${maxPayloadBytes}: shorten url, imageUrl or text`;
    throw invalidFields([{ path: imageUrl === null ? "/url" : "/imageUrl", message }]);
  }
}

function warningsOf(wanted: CampaignInput): Warning[] {
  if (wanted.topicIds?.length !== 0) return [];
  return [
    { code: "no_topic_filter", message: "topicIds is empty: the campaign goes to every subscriber of the site." },
  ];
}
