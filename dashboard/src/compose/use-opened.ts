import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useCanEdit, useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { autosavedDraftsQuery } from "./drafts.tsx";
import { type Opened, openAutosavedDraft } from "./open-autosaved-draft.ts";
import { useWriter } from "./use-autosave.ts";

/**
 * Returns what the compose page starts with, or null while it loads. Puts the id of the autosaved draft into the
 * address, so that a reload returns to it.
 */
export function useOpened() {
  const currentSite = useCurrentSite();
  const { tenantId, siteId } = currentSite;
  const canEdit = useCanEdit();
  const writer = useWriter();
  const search = useSearch({ strict: false }) as Parameters<typeof openAutosavedDraft>[2];
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const current = useRef("");
  const entry = JSON.stringify(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry is the search; a retry starts again
  useEffect(() => {
    if (search.autosavedDraft !== undefined && search.autosavedDraft === current.current) return;
    let isWanted = true;
    setOpened(null);
    setError(null);
    const show = (found: Opened) => {
      if (!isWanted) return;
      current.current = found.autosavedDraftId;
      setOpened(found);
    };
    const readStored = () => queries.fetchQuery({ ...autosavedDraftsQuery(currentSite), staleTime: 0 });
    openAutosavedDraft({ tenantId, canEdit }, writer, search, readStored).then(
      show,
      (fault) => isWanted && setError(fault),
    );
    return () => {
      isWanted = false;
    };
  }, [tenantId, writer, entry, attempt]);
  const onSaved = useCallback(
    (autosavedDraftId: string, isCopy: boolean) => {
      const isShown = current.current !== "" && location.pathname.endsWith(`/sites/${siteId}/compose`);
      current.current = autosavedDraftId;
      if (isCopy) {
        notifications.show({ message: words.compose.draftConflict });
        void queries.invalidateQueries({ queryKey: ["autosaved-drafts"] });
      }
      if (!isShown) return;
      void navigate({
        to: "/sites/$siteId/compose",
        params: { siteId },
        search: ({ day }: { day?: string }) => ({
          autosavedDraft: autosavedDraftId,
          ...(day !== undefined && { day }),
        }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate, siteId, queries],
  );
  return { opened, error, retry: () => setAttempt(attempt + 1), onSaved };
}
