import type { Effect } from "../answers/read-answer.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";

/** Messages in flight to one push service, at first and at most. */
const firstWindow = 16;
const largestWindow = 10_000;
/**
 * By how much each answer widens a window that was never cut: it triples in the time of an answer, as in BBR's start.
 */
const startGain = 2;

/**
 * How many messages this thread may have in flight to one push service. The window grows by two with each answer at
 * first, later by one with each windowful, and is halved where the service asks for less or fails (AIMD). Where it
 * mostly fails, a circuit breaker stops sending and then lets one message through as a probe. Times are of `now`,
 * monotonic ms.
 */
export type CongestionWindow = {
  /** How many messages may be in flight at once. */
  size(): number;
  /** How many more may be sent now. */
  room(): number;
  /** Whether the breaker is open: the service rests, or is probed. */
  isFailing(): boolean;
  /** How long nothing may be sent, ms; 0 where something may. */
  restMs(): number;
  /** Whether a rest has begun since this time: what was not written before it must not be written now. */
  restsSince(begunMs: number): boolean;
  /** Records that a message goes out. Returns the time, which `end` takes. */
  begin(): number;
  /** Records what became of the message. */
  end(begunMs: number, effect: Effect): void;
};

export function createCongestionWindow(now: () => number, random: () => number): CongestionWindow {
  const breaker = createCircuitBreaker(now, random);
  let size = firstWindow;
  /** Above it the window grows slowly: there the service complained last. */
  let threshold = largestWindow;
  let cutAtMs = Number.NEGATIVE_INFINITY;
  let inFlight = 0;

  function adapt(begunMs: number, effect: Effect): void {
    if (effect === "taken") {
      size = Math.min(size + (size < threshold ? startGain : 1 / size), largestWindow);
    } else if (effect !== "refused" && begunMs > cutAtMs) {
      // Messages that were in flight together cut the window once.
      cutAtMs = now();
      size = Math.max(1, size / 2);
      threshold = size;
    }
  }

  function reset(): void {
    size = firstWindow;
    threshold = largestWindow;
  }

  return {
    size: () => (breaker.isOpen() ? 1 : Math.floor(size)),
    room() {
      if (breaker.isOpen()) return breaker.restMs() > 0 ? 0 : 1;
      return Math.max(0, Math.floor(size) - inFlight);
    },
    isFailing: breaker.isOpen,
    restMs: breaker.restMs,
    restsSince: breaker.restsSince,
    begin() {
      inFlight++;
      breaker.begin();
      return now();
    },
    end(begunMs, effect) {
      inFlight--;
      const isFault = effect === "neither" ? undefined : effect === "fault";
      if (breaker.isOpen()) {
        if (breaker.checkProbe(begunMs, isFault)) reset();
      } else if (isFault !== undefined) {
        adapt(begunMs, effect);
        breaker.check(isFault);
      }
    },
  };
}
