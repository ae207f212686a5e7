import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ChangeTopic } from "../../../src/dashboard-api/site-changes.ts";
import { siteChanges } from "../api/calls.ts";
import { endReadingAhead, readSinceMs } from "../api/joined-reads.ts";
import { checkService, serviceQuery } from "./service-query.ts";

const campaigns = ["campaigns", "campaign", "overview", "calendar", "approval-request", "updates", "undo-windows"];
const runs = ["run", "send-facts", "screen"];
const feeds = ["feeds", "feed"];
const automations = ["welcome", "win-back", "drill"];
const settings = [
  "start",
  "site",
  "sites",
  "tenant",
  "reader-settings",
  ...automations,
  "overview",
  "holdouts",
  "audience",
  "verdict",
];

/** The queries that each kind of change affects, by the first element of their keys. */
const queriesOf: Record<ChangeTopic, string[]> = {
  campaigns: [...campaigns, ...runs],
  groups: ["campaign-group"],
  sends: ["verdict", "newest-stories", "period", "send-frequency", "audience", "campaign-choices"],
  feeds,
  items: [...feeds, "newest-stories"],
  settings,
  audience: ["subscribers", "segments", "followed", "audience", "campaign-choices", "overview"],
  members: ["members"],
};

/**
 * The wait before the stream is opened again. The browser does not do it after an error answer, such as an ended
 * session.
 */
const againMs = 10_000;

/**
 * A new stream gets the changes of the last 15 s from the service. A stream that opens within this time has missed
 * nothing.
 */
const opensWithinMs = 10_000;

/** How often the page reads everything again until the first event. A proxy may hold the stream back. */
const unheardMs = 30_000;

/**
 * Reads again what a page shows when the service says that it has changed. A hidden page does not listen, because a
 * browser has few connections to one service. Each time the stream begins again, the page reads everything again.
 */
export function useSiteChanges(site: { tenantId: string; siteId: string } | undefined): void {
  const queries = useQueryClient();
  const { tenantId = "", siteId = "" } = site ?? {};
  useEffect(() => {
    if (siteId === "") return;
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unheard: ReturnType<typeof setInterval> | undefined;
    const beganMs = readSinceMs();
    let isFirst = true;
    const listen = () => {
      const opened = new EventSource(siteChanges(tenantId, siteId));
      stream = opened;
      clearInterval(unheard);
      unheard = setInterval(() => readAll(queries), unheardMs);
      opened.addEventListener("open", () => {
        endReadingAhead();
        if (!isFirst || performance.now() - beganMs > opensWithinMs) readAll(queries);
        isFirst = false;
      });
      opened.addEventListener("changes", ({ data }) => {
        // Each stream begins with an event, which shows that no proxy holds it back.
        clearInterval(unheard);
        readChanged(queries, JSON.parse(data));
      });
      opened.addEventListener("error", () => {
        isFirst = false;
        checkService(queries);
        if (opened.readyState !== EventSource.CLOSED) return;
        // The page hears of no changes until the next try.
        readAll(queries);
        timer = setTimeout(listen, againMs);
      });
    };
    const leave = () => {
      clearTimeout(timer);
      clearInterval(unheard);
      stream?.close();
    };
    const turn = () => {
      leave();
      if (document.visibilityState === "visible") listen();
    };
    turn();
    document.addEventListener("visibilitychange", turn);
    return () => {
      document.removeEventListener("visibilitychange", turn);
      leave();
    };
  }, [queries, tenantId, siteId]);
}

function readChanged(queries: QueryClient, topics: ChangeTopic[]): void {
  const names = new Set<unknown>(topics.flatMap((topic) => queriesOf[topic] ?? []));
  const shown = queries.getQueryCache().findAll({ predicate: ({ queryKey }) => names.has(queryKey[0]) });
  for (const query of shown) {
    const { queryKey, state, promise } = query;
    const readNow = () => queries.invalidateQueries({ queryKey, exact: true });
    // A first answer that is still on its way may be older than the change. It is not requested twice, but read again
    // after it.
    if (state.data === undefined && state.fetchStatus !== "idle") void promise?.then(readNow, () => {});
    else void readNow();
  }
  // Decisions on stories that nobody has open are read again one after another, because each reads a page.
  if (topics.includes("sends")) void queries.resetQueries({ queryKey: ["verdict"], type: "inactive" });
}

/**
 * Reads everything again that pages show. Decisions are read only if they are stale: otherwise each return to this
 * window would read the page of a story.
 */
function readAll(queries: QueryClient): void {
  endReadingAhead();
  const apart: unknown[] = [serviceQuery.queryKey[0], "verdict"];
  void queries.invalidateQueries(
    { predicate: ({ queryKey }) => !apart.includes(queryKey[0]) },
    { cancelRefetch: false },
  );
  void queries.refetchQueries({ queryKey: ["verdict"], type: "active", stale: true });
}
