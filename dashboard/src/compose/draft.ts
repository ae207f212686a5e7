import { useState } from "react";
import type * as limits from "../../../src/decision/nudge.ts";
import type { CampaignChange, CampaignInput, CampaignView, OtherSite } from "../api/calls.ts";
import { words } from "../words/words.ts";

/**
 * The input of the compose page. It has no `forceSend`, which is always true here: the editor has seen the reasons of
 * the decision.
 */
export type Draft = Omit<CampaignInput, "siteId" | "forceSend"> & { alsoTo?: OtherSite[] | undefined };

/** The limits in code points, as the service counts them. The types ensure that they equal those of the service. */
export const maxTitleLength: typeof limits.maxTitleLength = 120;
export const maxBodyLength: typeof limits.maxBodyLength = 240;

export const emptyDraft: Draft = {
  mode: "url",
  url: "",
  title: "",
  body: "",
  imageUrl: "",
  topicIds: [],
  ttlSeconds: 4 * 60 * 60,
  urgency: "normal",
  class: "normal",
  labels: [],
};

/** Returns a saved campaign as a draft. `others`: the campaigns of the same draft at other sites. */
export function draftOf(campaign: CampaignView, others: CampaignView[] = []): Draft {
  const { corrects, ...rest } = campaign;
  const alsoTo = others.map(({ siteId, url }) => ({ siteId, url: url === campaign.url ? "" : url }));
  return {
    ...copyOf(rest),
    ...(corrects === null ? {} : { corrects }),
    ...(alsoTo.length === 0 ? {} : { alsoTo }),
  };
}

/** Returns the draft for another site, with that site's address of the story and the readers of its saved campaign. */
export function draftAt(draft: Draft, { siteId, topicIds, segment, followersOf }: CampaignView): Draft {
  const own = draft.alsoTo?.find((site) => site.siteId === siteId);
  if (own === undefined) return draft;
  return {
    ...draft,
    url: own.url || draft.url,
    topicIds,
    segment: segment ?? undefined,
    followersOf: followersOf ?? undefined,
  };
}

/** Returns a draft of a new campaign with the same notification. */
export function copyOf(campaign: Omit<CampaignView, "corrects">): Draft {
  const { mode, url, title, body, imageUrl, topicIds, segment, ttlSeconds, urgency, variants, testMinutes } = campaign;
  const { class: ofClass, labels, followersOf } = campaign;
  const test = variants === undefined ? {} : { variants, ...(testMinutes === undefined ? {} : { testMinutes }) };
  const to = {
    topicIds,
    ...(segment === null ? {} : { segment }),
    ...(followersOf === null ? {} : { followersOf }),
  };
  return {
    mode,
    url,
    title: title ?? "",
    body,
    imageUrl: imageUrl ?? "",
    ...to,
    ttlSeconds,
    urgency,
    class: ofClass,
    labels,
    ...test,
  };
}

/**
 * Returns a draft of a duplicate. It keeps its text and does not check its story again, because the check would find
 * that the story was already sent.
 */
export function duplicateOf(campaign: CampaignView): Draft {
  const copy = copyOf(campaign);
  return copy.body === "" ? copy : { ...copy, mode: "manual" };
}

/** Returns a draft of a correction of a campaign. */
export function correctionOf(campaign: CampaignView): Draft {
  const { variants: _, testMinutes: __, ...copy } = copyOf(campaign);
  return { ...copy, corrects: campaign.campaignId };
}

/** Returns the length of a text as the service counts it: in code points, without surrounding white space. */
export function lengthOf(text: string): number {
  return [...text.normalize("NFC").trim()].length;
}

/** Returns why a draft cannot be saved yet, or null. */
export function whatIsMissing({ mode, url, title, body, variants = [], alsoTo = [] }: Draft): string | null {
  const urls = [url, ...alsoTo.flatMap((site) => site.url || [])];
  if (!urls.every((one) => isAddress(one, mode)))
    return mode === "url" ? words.compose.storyAddressMissing : words.compose.clickAddressMissing;
  if (lengthOf(title) === 0) return words.compose.titleMissing;
  if (lengthOf(title) > maxTitleLength) return words.compose.titleIsTooLong({ most: maxTitleLength });
  if (lengthOf(body) > maxBodyLength) return words.compose.textIsTooLong({ most: maxBodyLength });
  if (mode === "manual" && lengthOf(body) === 0) return words.compose.textMissing;
  if (variants.some((variant) => lengthOf(variant.title ?? "") > maxTitleLength))
    return words.compose.titleIsTooLong({ most: maxTitleLength });
  return null;
}

export function isAddress(text: string, mode: Draft["mode"] = "url"): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || (mode === "manual" && url.protocol === "http:"));
}

/** Returns the draft as it is saved: without headlines that have no text. */
export function inputOf({ variants = [], testMinutes, alsoTo: _, ...draft }: Draft): Omit<Draft, "alsoTo"> {
  const written = variants.filter(
    ({ title, body, imageUrl }) => title?.trim() || body !== undefined || imageUrl !== undefined,
  );
  if (written.length === 0) return draft;
  return { ...draft, variants: written, ...(testMinutes === undefined ? {} : { testMinutes }) };
}

/** Returns the changes from a saved campaign to a draft. The URL can change only in manual mode. */
export function changeTo(draft: Draft, saved: CampaignView): CampaignChange {
  const {
    url,
    title,
    body,
    imageUrl,
    topicIds,
    segment = "",
    followersOf = "",
    ttlSeconds,
    urgency,
    class: ofClass,
    labels,
    variants = [],
    testMinutes,
  } = inputOf(draft);
  const before = draftOf(saved);
  return {
    ...(draft.mode === "manual" && url !== before.url ? { url } : {}),
    ...(title.trim() !== before.title ? { title } : {}),
    ...(body.trim() !== before.body ? { body } : {}),
    ...(imageUrl !== before.imageUrl ? { imageUrl } : {}),
    ...(topicIds.toSorted().join() !== before.topicIds.toSorted().join() ? { topicIds } : {}),
    ...(segment !== (before.segment ?? "") ? { segment } : {}),
    ...(followersOf !== (before.followersOf ?? "") ? { followersOf } : {}),
    ...(ttlSeconds !== before.ttlSeconds ? { ttlSeconds } : {}),
    ...(urgency !== before.urgency ? { urgency } : {}),
    ...(labels.join("\n") !== before.labels.join("\n") ? { labels } : {}),
    ...(ofClass !== before.class ? { class: ofClass } : {}),
    ...(JSON.stringify(variants) !== JSON.stringify(before.variants ?? []) ? { variants } : {}),
    ...(testMinutes !== undefined && testMinutes !== before.testMinutes ? { testMinutes } : {}),
  };
}

/**
 * Holds the state of a draft. `isEdited`: the editor has changed its texts, so the story's texts do not replace them.
 */
export function useDraft({ isEdited: isWritten, ...first }: Draft & { isEdited: boolean }) {
  const [draft, setDraft] = useState<Draft>(first);
  const [isEdited, setEdited] = useState(isWritten);
  return {
    draft,
    isEdited,
    write(change: Partial<Draft>) {
      if ("title" in change || "body" in change || "imageUrl" in change) setEdited(true);
      setDraft((now) => ({ ...now, ...change }));
    },
    /** Replaces the texts with those of the story. */
    fill(texts: Pick<Draft, "title" | "body" | "imageUrl">) {
      setEdited(false);
      setDraft((now) => ({ ...now, ...texts }));
    },
  };
}
