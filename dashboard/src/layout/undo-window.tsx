import { Affix, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useMemo, useRef, useState } from "react";
import { beginSend, type UndoWindow, undoWindows } from "../api/calls.ts";
import { CurrentSiteContext } from "./session.tsx";

/** The bar is not part of the first page. It loads when a send waits. */
const PendingBar = lazy(async () => ({ default: (await import("./pending-bar.tsx")).PendingBar }));

/** How often the page asks for waiting sends. `useSiteChanges` tells of sends that another device has begun. */
const pollWaitingMs = 1_000;

/**
 * Mantine's dialogs have the z-index 200. Ended sends stay behind dialogs, because they would cover the buttons of a
 * dialog in a low window.
 */
const aboveDialogs = 200;
const belowDialogs = 199;

type Begin = (campaignId: string, as: Parameters<typeof beginSend>[2]) => Promise<unknown>;
type Sending = { begin: Begin; isPending: boolean };

const Context = createContext<Sending>({ begin: async () => {}, isPending: false });

export const useUndoWindow = () => use(Context);

/**
 * Shows the member's sends that can still be undone, on every page and device. The service holds and starts the
 * sends, so closing the page changes nothing.
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
  const open = sends.filter(({ undoWindowId }) => !dismissed.includes(undoWindowId));
  const shown = foldGroups(open, currentSite?.siteId);
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
              {shown.map(({ key: name, send, all }) => (
                <PendingBar
                  key={name}
                  send={send}
                  all={all}
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

/**
 * Folds the sends of a group that have the same status and refusal into one. `send`: the send of this site, or else
 * of another one, with the sum of the audiences.
 */
function foldGroups(sends: UndoWindow[], siteId: string | undefined) {
  const nameOf = ({ groupId, undoWindowId, status, refusal }: UndoWindow) =>
    groupId === null ? undoWindowId : [groupId, status, refusal].join(" ");
  const groups = new Map<string, UndoWindow[]>();
  for (const send of sends) groups.set(nameOf(send), [...(groups.get(nameOf(send)) ?? []), send]);
  return [...groups].map(([key, all]) => {
    const shown = all.find((send) => send.siteId === siteId) ?? all[0]!;
    const audience = all.reduce((sum, send) => sum + send.audience, 0);
    return { key, all, send: { ...shown, audience, audienceExact: all.every((send) => send.audienceExact) } };
  });
}

const isWaiting = ({ status }: UndoWindow) => status === "waiting";
