import type { Fault } from "./check-history.ts";
import {
  callsOf,
  databaseOutages,
  type HistoryEvent,
  type ProcessEvent,
  processesOf,
  recoveredAfterMs,
} from "./history.ts";

/** No process ends of itself, but one that starts while the database is away; and as long as the API is up it answers. */
export function processFaults(events: HistoryEvent[]): Fault[] {
  const lives = livesOf(events);
  return [...unaskedEnds(events, lives), ...unanswered(events, lives)];
}

/** A process that exists from `spawnedAt` on, is of use from `startedAt`, is told to end at `toldAt`, and is gone at `endedAt`. */
type Life = { name: string; pid: number; spawnedAt: number; startedAt: number; toldAt: number; endedAt: number };

const never = Number.POSITIVE_INFINITY;

function livesOf(events: HistoryEvent[]): Life[] {
  return [...Map.groupBy(processesOf(events), ({ pid }) => pid)].map(([pid, all]) => {
    const first = (...wanted: ProcessEvent["event"][]) => all.find(({ event }) => wanted.includes(event))?.at ?? never;
    return {
      ...{ name: all[0]!.name, pid, spawnedAt: all[0]!.at, startedAt: first("started") },
      ...{ toldAt: first("asked", "killed"), endedAt: first("ended") },
    };
  });
}

function unaskedEnds(events: HistoryEvent[], lives: Life[]): Fault[] {
  const outages = databaseOutages(events);
  return lives
    .filter(({ spawnedAt, startedAt, toldAt, endedAt }) => {
      const isOver = endedAt < never && toldAt > endedAt;
      // Without its database a process does not start: whoever supervises it starts it again.
      const isExcused =
        startedAt === never && outages.some(({ from, to }) => endedAt >= from && spawnedAt <= to + recoveredAfterMs);
      return isOver && !isExcused;
    })
    .map(({ name, pid }) => ({ kind: "ended unasked", text: `${name} (${pid})` }));
}

function unanswered(events: HistoryEvent[], lives: Life[]): Fault[] {
  const apis = lives.filter(({ name }) => !name.startsWith("worker"));
  // One that was frozen answers when it is thawed, if its caller has not given up by then.
  const frozen = new Set(processesOf(events).flatMap(({ pid, event }) => (event === "frozen" ? [pid] : [])));
  return callsOf(events)
    .filter(({ outcome, at, endedAt: goneAt }) => {
      if (outcome !== "unknown") return false;
      const isOneUp = apis.some(({ startedAt, toldAt, endedAt }) => startedAt <= at && Math.min(toldAt, endedAt) > at);
      // Which of several was asked is not known: each that was on its way out meanwhile may have been it.
      const isOneEnding = apis.some(({ toldAt, endedAt }) => toldAt <= goneAt && endedAt >= at);
      return isOneUp && !isOneEnding && !apis.some(({ pid }) => frozen.has(pid));
    })
    .map(({ method, path }) => ({ kind: "no answer", text: `${method} ${path}` }));
}
