import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type AutosavedDraftContent, saveAutosavedDraft } from "../api/autosaved-draft-calls.ts";
import { ApiError } from "../api/client.ts";
import { useCurrentSite, useStart } from "../layout/session.tsx";
import type { Opened } from "./open-autosaved-draft.ts";
import { forgetUnsaved, keepUnsaved, type Writer } from "./unsaved.ts";

const pauseMs = 700;
const retryMs = 4_000;

/**
 * `saved`: the service has the text of the page, since `atMs`. `waiting`: the service will have it soon. `failed`:
 * only this browser has it. `isTooLong`: the service refuses the text as it is.
 */
export type SaveState =
  | { kind: "untouched" | "waiting" }
  | { kind: "failed"; isTooLong: boolean }
  | { kind: "saved"; atMs: number };

export type Autosave = {
  state: SaveState;
  /** Records that a campaign was saved with this content. `isKept`: the person saved the draft to continue it later. */
  link(campaignId: string, content: AutosavedDraftContent, isKept: boolean): void;
  /** Ends the autosave, because the autosaved draft was deleted. */
  end(): void;
};

/** Returns the person who types, and the site. */
export function useWriter(): Writer {
  const { siteId } = useCurrentSite();
  const userId = useStart().data?.user?.userId ?? "";
  return useMemo(() => ({ userId, siteId }), [userId, siteId]);
}

/**
 * Saves the typed text at the service when the typing pauses, and when the page is left or closed. Until then, and
 * while the service does not answer, this browser keeps it. `onSaved` gets the id of the autosaved draft. The id
 * changes if another page has saved the same draft meanwhile (`isCopy`).
 */
export function useAutosave(
  opened: Opened,
  content: AutosavedDraftContent,
  onSaved: (autosavedDraftId: string, isCopy: boolean) => void,
): Autosave {
  const { tenantId, siteId } = useCurrentSite();
  const writer = useWriter();
  const queries = useQueryClient();
  const [state, setState] = useState<SaveState>(() => stateOf(opened));
  const now = useRef({ ...stateAtStart(opened), content });
  now.current.content = content;

  const flush = useCallback(
    async (isClosing = false): Promise<void> => {
      const at = now.current;
      const text = JSON.stringify(at.content);
      const inCampaign = at.campaignId !== null && at.inCampaign === text;
      const isKept = inCampaign && at.isKept;
      const key = keyOf(text, { campaignId: at.campaignId, inCampaign, isKept });
      if (at.isOver || at.savedKey === key || at.isSaving) return;
      at.isSaving = true;
      try {
        const { revision, page, campaignId } = at;
        const body = { content: at.content, revision, page, campaignId, inCampaign, isKept };
        const saved = await saveAutosavedDraft({ tenantId, siteId }, at.autosavedDraftId, body, isClosing);
        if (JSON.stringify(now.current.content) === text) forgetUnsaved(writer, at.autosavedDraftId);
        Object.assign(at, { autosavedDraftId: saved.autosavedDraftId, revision: saved.revision, savedKey: key });
        if (!at.hasLeft) {
          setState({ kind: "saved", atMs: Date.now() });
          onSaved(saved.autosavedDraftId, saved.isCopy);
        } else void queries.invalidateQueries({ queryKey: ["autosaved-drafts"] });
      } catch (error) {
        setState({ kind: "failed", isTooLong: error instanceof ApiError && error.status === 400 });
        if (error instanceof ApiError && error.status === 401) void queries.invalidateQueries({ queryKey: ["start"] });
        setTimeout(() => !at.hasLeft && void flush(), retryMs);
        return;
      } finally {
        at.isSaving = false;
      }
      await flush();
    },
    [tenantId, siteId, writer, queries, onSaved],
  );

  const text = JSON.stringify(content);
  useEffect(() => {
    const at = now.current;
    if (text === at.lastText) return;
    at.lastText = text;
    const { autosavedDraftId, campaignId, revision, page, content: typed } = at;
    keepUnsaved(writer, {
      autosavedDraftId,
      campaignId,
      revision,
      page,
      content: typed,
      savedAt: new Date().toISOString(),
    });
    setState({ kind: "waiting" });
    clearTimeout(at.timer);
    at.timer = setTimeout(() => void flush(), pauseMs);
  }, [text, flush, writer]);
  useFlushAtLeave(now.current, flush);

  const link = (campaignId: string, saved: AutosavedDraftContent, isKept: boolean) => {
    Object.assign(now.current, { campaignId, inCampaign: JSON.stringify(saved), isKept });
    void flush();
  };
  const end = () => {
    now.current.isOver = true;
    clearTimeout(now.current.timer);
    forgetUnsaved(writer, now.current.autosavedDraftId);
  };
  return { state, link, end };
}

/** Returns a key of what a save contains. Two saves with the same key are the same. */
const keyOf = (text: string, of: { campaignId: string | null; inCampaign: boolean; isKept: boolean }) =>
  `${text} ${of.campaignId} ${of.inCampaign} ${of.isKept}`;

function stateOf({ keptBy, savedAt }: Opened): SaveState {
  if (keptBy === "browser") return { kind: "waiting" };
  return savedAt === null ? { kind: "untouched" } : { kind: "saved", atMs: Date.parse(savedAt) };
}

function stateAtStart({ autosavedDraftId, revision, page, saved, inCampaign, isKept, content, keptBy }: Opened) {
  const text = JSON.stringify(content);
  const campaignId = saved[0]?.campaignId ?? null;
  return {
    autosavedDraftId,
    revision,
    page,
    campaignId,
    lastText: keptBy === "browser" ? "" : text,
    isSaving: false,
    isOver: false,
    hasLeft: false,
    /** The text of the campaign, or null if it is not known. */
    inCampaign: inCampaign ? text : null,
    isKept,
    /** The key of what the service has. An untouched page is not saved. */
    savedKey: keptBy === "browser" ? "" : keyOf(text, { campaignId, inCampaign, isKept }),
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  };
}

function useFlushAtLeave(at: ReturnType<typeof stateAtStart>, flush: (isClosing?: boolean) => Promise<void>): void {
  useEffect(() => {
    const close = () => void flush(true);
    at.hasLeft = false;
    addEventListener("pagehide", close);
    return () => {
      removeEventListener("pagehide", close);
      clearTimeout(at.timer);
      at.hasLeft = true;
      void flush(true);
    };
  }, [at, flush]);
}
