import type { Fault } from "./check-history.ts";
import type { Evidence, HistoryEvent, PushReceipt, RunEvidence } from "./history.ts";

/** At most so many messages of one worker process may be sent again when it dies. */
const uncertainAtMost = 500;
/** Who is frozen, or without its database, for longer may lose its claims as a dead one does: the lease is 15 s, and may be 5 s old. */
const mayLoseClaimsMs = 8_000;
/** Answers after which nobody knows whether the message was taken. */
const uncertainStatuses = new Set([0, 500, 502, 504]);

/**
 * Whoever got the message twice is counted in the run's `repeated`. There are no more of them than processes died and
 * answers were lost; and where nothing but deaths explains them, each was known before anybody sent again.
 */
export function repeatFaults(evidence: Evidence, run: RunEvidence, receipts: PushReceipt[]): Fault[] {
  const twice = repeatedReaders(receipts);
  const repeats = twice.reduce((sum, { times }) => sum + times - 1, 0);
  const faults: Fault[] = [];
  const counted = run.sums.repeated ?? 0;
  if (repeats > counted) {
    faults.push({ kind: "repeat not counted", text: `${repeats} repeats in ${run.runId}, ${counted} counted` });
  }
  const allowed = allowedRepeats(evidence.events, receipts);
  if (repeats > allowed) {
    faults.push({ kind: "too many repeats", text: `${repeats} repeats in ${run.runId}, at most ${allowed} explained` });
  }
  return [...faults, ...unforeseen(evidence, run, receipts, twice)];
}

function repeatedReaders(receipts: PushReceipt[]): { index: number; times: number }[] {
  const taken = receipts.filter(({ accepted }) => accepted);
  return [...Map.groupBy(taken, ({ index }) => index)]
    .map(([index, all]) => ({ index, times: all.length }))
    .filter(({ times }) => times > 1);
}

function allowedRepeats(events: HistoryEvent[], receipts: PushReceipt[]): number {
  const lostAnswers = receipts.filter(({ status }) => uncertainStatuses.has(status)).length;
  const beyond = events.reduce((sum, event) => sum + (event.kind === "push" ? event.uncertainAtMost : 0), 0);
  return uncertainAtMost * deathsOf(events) + lostAnswers + beyond;
}

/** How often a process lost what it held: killed, frozen for too long, or without a database for too long. */
export function deathsOf(events: HistoryEvent[]): number {
  const processes = events.filter((event) => event.kind === "process");
  const killed = processes.filter(({ event }) => event === "killed").length;
  const frozen = processes.filter(({ pid, at, event }) => {
    const thawed = processes.find((other) => other.pid === pid && other.event === "thawed" && other.at >= at);
    return event === "frozen" && (thawed?.at ?? Number.POSITIVE_INFINITY) - at > mayLoseClaimsMs;
  }).length;
  const database = events.filter((event) => event.kind === "database");
  const outages = database.filter(({ at, event }) => {
    const back = database.find((other) => other.event === "back" && other.at >= at);
    return event === "away" && (back?.at ?? Number.POSITIVE_INFINITY) - at > mayLoseClaimsMs;
  });
  return outages.reduce((sum, { at }) => sum + aliveAt(events, at), killed + frozen);
}

function aliveAt(events: HistoryEvent[], at: number): number {
  const before = events.filter((event) => event.kind === "process" && event.at <= at);
  const count = (wanted: string) => before.filter((event) => (event as { event: string }).event === wanted).length;
  return count("started") - count("ended");
}

/** Where every death was looked at and the push service was well: the repeats are among those that were uncertain. */
function unforeseen(
  { events, readers }: Evidence,
  run: RunEvidence,
  receipts: PushReceipt[],
  twice: { index: number }[],
): Fault[] {
  const looks = events.filter((event) => event.kind === "uncertain");
  const isWell = !events.some((event) => event.kind === "push") && receipts.every(({ status }) => status === 201);
  if (!isWell || looks.length < deathsOf(events)) return [];
  const subscriberOf = new Map(readers.map(({ index, subscriberId }) => [index, subscriberId]));
  const faults: Fault[] = [];
  const known = new Set<number>();
  for (const { pid, subscriberIds } of looks) {
    // What an earlier one had left, and this one had not yet come to, is not its own.
    const own = subscriberIds.filter((id) => !known.has(id));
    for (const id of own) known.add(id);
    if (own.length > uncertainAtMost) {
      faults.push({ kind: "too many repeats", text: `process ${pid} left ${own.length} uncertain` });
    }
  }
  const others = twice.filter(({ index }) => !known.has(subscriberOf.get(index)!)).length;
  if (others > 0) faults.push({ kind: "repeat not foreseen", text: `${others} readers of ${run.runId}` });
  return faults;
}
