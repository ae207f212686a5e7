import { useState } from "react";
import type * as limits from "../../../src/decision/nudge.ts";
import type { CampaignChange, CampaignInput, CampaignView } from "../api/calls.ts";

/** What is being written. `forceSend` is no choice: whoever composes has seen the reasons. */
export type Draft = Omit<CampaignInput, "siteId" | "forceSend">;

/** In code points, as the service counts them; their types hold them equal to its limits. */
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
};

export function draftOf(campaign: CampaignView): Draft {
  const { corrects, ...rest } = campaign;
  return { ...copyOf(rest), ...(corrects === null ? {} : { corrects }) };
}

/** The same nudge as a campaign of its own. */
export function copyOf(campaign: Omit<CampaignView, "corrects">): Draft {
  const { mode, url, title, body, imageUrl, topicIds, ttlSeconds, urgency } = campaign;
  return { mode, url, title: title ?? "", body, imageUrl: imageUrl ?? "", topicIds, ttlSeconds, urgency };
}

/** What takes the place of a nudge that went out wrong. */
export function correctionOf(campaign: CampaignView): Draft {
  return { ...copyOf(campaign), corrects: campaign.campaignId };
}

/** How many characters the service counts: code points, after the white space around is gone. */
export function lengthOf(text: string): number {
  return [...text.normalize("NFC").trim()].length;
}

/** Why this cannot be saved yet, or null. */
export function whatIsMissing({ mode, url, title, body }: Draft): string | null {
  if (!isAddress(url, mode))
    return mode === "url" ? "Paste the https:// address of a story." : "Give the address to open.";
  if (lengthOf(title) === 0) return "Write a title.";
  if (lengthOf(title) > maxTitleLength) return `The title is over ${maxTitleLength} characters.`;
  if (lengthOf(body) > maxBodyLength) return `The text is over ${maxBodyLength} characters.`;
  if (mode === "manual" && lengthOf(body) === 0) return "Write a text.";
  return null;
}

export function isAddress(text: string, mode: Draft["mode"] = "url"): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || (mode === "manual" && url.protocol === "http:"));
}

/** What has to be changed of a saved campaign so that it says what is written. Its address cannot be in url mode. */
export function changeTo(draft: Draft, saved: CampaignView): CampaignChange {
  const { url, title, body, imageUrl, topicIds, ttlSeconds, urgency } = draft;
  const before = draftOf(saved);
  return {
    ...(draft.mode === "manual" && url !== before.url ? { url } : {}),
    ...(title.trim() !== before.title ? { title } : {}),
    ...(body.trim() !== before.body ? { body } : {}),
    ...(imageUrl !== before.imageUrl ? { imageUrl } : {}),
    ...(topicIds.toSorted().join() !== before.topicIds.toSorted().join() ? { topicIds } : {}),
    ...(ttlSeconds !== before.ttlSeconds ? { ttlSeconds } : {}),
    ...(urgency !== before.urgency ? { urgency } : {}),
  };
}

/** A draft in the making, and which of its texts are the writer's own: those a story never replaces. */
export function useDraft(first: Draft, isWritten: boolean) {
  const [draft, setDraft] = useState(first);
  const [own, setOwn] = useState(isWritten);
  return {
    draft,
    own,
    write(change: Partial<Draft>) {
      if ("title" in change || "body" in change || "imageUrl" in change) setOwn(true);
      setDraft({ ...draft, ...change });
    },
    /** Takes over what a story gives. */
    fill(texts: Pick<Draft, "title" | "body" | "imageUrl">) {
      setOwn(false);
      setDraft((now) => ({ ...now, ...texts }));
    },
  };
}
