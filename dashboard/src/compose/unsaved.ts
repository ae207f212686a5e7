import type { AutosavedDraftContent } from "../api/autosaved-draft-calls.ts";

/**
 * A text that was typed in this browser and is not yet saved at the service. `revision`: the last one that the page
 * knew.
 */
export type Unsaved = {
  autosavedDraftId: string;
  campaignId: string | null;
  content: AutosavedDraftContent;
  revision: number;
  /** The id of the page, which stays the same when the page is loaded again. */
  page: string;
  savedAt: string;
};

/** The owner of a text. On a shared computer, nobody else gets the text. */
export type Writer = { userId: string; siteId: string };

const prefix = "pressbell.unsaved ";
const prefixOf = ({ userId, siteId }: Writer) => `${prefix}${userId} ${siteId} `;

/** Returns whether a text of anybody is kept in this browser. */
export function hasUnsaved(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(prefix));
  } catch {
    return false;
  }
}

/** Keeps a text in this browser until `forgetUnsaved`. Does nothing if the storage is full or forbidden. */
export function keepUnsaved(writer: Writer, unsaved: Unsaved): void {
  try {
    localStorage.setItem(prefixOf(writer) + unsaved.autosavedDraftId, JSON.stringify(unsaved));
  } catch {
    // The service gets the text within a second anyway.
  }
}

export function forgetUnsaved(writer: Writer, autosavedDraftId: string): void {
  try {
    localStorage.removeItem(prefixOf(writer) + autosavedDraftId);
  } catch {
    // Storage is forbidden, so nothing was kept.
  }
}

/** Returns the texts that are kept of a person at a site. Leaves out an entry that cannot be read. */
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
