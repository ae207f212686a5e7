import type { Effect } from "../answers/read-answer.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";

/** The first and the largest window: messages in flight to one push service. */
const firstWindow = 16;
const largestWindow = 10_000;
/**
 * The messages by which each answer widens a window that was never cut. The window triples in the time of an answer,
 * as in BBR's start.
 */
const startGain = 2;

/**
 * The number of messages that this thread may have in flight to one push service. At first the window grows by two
 * with each answer. After a cut it grows by one with each full window. It is halved when the service asks for fewer
 * messages or fails (AIMD). If half of the answers are faults, a circuit breaker stops sending, then lets one message
 * through as a probe. Times are those of `now`, monotonic ms.
 */
export type CongestionWindow = {
  /** Returns how many messages may be in flight at the same time. */
  size(): number;
  /** Returns how many more may be sent now. */
  room(): number;
  /** Returns whether the breaker is open: the service rests or is probed. */
  isFailing(): boolean;
  /** Returns how long nothing may be sent, ms; 0 if something may. */
  restMs(): number;
  /**
   * Returns whether the breaker is open and this time is before the end of its rest. A message from then must not be
   * written now.
   */
  restsSince(begunMs: number): boolean;
  /** Records that a message goes out. Returns its time, for `end`. */
  begin(): number;
  /** Records how the message ended. */
  end(begunMs: number, effect: Effect): void;
};

export function createCongestionWindow(now: () => number, random: () => number): CongestionWindow {
  const breaker = createCircuitBreaker(now, random);
  let size = firstWindow;
  /** Above this size the window grows slowly, because the service complained there last. */
  let threshold = largestWindow;
  let cutAtMs = Number.NEGATIVE_INFINITY;
  let inFlight = 0;

  function adapt(begunMs: number, effect: Effect): void {
    if (effect === "taken") {
      size = Math.min(size + (size < threshold ? startGain : 1 / size), largestWindow);
    } else if (effect !== "refused" && begunMs > cutAtMs) {
      // Messages that were in flight together cut the window only once.
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
