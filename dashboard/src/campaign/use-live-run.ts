import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import {
  type CampaignStatus,
  type CampaignView,
  type RunView,
  run as readRun,
  runEvents,
  type SendFacts,
  sendFacts,
} from "../api/calls.ts";
import { useCurrentSite } from "../layout/session.tsx";
import { loadSaidWords } from "../words/said-words.ts";

/** How long a run is polled for receipts after its end. */
const pollReceiptsForMs = 24 * 60 * 60 * 1_000;

/** Returns whether to poll a run for receipts: only after its end, because events update an open run. */
function mayGetReceipts(run: RunView | undefined): boolean {
  if (run === undefined || run.finishedAt === null) return false;
  return Date.now() - Date.parse(run.finishedAt) < pollReceiptsForMs;
}

/**
 * Returns a run, updated by server-sent events until it is finished. The browser reconnects by itself when the
 * connection breaks or the service ends it. `isLost`: true while the browser cannot connect.
 */
export function useLiveRun(runId: string) {
  const { tenantId } = useCurrentSite();
  const queries = useQueryClient();
  const key = ["run", runId];
  const query = useQuery({
    queryKey: key,
    queryFn: () => readRun(tenantId, runId),
    refetchInterval: ({ state }) => (mayGetReceipts(state.data) ? 15_000 : false),
  });
  const [isLost, setLost] = useState(false);
  const isOpen = query.data !== undefined && query.data.finishedAt === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is made of the run's id
  useEffect(() => {
    if (!isOpen) return;
    const events = new EventSource(runEvents(tenantId, runId));
    let timer: ReturnType<typeof setTimeout> | undefined;
    events.addEventListener("open", () => {
      clearTimeout(timer);
      setLost(false);
    });
    // One after another: an event that waits for words must not overwrite a later one.
    let shown = Promise.resolve();
    let isLeft = false;
    events.addEventListener("run", ({ data }) => {
      shown = shown
        .then(() => loadSaidWords(data))
        .then(() => {
          if (!isLeft) queries.setQueryData<RunView>(key, JSON.parse(data));
        });
    });
    events.addEventListener("end", () => events.close());
    events.addEventListener("error", () => {
      clearTimeout(timer);
      timer = setTimeout(() => setLost(true), 3_000);
      // After an error answer the browser does not reconnect, so the query reads the run and gets the error.
      if (events.readyState === EventSource.CLOSED) void queries.invalidateQueries({ queryKey: key });
    });
    return () => {
      isLeft = true;
      clearTimeout(timer);
      events.close();
      setLost(false);
    };
  }, [isOpen, runId, tenantId]);
  useCampaignOf(query.data);
  return { run: query.data, error: query.error, isLost };
}

/**
 * Returns who sent a campaign, and its figures by minute and by push service. Reads them again while they can change.
 */
export function useSendFacts(campaignId: string, run: RunView | undefined): SendFacts | undefined {
  const { tenantId } = useCurrentSite();
  const isOpen = run !== undefined && run.finishedAt === null;
  const { data } = useQuery({
    queryKey: ["send-facts", campaignId],
    queryFn: () => sendFacts(tenantId, campaignId),
    refetchInterval: isOpen || mayGetReceipts(run) ? 15_000 : false,
  });
  return data;
}

const shownStatuses: Record<RunView["status"], CampaignStatus> = {
  queued: "sending",
  sending: "sending",
  stopping: "stopped",
  stopped: "stopped",
  completed: "sent",
  failed: "failed",
};

/** Shows the status of a run at its campaign too, and reads everything again when the run ends. */
function useCampaignOf(run: RunView | undefined): void {
  const queries = useQueryClient();
  const wasOpen = useRef(false);
  const { campaignId, status } = run ?? {};
  const isOver = run !== undefined && run.finishedAt !== null;
  useEffect(() => {
    if (status === undefined) return;
    queries.setQueryData<CampaignView>(["campaign", campaignId], (campaign) =>
      campaign === undefined ? undefined : { ...campaign, status: shownStatuses[status] },
    );
    if (isOver && wasOpen.current) void queries.invalidateQueries();
    wasOpen.current = !isOver;
  }, [queries, campaignId, status, isOver]);
}
