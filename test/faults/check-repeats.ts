import type { Fault } from "./check-history.ts";
import { type Death, deathsOf } from "./deaths.ts";
import type { Evidence, HistoryEvent, PushReceipt, RunEvidence, Span } from "./history.ts";

/** At most so many messages of one worker process may be sent again when it dies. */
const uncertainAtMost = 500;
/** An outcome is in the ledger so long after its message at the latest, or the claim is lost: a lease and a heartbeat. */
const unwrittenMs = 20_000;
/** Nobody waits longer for an answer. */
const answerWithinMs = 10_000;
/** What a process wrote into a socket before its death may be read so much later. */
const readAfterMs = 1_000;
/** Answers after which nobody knows whether the message was taken. */
const uncertainStatuses = new Set([0, 500, 502, 504]);

/** A loss that nobody could look at: of the messages that came in this span, so many may be sent again. */
type UnseenLoss = Span & { atMost: number };

/**
 * Whoever got the message twice is counted in the run's `repeated`. Each message that was followed by another to the
 * same reader was known to be uncertain: its own receipt says that the answer was lost, or the ledger held it for
 * uncertain when its process died. Two losses are told by time and number only: that of a process whose ledger could not
 * be read when it died, as the database was away; and that of the messages which shared a connection with one whose
 * answer was lost, as receipts do not name connections.
 */
export function repeatFaults(evidence: Evidence, run: RunEvidence, receipts: PushReceipt[]): Fault[] {
  const faults: Fault[] = [];
  const repeated = sentAgain(receipts);
  const counted = run.sums.repeated ?? 0;
  if (repeated.length > counted) {
    faults.push({ kind: "repeat not counted", text: `${repeated.length} repeats in ${run.runId}, ${counted} counted` });
  }
  const looks = evidence.events.filter((event) => event.kind === "uncertain");
  const foreseen = indexesOf(evidence, new Set(looks.flatMap(({ subscriberIds }) => subscriberIds)));
  const losses = unseenLosses(evidence);
  const isIn = ({ at }: PushReceipt) => losses.some(({ from, to }) => at >= from && at <= to);
  // Where a receipt says itself that its answer was lost, nothing else is needed.
  const answered = repeated.filter(({ status }) => !uncertainStatuses.has(status));
  const unseen = answered.filter(({ index }) => !foreseen.has(index));
  const unexplained = unseen.filter((receipt) => !isIn(receipt));
  if (unexplained.length > 0) {
    const text = `${unexplained.length} messages of ${run.runId}, as to reader ${unexplained[0]!.index}`;
    faults.push({ kind: "repeat not foreseen", text });
  }
  const tooMany = (repeats: number, allowed: number, what: string): Fault[] =>
    repeats <= allowed ? [] : [{ kind: "too many repeats", text: `${repeats} in ${run.runId}, ${allowed} by ${what}` }];
  return [
    ...faults,
    ...tooMany(answered.length - unseen.length, uncertainAtMost * looks.length, "what was seen"),
    ...tooMany(unseen.length - unexplained.length, sumOf(losses), "what was not"),
  ];
}

/** No process leaves more than 500 uncertain when it dies, beside what it had found so. */
export function lookFaults({ events, readers, receipts }: Evidence): Fault[] {
  const deaths = deathsOf(events);
  const lost = receipts.filter(({ status }) => uncertainStatuses.has(status));
  const lostAt = new Map(lost.toReversed().map(({ index, at }) => [index, at]));
  const indexOf = new Map(readers.map(({ subscriberId, index }) => [subscriberId, index]));
  const known = new Set<number>();
  const faults: Fault[] = [];
  for (const { at, pid, subscriberIds } of events.filter((event) => event.kind === "uncertain")) {
    const isLost = (id: number) => (lostAt.get(indexOf.get(id) ?? -1) ?? Number.POSITIVE_INFINITY) <= at;
    // What an earlier one had left, and this one had not yet come to, is not its own.
    const own = subscriberIds.filter((id) => !known.has(id) && !isLost(id)).length;
    for (const id of subscriberIds) known.add(id);
    const found =
      unseenDeaths(deaths).filter(({ from }) => from <= at).length * uncertainAtMost + sumOf(resets(events));
    if (own > uncertainAtMost + found) {
      faults.push({ kind: "too many repeats", text: `process ${pid} left ${own} uncertain` });
    }
  }
  return faults;
}

/** Each message that the push service took and that was followed by another to the same reader. */
function sentAgain(receipts: PushReceipt[]): PushReceipt[] {
  const taken = receipts.filter(({ accepted }) => accepted);
  return [...Map.groupBy(taken, ({ index }) => index).values()].flatMap((all) => all.slice(0, -1));
}

function indexesOf({ readers }: Evidence, subscriberIds: Set<number>): Set<number> {
  return new Set(readers.filter(({ subscriberId }) => subscriberIds.has(subscriberId)).map(({ index }) => index));
}

function unseenLosses({ events, lagMs }: Evidence): UnseenLoss[] {
  const deaths = unseenDeaths(deathsOf(events)).map(({ from, to }) => {
    return { from: from - unwrittenMs, to: to + readAfterMs + lagMs, atMost: uncertainAtMost };
  });
  return [...deaths, ...resets(events)];
}

function unseenDeaths(deaths: Death[]): Death[] {
  return deaths.filter(({ look }) => look === undefined);
}

function resets(events: HistoryEvent[]): UnseenLoss[] {
  return events
    .filter((event) => event.kind === "push")
    .filter((event) => event.uncertainAtMost > 0)
    .map(({ at, endedAt, uncertainAtMost: atMost }) => ({ from: at - answerWithinMs, to: endedAt, atMost }));
}

function sumOf(losses: UnseenLoss[]): number {
  return losses.reduce((sum, { atMost }) => sum + atMost, 0);
}
