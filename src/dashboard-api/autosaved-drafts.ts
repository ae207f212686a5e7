import { z } from "zod";
import type { Member } from "../actor.ts";
import type { App } from "../app.ts";
import { maxLabels, maxSitesOfGroup, maxTopics } from "../campaigns/campaign-input.ts";
import { maxVariants } from "../campaigns/headline-variants.ts";
import { campaignOfTenant } from "../campaigns/queries.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { isId, newId } from "../ids.ts";
import { expects, flag, oneOf, parseInput, uuid } from "../input.ts";
import type { MaintenanceTask } from "../maintenance.ts";
import { campaignClass, defaultClass } from "../tenants/sites/campaign-classes.ts";
import { findSite } from "./audience.ts";
import {
  type AutosavedDraftOwner,
  autosavedDraftsOfMember,
  deleteAutosavedDraftOfMember,
  deleteOldAutosavedDrafts,
  deleteOldestAutosavedDrafts,
  insertAutosavedDraft,
  lockAutosavedDraft,
  updateAutosavedDraft,
} from "./autosaved-draft-queries.ts";

/**
 * The most autosaved drafts of a member at a site. A further draft deletes the one that was not saved for the longest
 * time.
 */
export const autosavedDraftsKept = 50;
/** The most expired drafts that one sweep deletes. */
const deletedAtOnce = 1_000;

/**
 * A text of a draft. It may be far longer than in a notification. A text that is too long is kept, and is refused
 * only when it becomes a campaign.
 */
const typed = z.string(expects("a string")).max(4_000, zodText(faults.too_long({ most: 4_000 })));
const content = z.strictObject(
  {
    mode: oneOf(["url", "manual"], '"url" or "manual"'),
    url: typed,
    title: typed,
    body: typed,
    imageUrl: typed,
    topicIds: z
      .array(uuid, zodText(faults.wrong_type({ type: "a list of topic ids" })))
      .max(maxTopics, zodText(faults.too_many_topics({ most: maxTopics }))),
    segment: z.union([z.literal(""), uuid], zodText(faults.not_a_segment_choice())).optional(),
    followersOf: typed.optional(),
    ttlSeconds: z.number(expects("a number")),
    class: campaignClass.default(defaultClass),
    labels: z
      .array(typed)
      .max(maxLabels, zodText(faults.too_large({ most: maxLabels })))
      .default([]),
    urgency: oneOf(["very-low", "low", "normal", "high"]),
    variants: z
      .array(
        z.strictObject(
          { title: typed.optional(), body: typed.optional(), imageUrl: typed.optional() },
          expects("a JSON object"),
        ),
        zodText(faults.wrong_type({ type: "a list" })),
      )
      .max(maxVariants, zodText(faults.too_large({ most: maxVariants })))
      .optional(),
    testMinutes: z.number(expects("a number")).optional(),
    corrects: uuid.optional(),
    /** The other sites, each with the address of the story there. An empty address means the same address. */
    alsoTo: z
      .array(
        z.strictObject({ siteId: uuid, url: typed }, expects("a JSON object")),
        zodText(faults.wrong_type({ type: "a list of sites" })),
      )
      .max(maxSitesOfGroup, zodText(faults.too_large({ most: maxSitesOfGroup })))
      .optional(),
    isEdited: flag,
  },
  expects("a JSON object"),
);
const autosavedDraftInput = z.strictObject(
  {
    content,
    revision: z
      .int(zodText(faults.wrong_type({ type: "a whole number" })))
      .min(0, zodText(faults.too_small({ least: 0 }))),
    page: uuid,
    campaignId: uuid.optional(),
    inCampaign: flag.default(false),
    isKept: flag.default(false),
  },
  expects("a JSON object"),
);

/**
 * The content of an autosaved draft. `isEdited`: the member has changed the texts, so the story's texts do not
 * replace them.
 */
export type AutosavedDraftContent = z.output<typeof content>;

/**
 * A text that a member has typed and not sent. `inCampaign`: the campaign `campaignId` has all of it. `isKept`: the
 * member saved it as a draft. `savedAt`: ISO 8601, UTC.
 */
export type AutosavedDraft = {
  autosavedDraftId: string;
  campaignId: string | null;
  inCampaign: boolean;
  isKept: boolean;
  content: AutosavedDraftContent;
  revision: number;
  savedAt: string;
};

