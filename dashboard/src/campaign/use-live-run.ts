import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type RunView, run as readRun, runEvents } from "../api/calls.ts";
import { usePlace } from "../frame/session.tsx";

const reportsComeForMs = 24 * 60 * 60 * 1_000;

/** Whether readers may still do something with it that is worth looking for; while it is sent it is told anyway. */
function isReportedOn(run: RunView | undefined): boolean {
  if (run === undefined || run.finishedAt === null) return false;
  return Date.now() - Date.parse(run.finishedAt) < reportsComeForMs;
}

/**
 * A run, told by the service as it changes until it is finished. The browser connects again by itself when the line
 * breaks or the service ends it; `isLost`: it does not get through just now.
 */
export function useLiveRun(runId: string) {
  const { tenantId } = usePlace();
  const queries = useQueryClient();
  const key = ["run", runId];
  const query = useQuery({
    queryKey: key,
    queryFn: () => readRun(tenantId, runId),
    refetchInterval: ({ state }) => (isReportedOn(state.data) ? 15_000 : false),
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
    events.addEventListener("run", (event) => queries.setQueryData<RunView>(key, JSON.parse(event.data)));
    events.addEventListener("end", () => {
      events.close();
      void queries.invalidateQueries();
    });
    events.addEventListener("error", () => {
      clearTimeout(timer);
      timer = setTimeout(() => setLost(true), 3_000);
      // A refusal ends the line for good; asking tells why.
      if (events.readyState === EventSource.CLOSED) void queries.invalidateQueries({ queryKey: key });
    });
    return () => {
      clearTimeout(timer);
      events.close();
      setLost(false);
    };
  }, [isOpen, runId, tenantId]);
  return { run: query.data, error: query.error, isLost };
}
