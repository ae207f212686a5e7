import {
  databaseOutages,
  type HistoryEvent,
  type ProcessEvent,
  processesOf,
  recoveredAfterMs,
  type Span,
  spansOf,
  type UncertainEvent,
} from "./history.ts";

/**
 * A process lost its claims between `from` and `to`, because it was killed or could not reach its ledger for too long.
 * `snapshot` has what was uncertain then, before any retry. It is undefined if the ledger could not be read.
 */
export type Death = Span & { pid: number; snapshot: UncertainEvent | undefined };

/**
 * A process that cannot reach its ledger for longer than this may lose its claims. The lease is 15 s, and may be 5 s
 * old.
 */
const mayLoseClaimsMs = 8_000;

/** Returns every death of the history, ordered by its end. */
export function deathsOf(events: HistoryEvent[]): Death[] {
  const snapshots = events.filter((event) => event.kind === "uncertain");
  const snapshotIn = ({ pid, from, to }: Span & { pid: number }) =>
    snapshots.find((snapshot) => snapshot.pid === pid && snapshot.at >= from && snapshot.at <= to);
  const deaths: Death[] = [];
  for (const [pid, all] of Map.groupBy(processesOf(events), ({ pid }) => pid)) {
    for (const { at } of all.filter(({ event }) => event === "killed")) {
      // A later snapshot would miss batches that other processes have claimed by then.
      deaths.push({ pid, from: at, to: at, snapshot: snapshotIn({ pid, from: at, to: at + mayLoseClaimsMs }) });
    }
    const frozen = frozenSpans(all);
    for (const span of frozen.filter(isTooLong)) deaths.push({ pid, ...span, snapshot: snapshotIn({ pid, ...span }) });
    // Several short spans together may cost the claims, at a time without a snapshot.
    const short = [...frozen.filter((span) => !isTooLong(span)), ...outagesIn(all, databaseOutages(events))];
    for (const span of joined(short).filter(isTooLong)) deaths.push({ pid, ...span, snapshot: undefined });
  }
  return deaths.toSorted((a, b) => a.to - b.to);
}

function isTooLong({ from, to }: Span): boolean {
  return to - from > mayLoseClaimsMs;
}

function frozenSpans(life: ProcessEvent[]): Span[] {
  const ends = new Set(["thawed", "killed", "ended"]);
  const turns = life.filter(({ event }) => event === "frozen" || ends.has(event));
  return spansOf(turns.map(({ at, event }) => ({ at, begins: event === "frozen" })));
}

/** Returns the parts of the outages that fall into the life of a process. */
function outagesIn(life: ProcessEvent[], outages: Span[]): Span[] {
  const startedAt = life.find(({ event }) => event === "started")?.at ?? Number.POSITIVE_INFINITY;
  const endedAt = life.find(({ event }) => event === "killed" || event === "ended")?.at ?? Number.POSITIVE_INFINITY;
  return outages
    .map(({ from, to }) => ({ from: Math.max(from, startedAt), to: Math.min(to, endedAt) }))
    .filter(({ from, to }) => from <= to);
}

/** Joins spans if the time between them is too short to reach the ledger. */
function joined(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to + recoveredAfterMs) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