/** Lists the member's autosaved drafts of a site. The draft that was saved last is first. Throws `not_found`. */
export async function listAutosavedDrafts(
  app: App,
  actor: Member,
  input: { siteId: string },
): Promise<{ data: AutosavedDraft[] }> {
  const owner = await ownerOf(app, actor, input.siteId);
  const found = await autosavedDraftsOfMember(app.db, owner);
  return {
    data: found.map(({ id: autosavedDraftId, savedAt, content: text, ...rest }) => ({
      autosavedDraftId,
      ...rest,
      content: JSON.parse(text) as AutosavedDraftContent,
      savedAt: savedAt.toISOString(),
    })),
  };
}

/** The result of a save. `isCopy`: another page has saved the draft meanwhile, so this text was kept under a new id. */
export type SavedDraft = { autosavedDraftId: string; revision: number; savedAt: string; isCopy: boolean };

/**
 * Saves what a member has typed, under an id that their browser chose. `page`: the id of the page that saves.
 * `revision`: the last revision that the page knows; 0 for none. A save never replaces text that another page has
 * saved and this page has not seen. It becomes an autosaved draft of its own instead. Throws `not_found` and
 * `validation_failed`.
 */
export async function saveAutosavedDraft(
  app: App,
  actor: Member,
  input: { siteId: string; autosavedDraftId: string; body: unknown },
): Promise<SavedDraft> {
  const owner = await ownerOf(app, actor, input.siteId);
  if (!isId(input.autosavedDraftId)) throw appError("not_found");
  const {
    content: typedNow,
    revision,
    page,
    campaignId = null,
    inCampaign,
    isKept,
  } = parseInput(autosavedDraftInput, input.body);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    await assertCampaignOfSite(tx, owner, campaignId);
    const write = {
      id: input.autosavedDraftId.toLowerCase(),
      campaignId,
      inCampaign,
      isKept,
      page,
      content: JSON.stringify(typedNow),
    };
    const first = await insertAutosavedDraft(tx, owner, write);
    await deleteOldestAutosavedDrafts(tx, owner, autosavedDraftsKept);
    if (first !== undefined) return viewSaved(write.id, first);
    const before = (await lockAutosavedDraft(tx, write.id))!;
    if (before.siteId !== owner.siteId || before.userId !== owner.userId) throw appError("not_found");
    if (before.revision === revision || before.page === page)
      return viewSaved(write.id, await updateAutosavedDraft(tx, write));
    const copy = { ...write, id: newId(), campaignId: null, inCampaign: false, isKept: false };
    return { ...viewSaved(copy.id, (await insertAutosavedDraft(tx, owner, copy))!), isCopy: true };
  });
}

async function assertCampaignOfSite(tx: Tx, { tenantId, siteId }: AutosavedDraftOwner, campaignId: string | null) {
  if (campaignId === null) return;
  const campaign = await campaignOfTenant(tx, tenantId, campaignId);
  if (campaign?.siteId === siteId) return;
  throw invalidFields([fault("/campaignId", faults.unknown_campaign())]);
}

function viewSaved(autosavedDraftId: string, { revision, savedAt }: { revision: number; savedAt: Date }): SavedDraft {
  return { autosavedDraftId, revision, savedAt: savedAt.toISOString(), isCopy: false };
}

/** Deletes an autosaved draft of the member. Throws `not_found`. */
export async function deleteAutosavedDraft(
  app: App,
  actor: Member,
  input: { siteId: string; autosavedDraftId: string },
): Promise<void> {
  const owner = await ownerOf(app, actor, input.siteId);
  const isDeleted =
    isId(input.autosavedDraftId) && (await deleteAutosavedDraftOfMember(app.db, owner, input.autosavedDraftId));
  if (!isDeleted) throw appError("not_found", { message: "There is no such draft any more." });
}

async function ownerOf(app: App, actor: Member, siteId: string): Promise<AutosavedDraftOwner> {
  const { id } = await findSite(app, actor, siteId);
  return { tenantId: actor.tenantId, siteId: id, userId: actor.userId };
}

/**
 * Returns the maintenance task that deletes autosaved drafts that were not changed for `days` (AUTOSAVED_DRAFT_DAYS).
 */
export function expireAutosavedDrafts(days: number): MaintenanceTask {
  return {
    name: "old autosaved drafts",
    async sweep(tx) {
      const removed = await deleteOldAutosavedDrafts(tx, days, deletedAtOnce);
      return { removed, at: removed === deletedAtOnce ? "on" : null };
    },
  };
}
