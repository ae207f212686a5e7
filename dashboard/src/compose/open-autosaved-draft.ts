import type { AutosavedDraft, AutosavedDraftContent } from "../api/autosaved-draft-calls.ts";
import { type CampaignView, campaign as readCampaign } from "../api/calls.ts";
import { ApiError } from "../api/client.ts";
import { campaignGroup } from "../api/group-calls.ts";
import { isSendable } from "../components/status-badge.tsx";
import { correctionOf, type Draft, draftOf, duplicateOf, emptyDraft } from "./draft.ts";
import { readUnsaved, type Writer } from "./unsaved.ts";

/**
 * What the compose page starts with. `saved`: the campaigns that the page changes, that of this site first. It is
 * empty for a new campaign. `keptBy`: what has this text as an autosaved draft. `page`: the id under which the page
 * saves. `goesOn`: the page continues the text that was typed last, because no other text was asked for.
 */
export type Opened = {
  autosavedDraftId: string;
  content: AutosavedDraftContent;
  revision: number;
  saved: CampaignView[];
  inCampaign: boolean;
  isKept: boolean;
  keptBy: "service" | "browser" | "none";
  page: string;
  savedAt: string | null;
  goesOn: boolean;
};

type Search = {
  autosavedDraft?: string;
  draft?: string;
  copy?: string;
  corrects?: string;
  story?: string;
  fresh?: string;
};

/** The publisher, and at which of its sites the member may edit. */
type Place = { tenantId: string; canEdit: (siteId: string) => boolean };

/**
 * Returns what to start with. Prefers a text that only this browser has to the service's version of it. `readStored`
 * reads the drafts that the service has.
 */
export async function openAutosavedDraft(
  place: Place,
  writer: Writer,
  search: Search,
  readStored: () => Promise<AutosavedDraft[]>,
): Promise<Opened> {
  const unsaved = readUnsaved(writer).map((one) => ({
    ...one,
    inCampaign: false,
    isKept: false,
    keptBy: "browser" as const,
  }));
  const isUnsaved = new Set(unsaved.map(({ autosavedDraftId }) => autosavedDraftId));
  const stored = (await readStored()).filter(({ autosavedDraftId }) => !isUnsaved.has(autosavedDraftId));
  const kept = stored.map((one) => ({ ...one, keptBy: "service" as const, page: crypto.randomUUID() }));
  const found = findAutosavedDraft([...unsaved, ...kept], search);
  if (found !== undefined) {
    const opened = await continueAutosavedDraft(place, found, Object.keys(search).length === 0);
    // A text that was scheduled or sent is finished, so the page starts with an empty one.
    if (!opened.goesOn || !found.inCampaign || opened.saved[0]?.status === "draft") return opened;
    return fresh(emptyDraft);
  }
  if (search.story !== undefined) return fresh({ ...emptyDraft, url: search.story }, [], false);
  const campaignId = search.draft ?? search.copy ?? search.corrects;
  if (campaignId === undefined) return fresh(emptyDraft);
  const campaign = await readCampaign(place.tenantId, campaignId);
  if (search.draft !== undefined) {
    const { saved } = await sendableOf(place, campaign);
    return fresh(draftOf(campaign, saved.slice(1)), saved);
  }
  return fresh(search.copy === undefined ? correctionOf(campaign) : duplicateOf(campaign));
}

type Found = AutosavedDraft & Pick<Opened, "keptBy" | "page">;

function findAutosavedDraft(all: Found[], search: Search): Found | undefined {
  if (search.autosavedDraft !== undefined)
    return all.find(({ autosavedDraftId }) => autosavedDraftId === search.autosavedDraft);
  if (search.draft !== undefined) return all.find(({ campaignId }) => campaignId === search.draft);
  if (Object.keys(search).length > 0) return undefined;
  const open = all.filter(({ isKept }) => !isKept);
  return open.toSorted((a, b) => (a.savedAt < b.savedAt ? 1 : -1))[0];
}

async function continueAutosavedDraft(place: Place, autosavedDraft: Found, goesOn: boolean): Promise<Opened> {
  const { campaignId, inCampaign, ...rest } = autosavedDraft;
  const campaign = campaignId === null ? null : await readCampaign(place.tenantId, campaignId);
  const { saved, leftOut } = campaign === null ? nothing : await sendableOf(place, campaign);
  const [own, ...others] = saved;
  // If the campaign has the whole text, its own text is used, because a colleague may have changed it since.
  const isWhole = inCampaign && own !== undefined;
  const content = isWhole ? { ...draftOf(own, others), isEdited: true } : without(leftOut, autosavedDraft.content);
  return { ...rest, content, saved, inCampaign: isWhole, goesOn };
}

/** `leftOut`: the sites of the group's other campaigns, which this page neither changes nor sends. */
type Sendable = { saved: CampaignView[]; leftOut: string[] };

const nothing: Sendable = { saved: [], leftOut: [] };

/**
 * Returns a campaign, followed by the other campaigns of its group that are the same draft: those that are drafts too,
 * at sites where the member may edit. A scheduled campaign is changed alone. Empty if the campaign itself cannot be
 * sent.
 */
async function sendableOf({ tenantId, canEdit }: Place, campaign: CampaignView): Promise<Sendable> {
  if (!isSendable(campaign.status)) return nothing;
  if (campaign.groupId === null) return { saved: [campaign], leftOut: [] };
  const { campaigns } = await campaignGroup(tenantId, campaign.groupId).catch((error: unknown) => {
    // A member with roles on single sites may not see the other campaigns.
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return { campaigns: [] };
    throw error;
  });
  const others = campaigns.filter(({ campaignId }) => campaignId !== campaign.campaignId);
  const isSameDraft = ({ status, siteId }: CampaignView) =>
    campaign.status === "draft" && status === "draft" && canEdit(siteId);
  return {
    saved: [campaign, ...others.filter(isSameDraft)],
    leftOut: others.filter((other) => !isSameDraft(other)).map(({ siteId }) => siteId),
  };
}

function without(siteIds: string[], { alsoTo = [], ...content }: AutosavedDraftContent): AutosavedDraftContent {
  const kept = alsoTo.filter(({ siteId }) => !siteIds.includes(siteId));
  return kept.length === 0 ? content : { ...content, alsoTo: kept };
}

function fresh(draft: Draft, saved: CampaignView[] = [], isEdited = draft !== emptyDraft): Opened {
  return {
    autosavedDraftId: crypto.randomUUID(),
    content: { ...draft, isEdited },
    revision: 0,
    page: crypto.randomUUID(),
    saved,
    inCampaign: saved.length > 0,
    isKept: false,
    keptBy: "none",
    savedAt: null,
    goesOn: false,
  };
}
