import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { type Opened, openSketch } from "./open-sketch.ts";
import { useWriter } from "./use-autosave.ts";

/**
 * Returns what the compose page starts with; null while it loads. The sketch that it saves comes into the address, so that
 * a reload returns to it.
 */
export function useOpened() {
  const { tenantId, siteId } = useCurrentSite();
  const writer = useWriter();
  const search = useSearch({ strict: false }) as Parameters<typeof openSketch>[2];
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const current = useRef("");
  const entry = JSON.stringify(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entry is the search; a retry starts again
  useEffect(() => {
    if (search.sketch !== undefined && search.sketch === current.current) return;
    let isWanted = true;
    setOpened(null);
    setError(null);
    const show = (found: Opened) => {
      if (!isWanted) return;
      current.current = found.sketchId;
      setOpened(found);
    };
    openSketch(tenantId, writer, search).then(show, (fault) => isWanted && setError(fault));
    return () => {
      isWanted = false;
    };
  }, [tenantId, writer, entry, attempt]);
  const onSaved = useCallback(
    (sketchId: string, isCopy: boolean) => {
      const isShown = current.current !== "" && location.pathname.endsWith(`/sites/${siteId}/compose`);
      current.current = sketchId;
      if (isCopy) {
        notifications.show({ message: words.compose.changedInAnotherWindow });
        void queries.invalidateQueries({ queryKey: ["sketches"] });
      }
      if (!isShown) return;
      void navigate({ to: "/sites/$siteId/compose", params: { siteId }, search: { sketch: sketchId }, replace: true });
    },
    [navigate, siteId, queries],
  );
  return { opened, error, retry: () => setAttempt(attempt + 1), onSaved };
}
