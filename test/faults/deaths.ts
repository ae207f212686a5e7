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
 * A process lost what it held, between `from` and `to`: killed, or unable to reach its ledger for too long. `look`: what
 * the ledger held for uncertain then, before anybody sent again; undefined where nobody could look.
 */
export type Death = Span & { pid: number; look: UncertainEvent | undefined };

/** Whoever does not reach its ledger for longer may lose its claims: the lease is 15 s, and may be 5 s old. */
const mayLoseClaimsMs = 8_000;

/** Every death of the history, by its end. */
export function deathsOf(events: HistoryEvent[]): Death[] {
  const looks = events.filter((event) => event.kind === "uncertain");
  const lookIn = ({ pid, from, to }: Span & { pid: number }) =>
    looks.find((look) => look.pid === pid && look.at >= from && look.at <= to);
  const deaths: Death[] = [];
  for (const [pid, all] of Map.groupBy(processesOf(events), ({ pid }) => pid)) {
    for (const { at } of all.filter(({ event }) => event === "killed")) {
      // A later look would miss what others have taken over by then.
      deaths.push({ pid, from: at, to: at, look: lookIn({ pid, from: at, to: at + mayLoseClaimsMs }) });
    }
    const frozen = frozenSpans(all);
    for (const span of frozen.filter(isTooLong)) deaths.push({ pid, ...span, look: lookIn({ pid, ...span }) });
    // Short ones lose claims together, and nobody looks at the moment when they begin to.
    const short = [...frozen.filter((span) => !isTooLong(span)), ...outagesIn(all, databaseOutages(events))];
    for (const span of joined(short).filter(isTooLong)) deaths.push({ pid, ...span, look: undefined });
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

/** The parts of the outages that a process lived through. */
function outagesIn(life: ProcessEvent[], outages: Span[]): Span[] {
  const startedAt = life.find(({ event }) => event === "started")?.at ?? Number.POSITIVE_INFINITY;
  const endedAt = life.find(({ event }) => event === "killed" || event === "ended")?.at ?? Number.POSITIVE_INFINITY;
  return outages
    .map(({ from, to }) => ({ from: Math.max(from, startedAt), to: Math.min(to, endedAt) }))
    .filter(({ from, to }) => from <= to);
}

/** The spans as one where too little time lies between two of them to reach the ledger. */
function joined(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to + recoveredAfterMs) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}
