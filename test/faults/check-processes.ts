import {
  callsOf,
  databaseOutages,
  type HistoryEvent,
  type ProcessEvent,
  processesOf,
  recoveredAfterMs,
} from "./history.ts";
import type { Violation } from "./violation.ts";

/**
 * Checks that no process ends by itself, except one that starts while the database is away. While an API process runs,
 * it must answer.
 */
export function processViolations(events: HistoryEvent[]): Violation[] {
  const lives = livesOf(events);
  return [...unexpectedEnds(events, lives), ...unanswered(events, lives)];
}

/**
 * The life of a process. `signalledAt`: when it was terminated or killed. A time is infinite if the event never came.
 */
type Life = { name: string; pid: number; spawnedAt: number; startedAt: number; signalledAt: number; endedAt: number };

const never = Number.POSITIVE_INFINITY;

function livesOf(events: HistoryEvent[]): Life[] {
  return [...Map.groupBy(processesOf(events), ({ pid }) => pid)].map(([pid, all]) => {
    const first = (...wanted: ProcessEvent["event"][]) => all.find(({ event }) => wanted.includes(event))?.at ?? never;
    return {
      name: all[0]!.name,
      pid,
      spawnedAt: all[0]!.at,
      startedAt: first("started"),
      signalledAt: first("terminated", "killed"),
      endedAt: first("ended"),
    };
  });
}

function unexpectedEnds(events: HistoryEvent[], lives: Life[]): Violation[] {
  const outages = databaseOutages(events);
  return lives
    .filter(({ spawnedAt, startedAt, signalledAt, endedAt }) => {
      const isOver = endedAt < never && signalledAt > endedAt;
      // A process does not start without its database: its supervisor has to start it again.
      const isExcused =
        startedAt === never && outages.some(({ from, to }) => endedAt >= from && spawnedAt <= to + recoveredAfterMs);
      return isOver && !isExcused;
    })
    .map(({ name, pid }) => ({ kind: "unexpected end", text: `${name} (${pid})` }));
}

function unanswered(events: HistoryEvent[], lives: Life[]): Violation[] {
  const apis = lives.filter(({ name }) => !name.startsWith("worker"));
  // A frozen process answers after it is thawed, if its caller still waits.
  const frozen = new Set(processesOf(events).flatMap(({ pid, event }) => (event === "frozen" ? [pid] : [])));
  return callsOf(events)
    .filter(({ outcome, at, endedAt: gaveUpAt }) => {
      if (outcome !== "unknown") return false;
      const isAnyUp = apis.some(
        ({ startedAt, signalledAt, endedAt }) => startedAt <= at && Math.min(signalledAt, endedAt) > at,
      );
      // Nobody knows which process got the call. Any process that was ending during the call may have been it.
      const isAnyEnding = apis.some(({ signalledAt, endedAt }) => signalledAt <= gaveUpAt && endedAt >= at);
      return isAnyUp && !isAnyEnding && !apis.some(({ pid }) => frozen.has(pid));
    })
    .map(({ method, path }) => ({ kind: "no answer", text: `${method} ${path}` }));
}
