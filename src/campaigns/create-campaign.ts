import { createHash } from "node:crypto";
import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { inTenant } from "../db/pool.ts";
import { isNoAnswer } from "../decision/checks/check.ts";
import { decideStory, type Verdict } from "../decision/decide-story.ts";
import { canonicalForm } from "../decision/story-url.ts";
import { appError, invalidFields } from "../errors.ts";
import { newId } from "../ids.ts";
import { enforceLimit } from "../rate-limits/count-requests.ts";
import { campaignLimit } from "../rate-limits/limits.ts";
import { sameBytes } from "../secret-box.ts";
import { defaultClass } from "../tenants/sites/campaign-classes.ts";
import {
  type CampaignRecord,
  type CampaignView,
  defaultTtlSeconds,
  viewCampaign,
  warningsOfTopics,
} from "./campaign.ts";
import { type CampaignInput, readCampaignInput } from "./campaign-input.ts";
import { assertPayloadFits, faultsOfFollowers, faultsOfReferences } from "./campaign-rules.ts";
import { checkCorrection } from "./correction.ts";
import { assertVariantsFit } from "./headline-variants.ts";
import { withExtras } from "./nudge-extras.ts";
import { campaignByIdempotencyKey, campaignOfTenant, insertCampaign, type NewCampaign } from "./queries.ts";

const usedUp = `This publisher has created ${campaignLimit.quota.toLocaleString("en")} campaigns within a day. Wait for the next day.`;

/** The Idempotency-Key of a creation, and the hash of its input. */
export type Idempotency = { key: string; bodyHash: Buffer };

/** The parts of the app that a decision needs. */
type Deciding = Parameters<typeof decideStory>[0];

/**
 * Creates a campaign from `body` (see readCampaignInput). In url mode the story is read and checked. If the decision
 * is to skip it, the new campaign is cancelled, unless forceSend is set. `verdict`: the verdict of a caller that has
 * already checked the story by stricter rules (feeds). The same body with the same Idempotency-Key returns the first
 * campaign, with `duplicate: true`. If that campaign was cancelled because its page did not answer, the story is read
 * again.
 *
 * Throws `validation_failed`, `rate_limited`, `url_not_allowed`, `fetch_failed` (with forceSend, if neither the caller
 * nor the page gives a title) and `idempotency_key_reused`.
 */
export async function createCampaign(
  app: App,
  actor: Actor,
  input: { body: unknown; idempotencyKey: string | null; verdict?: Verdict },
): Promise<CampaignView & { duplicate: boolean }> {
  const read = readCampaignInput(input.body);
  if (read.faults !== undefined) {
    throw invalidFields([...read.faults, ...(await faultsOfReferences(app.db, actor.tenantId, read.named))]);
  }
  const { wanted } = read;
  const idempotency = idempotencyOf(input.idempotencyKey, fieldsOf(wanted));
  const warnings = warningsOfTopics(wanted.topicIds);
  const viewEarlier = (earlier: CampaignRecord) => ({ ...viewCampaign(earlier, warnings), duplicate: true });
  const earlier = await findEarlier(app, actor, idempotency);
  if (earlier !== undefined) return viewEarlier(earlier);
  const { faults, given } = await checkReferences(app, actor, wanted);
  if (faults.length > 0) throw invalidFields(faults);

  await countCampaigns(app, actor, 1);
  const { campaign, isUnread } = await prepareCampaign(app, actor, { ...wanted, ...given }, input.verdict);
  // A page may be published moments after it is announced. After a rejection of an unread page, the key stays free for
  // the next try.
  const kept = isUnread ? null : idempotency;
  const isNew = await inTenant(app.db, actor.tenantId, (tx) => insertCampaign(tx, withKey(campaign, kept)));
  if (!isNew) return viewEarlier((await findEarlier(app, actor, idempotency))!);
  const record = (await campaignOfTenant(app.db, actor.tenantId, campaign.id))!;
  return { ...viewCampaign(record, warnings), duplicate: false };
}

