import { Affix, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useMemo, useRef, useState } from "react";
import { beginSend, type UndoWindow, undoWindows } from "../api/calls.ts";
import { CurrentSiteContext } from "./session.tsx";

/** Loaded when a send waits: not part of the first page. */
const PendingBar = lazy(async () => ({ default: (await import("./pending-bar.tsx")).PendingBar }));

/** How often the service is asked while a send waits. One of another device is told by `useSiteChanges`. */
const pollWaitingMs = 1_000;

/** Mantine's dialogs have 200. What has ended waits behind them: it would cover their buttons in a low window. */
const aboveDialogs = 200;
const belowDialogs = 199;

type Begin = (campaignId: string, as: Parameters<typeof beginSend>[2]) => Promise<unknown>;

const Context = createContext<{ begin: Begin; isPending: boolean }>({ begin: async () => {}, isPending: false });

export const useUndoWindow = () => use(Context);

/**
 * Shows the member's sends that can still be undone, on every page and device. The service holds and starts them:
 * closing the page changes nothing.
 */
export function UndoWindows({ children }: { children: ReactNode }) {
  const currentSite = use(CurrentSiteContext);
  const tenantId = currentSite?.tenantId ?? "";
  const queries = useQueryClient();
  const key = useMemo(() => ["undo-windows", tenantId], [tenantId]);
  const query = useQuery({
    queryKey: key,
    queryFn: () => undoWindows(tenantId),
    enabled: tenantId !== "" && currentSite?.canEdit === true,
    refetchInterval: ({ state }) => (state.data?.some(isWaiting) ? pollWaitingMs : false),
    refetchIntervalInBackground: true,
    structuralSharing: false,
  });
  const [dismissed, setDismissed] = useState<string[]>([]);
  const dismiss = useCallback((id: string) => setDismissed((now) => [...now, id]), []);
  const begunHere = useRef(new Set<string>());
  const begin = useCallback<Begin>(
    async (campaignId, as) => {
      const { undoWindowId } = await beginSend(tenantId, campaignId, as);
      begunHere.current.add(undoWindowId);
      await queries.invalidateQueries({ queryKey: key });
    },
    [tenantId, queries, key],
  );
  const sends = query.data ?? [];
  const isPending = sends.some(isWaiting);
  const value = useMemo(() => ({ begin, isPending }), [begin, isPending]);
  const shown = sends.filter(({ undoWindowId }) => !dismissed.includes(undoWindowId));
  return (
    <Context value={value}>
      {children}
      {shown.length > 0 && (
        <Affix
          position={{ bottom: "calc(20px + var(--send-bar, 0px))", left: 16, right: 16 }}
          zIndex={isPending ? aboveDialogs : belowDialogs}
        >
          <Stack gap="xs">
            <Suspense>
              {shown.map((send) => (
                <PendingBar
                  key={send.undoWindowId}
                  send={send}
                  tenantId={tenantId}
                  readAtMs={query.dataUpdatedAt}
                  isLost={query.isError}
                  isFromHere={begunHere.current.has(send.undoWindowId)}
                  onDismiss={dismiss}
                />
              ))}
            </Suspense>
          </Stack>
        </Affix>
      )}
    </Context>
  );
}

const isWaiting = ({ status }: UndoWindow) => status === "waiting";
