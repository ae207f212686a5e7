import { type Death, deathsOf } from "./deaths.ts";
import type { Evidence, HistoryEvent, PushReceipt, RunEvidence, Span } from "./history.ts";
import type { Violation } from "./violation.ts";

/** When a worker process dies, at most this many of its messages may be repeated. */
const uncertainAtMost = 500;
/**
 * An outcome is written at most this long after its message, or the claim is lost. It is the sum of a lease and a
 * heartbeat.
 */
const unwrittenMs = 20_000;
/** The longest wait for an answer. */
const answerWithinMs = 10_000;
/** The push service may read bytes this much later than a process wrote them into a socket before its death. */
const readAfterMs = 1_000;
/** Statuses after which the message may have been accepted. 0: no answer. */
const uncertainStatuses = new Set([0, 500, 502, 504]);

/** A loss without a snapshot of the ledger. At most `atMost` of the messages received in this span may be repeated. */
type UnseenLoss = Span & { atMost: number };

/**
 * Checks that the run's `repeated` counts all readers who got the message twice, and that each repeated message was
 * uncertain. A message is uncertain if its receipt says that the answer was lost, or if a snapshot of the ledger at the
 * death of its process has it. Two kinds of loss are checked by time and number only. First, a process that dies while
 * the database is away has no snapshot. Second, a lost answer may take other messages on its connection with it, and
 * receipts do not name connections.
 */
export function repeatViolations(evidence: Evidence, run: RunEvidence, receipts: PushReceipt[]): Violation[] {
  const violations: Violation[] = [];
  const repeated = repeatedReceipts(receipts);
  const counted = run.sums.repeated ?? 0;
  if (repeated.length > counted) {
    violations.push({
      kind: "repeat not counted",
      text: `${repeated.length} repeats in ${run.runId}, ${counted} counted`,
    });
  }
  const snapshots = evidence.events.filter((event) => event.kind === "uncertain");
  const uncertain = indexesOf(evidence, new Set(snapshots.flatMap(({ subscriberIds }) => subscriberIds)));
  const losses = unseenLosses(evidence);
  const isIn = ({ at }: PushReceipt) => losses.some(({ from, to }) => at >= from && at <= to);
  // A receipt that says that its answer was lost explains the repeat.
  const answered = repeated.filter(({ status }) => !uncertainStatuses.has(status));
  const unseen = answered.filter(({ index }) => !uncertain.has(index));
  const unexplained = unseen.filter((receipt) => !isIn(receipt));
  if (unexplained.length > 0) {
    const text = `${unexplained.length} messages of ${run.runId}, for example to reader ${unexplained[0]!.index}`;
    violations.push({ kind: "repeat not explained", text });
  }
  const tooMany = (repeats: number, allowed: number, what: string): Violation[] =>
    repeats <= allowed
      ? []
      : [{ kind: "too many repeats", text: `${repeats} in ${run.runId}, ${allowed} allowed for ${what}` }];
  return [
    ...violations,
    ...tooMany(answered.length - unseen.length, uncertainAtMost * snapshots.length, "deaths with a snapshot"),
    ...tooMany(unseen.length - unexplained.length, sumOf(losses), "losses without one"),
  ];
}

/**
 * Checks that no process leaves more than 500 messages uncertain when it dies. Messages that were uncertain before are
 * not counted.
 */
export function snapshotViolations({ events, readers, receipts }: Evidence): Violation[] {
  const deaths = deathsOf(events);
  const lost = receipts.filter(({ status }) => uncertainStatuses.has(status));
  const lostAt = new Map(lost.toReversed().map(({ index, at }) => [index, at]));
  const indexOf = new Map(readers.map(({ subscriberId, index }) => [subscriberId, index]));
  const known = new Set<number>();
  const violations: Violation[] = [];
  for (const { at, pid, subscriberIds } of events.filter((event) => event.kind === "uncertain")) {
    const isLost = (id: number) => (lostAt.get(indexOf.get(id) ?? -1) ?? Number.POSITIVE_INFINITY) <= at;
    // An earlier process has left these messages uncertain, and this one had not sent them yet.
    const own = subscriberIds.filter((id) => !known.has(id) && !isLost(id)).length;
    for (const id of subscriberIds) known.add(id);
    const found =
      unseenDeaths(deaths).filter(({ from }) => from <= at).length * uncertainAtMost + sumOf(resets(events));
    if (own > uncertainAtMost + found) {
      violations.push({ kind: "too many repeats", text: `process ${pid} left ${own} uncertain` });
    }
  }
  return violations;
}

/** Returns each accepted message that was followed by another to the same reader. */
function repeatedReceipts(receipts: PushReceipt[]): PushReceipt[] {
  const acceptances = receipts.filter(({ accepted }) => accepted);
  return [...Map.groupBy(acceptances, ({ index }) => index).values()].flatMap((all) => all.slice(0, -1));
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
  return deaths.filter(({ snapshot }) => snapshot === undefined);
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
