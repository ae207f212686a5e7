import type { AutosavedDraftContent } from "../api/autosaved-draft-calls.ts";

/** What was typed in this browser and is not saved at the service yet. `revision`: the last that the page knew. */
export type Unsaved = {
  autosavedDraftId: string;
  campaignId: string | null;
  content: AutosavedDraftContent;
  revision: number;
  /** The id of the page: one that is loaded again is the same. */
  page: string;
  savedAt: string;
};

/** Whose text it is: on a shared computer no one else gets it. */
export type Writer = { userId: string; siteId: string };

const prefixOf = ({ userId, siteId }: Writer) => `pressbell.unsaved ${userId} ${siteId} `;

/** Keeps a text in this browser until `forgetUnsaved`. Without storage (full or forbidden) it does nothing. */
export function keepUnsaved(writer: Writer, unsaved: Unsaved): void {
  try {
    localStorage.setItem(prefixOf(writer) + unsaved.autosavedDraftId, JSON.stringify(unsaved));
  } catch {
    // The service gets it within a second anyway.
  }
}

export function forgetUnsaved(writer: Writer, autosavedDraftId: string): void {
  try {
    localStorage.removeItem(prefixOf(writer) + autosavedDraftId);
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
}

/** Returns what is kept of a person at a site. An entry that cannot be read is left out. */
export function readUnsaved(writer: Writer): Unsaved[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(writer)));
    return keys.flatMap((key) => parse(localStorage.getItem(key)));
  } catch {
    return [];
  }
}

function parse(text: string | null): Unsaved[] {
  try {
    const unsaved = JSON.parse(text ?? "") as Unsaved;
    return typeof unsaved.autosavedDraftId === "string" && typeof unsaved.content?.title === "string" ? [unsaved] : [];
  } catch {
    return [];
  }
}
