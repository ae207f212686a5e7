import type { Effect } from "../answers/read-answer.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";

/** In flight to one push service, at first and at most. */
const firstWindow = 16;
const largestWindow = 10_000;

/**
 * How fast this thread sends to one push service. The window grows by one with each answer at first, later by one with
 * each windowful, and is halved where the service asks for less or fails (AIMD). Where it mostly fails a breaker lets
 * nothing through for a while, and then one message as a probe. Times are of `now`, monotonic ms.
 */
export type CongestionWindow = {
  /** How many may be in flight at once. */
  size(): number;
  /** How many more may be sent now. */
  room(): number;
  /** Whether it mostly fails: it is left alone, or tried with a probe. */
  isFailing(): boolean;
  /** How long nothing is to be sent here; 0 where something may. */
  restMs(): number;
  /** Whether a rest has begun since this time: what was not written before it is not to be written now. */
  restsSince(begunMs: number): boolean;
  /** A message goes out. Returns the time, which `end` wants back. */
  begin(): number;
  /** A message has come back, or was not written after all. */
  end(begunMs: number, effect: Effect): void;
};

export function createCongestionWindow(now: () => number, random: () => number): CongestionWindow {
  const breaker = createCircuitBreaker(now, random);
  let window = firstWindow;
  /** Beyond it the window grows slowly: there the service complained last. */
  let threshold = largestWindow;
  let cutAtMs = Number.NEGATIVE_INFINITY;
  let inFlight = 0;

  function adapt(begunMs: number, effect: Effect): void {
    if (effect === "taken") {
      window = Math.min(window + (window < threshold ? 1 : 1 / window), largestWindow);
    } else if (effect !== "refused" && begunMs > cutAtMs) {
      // Once for all that was under way together.
      cutAtMs = now();
      window = Math.max(1, window / 2);
      threshold = window;
    }
  }

  function startAgain(): void {
    window = firstWindow;
    threshold = largestWindow;
  }

  return {
    size: () => (breaker.isOpen() ? 1 : Math.floor(window)),
    room() {
      if (breaker.isOpen()) return breaker.restMs() > 0 ? 0 : 1;
      return Math.max(0, Math.floor(window) - inFlight);
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
        if (breaker.judgeProbe(begunMs, isFault)) startAgain();
      } else if (isFault !== undefined) {
        adapt(begunMs, effect);
        breaker.judge(isFault);
      }
    },
  };
}
