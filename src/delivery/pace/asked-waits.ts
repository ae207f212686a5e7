import type { Outcome } from "../answers/read-answer.ts";

/**
 * The number of different readers, among the last `comparedAnswers` of a host, who must be told to wait before the
 * host rests.
 */
const witnessesAtLeast = 5;
const comparedAnswers = 20;
/** The longest rest of a host or push service before it is tried again, even if it asks for more. */
const longestRestMs = 5 * 60_000;
/** The most hosts and readers that are remembered. Limits are needed, because subscriptions bring new ones. */
const hostsAtMost = 1_000;
const readersAtMost = 10_000;

/** The reader and host of an answer. `isSideHost`: see push-service.ts. */
export type AskedBy = { subscriberId: number; origin: string; isSideHost: boolean };

/**
 * The waits that a push service has asked one site for (Retry-After). A wait belongs to a reader or to a side host.
 * If several readers at the main host were told to wait, it belongs to the push service (docs/decisions/0013). Times
 * are monotonic ms.
 */
export type AskedWaits = {
  /**
   * Decides whose wait an outcome asks for, by earlier outcomes. Returns the outcome. With `restMs` the push service
   * waits, for no more than five minutes. Without `restMs` only the reader waits, or the side host, which rests from
   * now on.
   */
  decide(outcome: Outcome, by: AskedBy): Outcome;
  /** Returns how long a side host still rests for this site, ms; 0 if it does not. */
  hostRestMs(origin: string): number;
  /** Records the earliest time at which a reader may be tried again. */
  remember(subscriberId: number, untilMs: number): void;
  /** Returns the end of the reader's wait; 0 if it is over or there is none. */
  untilOf(subscriberId: number): number;
};

/** Returns the waits of one site. `now`: monotonic ms. */
export function createAskedWaits(now: () => number): AskedWaits {
  /** The last answers of each host: the subscriber who was told to wait, or undefined. */
  const answers = new Map<string, (number | undefined)[]>();
  const hostRests = new Map<string, number>();
  const readers = new Map<number, number>();

  /** Records an answer. Returns whether enough different readers were told to wait. */
  function isAgreed(origin: string, told: number | undefined): boolean {
    const ofHost = answers.get(origin) ?? [];
    if (ofHost.length === 0) setWithin(answers, origin, ofHost, hostsAtMost);
    ofHost.push(told);
    if (ofHost.length > comparedAnswers) ofHost.shift();
    if (told === undefined) return false;
    return new Set(ofHost.filter((id) => id !== undefined)).size >= witnessesAtLeast;
  }

  return {
    decide(outcome, { subscriberId, origin, isSideHost }) {
      if (outcome.effect === "neither") return outcome;
      const isWait = outcome.kind === "retry" && outcome.restMs !== undefined;
      const agreed = isAgreed(origin, isWait ? subscriberId : undefined);
      if (!isWait) return outcome;
      const { afterMs, perhapsReader = false } = outcome;
      const restMs = Math.min(outcome.restMs!, longestRestMs);
      if (agreed && !isSideHost) return { ...outcome, restMs };
      // The push service does not rest for the sake of a few readers or of one of its hosts.
      if (isSideHost && (agreed || !perhapsReader)) setWithin(hostRests, origin, now() + restMs, hostsAtMost);
      if (perhapsReader && !agreed) return { kind: "retry", effect: "taken", afterMs };
      // A host's wait is cut short, because a long wait is no reason to give up a reader's message.
      return { kind: "retry", effect: isSideHost ? "neither" : "throttled", afterMs: restMs };
    },
    hostRestMs: (origin) => Math.max(0, (hostRests.get(origin) ?? 0) - now()),
    remember: (subscriberId, untilMs) => setWithin(readers, subscriberId, untilMs, readersAtMost),
    untilOf(subscriberId) {
      const untilMs = readers.get(subscriberId) ?? 0;
      if (untilMs > now()) return untilMs;
      readers.delete(subscriberId);
      return 0;
    },
  };
}

/** Sets an entry. If there are more than `most` entries, the oldest is deleted. */
function setWithin<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  if (map.size >= most) map.delete(map.keys().next().value!);
  map.set(key, value);
}