/** Returns the fields of a parsed input in one order, for its hash. */
export function fieldsOf(wanted: CampaignInput): [name: string, value: unknown][] {
  return Object.entries(wanted).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Returns the key of a creation with the hash of its parsed input. The body is not hashed, so that the order of fields
 * and a null for an absent field make no difference.
 */
export function idempotencyOf(key: string | null, fields: unknown): Idempotency | null {
  return key === null ? null : { key, bodyHash: createHash("sha256").update(JSON.stringify(fields)).digest() };
}

/** Returns the campaign to insert with its Idempotency-Key, if there is one. */
export function withKey(campaign: NewCampaign, idempotency: Idempotency | null): NewCampaign {
  return { ...campaign, idempotencyKey: idempotency?.key ?? null, idempotencyBodyHash: idempotency?.bodyHash ?? null };
}

/**
 * Returns the campaign that an earlier request with this key created. Throws `idempotency_key_reused` if the earlier
 * input differs.
 */
export async function findEarlier(
  app: App,
  actor: Actor,
  idempotency: Idempotency | null,
): Promise<CampaignRecord | undefined> {
  if (idempotency === null) return undefined;
  const earlier = await campaignByIdempotencyKey(app.db, actor.tenantId, idempotency.key);
  if (earlier === undefined) return undefined;
  if (!sameBytes(earlier.bodyHash, idempotency.bodyHash)) throw appError("idempotency_key_reused");
  return campaignOfTenant(app.db, actor.tenantId, earlier.id);
}

/**
 * Returns the faults of the ids in a parsed input, and the fields that a correction takes over from the corrected
 * campaign.
 */
export async function checkReferences(app: App, actor: Actor, wanted: CampaignInput) {
  const named = { siteId: wanted.siteId, topicIds: wanted.topicIds ?? [], segment: wanted.segment };
  const correction = await checkCorrection(app, actor.tenantId, wanted);
  const faults = [
    ...(await faultsOfReferences(app.db, actor.tenantId, named)),
    ...faultsOfFollowers({ topicIds: named.topicIds, followersOf: wanted.followersOf }),
    ...correction.faults,
  ];
  return { faults, given: correction.given };
}

/** Counts new campaigns towards the limit of a tenant. Feeds have limits of their own, and the operator has none. */
export async function countCampaigns(app: App, actor: Actor, campaigns: number): Promise<void> {
  if (actor.kind !== "key" && actor.kind !== "user") return;
  await enforceLimit(app, campaignLimit, actor.tenantId, usedUp, campaigns);
}

/**
 * Checks the story of a campaign and returns the campaign to insert. `isUnread`: the campaign is rejected because its
 * page did not answer. Throws `validation_failed`, `url_not_allowed`, `fetch_failed` and `unavailable`.
 */
export async function prepareCampaign(
  app: Deciding,
  actor: Actor,
  wanted: CampaignInput,
  known: Verdict | undefined,
): Promise<{ campaign: NewCampaign; isUnread: boolean }> {
  const verdict = wanted.mode === "url" ? (known ?? (await decide(app, actor, wanted))) : null;
  const campaign = toNewCampaign(actor, wanted, verdict);
  assertPayloadFits(campaign);
  await assertVariantsFit(app.db, campaign);
  const isUnread = campaign.status === "cancelled" && verdict!.reasons.some(isNoAnswer);
  return { campaign, isUnread };
}

async function decide(app: Deciding, actor: Actor, wanted: CampaignInput): Promise<Verdict> {
  const { title, body, imageUrl, siteId, topicIds, segment, followersOf, class: ofClass } = wanted;
  const story = { url: wanted.url, tenantId: actor.tenantId, given: { title, body, imageUrl } };
  const isCorrection = wanted.corrects != null;
  const verdict = await decideStory(app, {
    ...story,
    site: {
      siteId,
      topicIds,
      segment: segment || undefined,
      followersOf: followersOf || undefined,
      class: ofClass,
      isCorrection,
    },
  });
  if (wanted.forceSend === true && verdict.nudge.title === null) throw appError("fetch_failed");
  return verdict;
}

function toNewCampaign(actor: Actor, wanted: CampaignInput, verdict: Verdict | null): NewCampaign {
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
    extras: withExtras({}, wanted),
    language: verdict?.article.language ?? null,
    topicIds: wanted.topicIds ?? [],
    segment: wanted.segment || null,
    followersOf: wanted.followersOf || null,
    forceSend,
    decision: verdict && { decision: verdict.decision, score: verdict.score, reasons: verdict.reasons },
    canonicalUrl: verdict?.article.canonicalUrl ?? canonicalForm(wanted.url, wanted.url),
    ttlSeconds: wanted.ttlSeconds ?? defaultTtlSeconds,
    urgency: wanted.urgency ?? "normal",
    class: wanted.class ?? defaultClass,
    labels: wanted.labels ?? [],
    createdBy: actorName(actor),
    corrects: wanted.corrects ?? null,
    groupId: null,
    idempotencyKey: null,
    idempotencyBodyHash: null,
  };
}
