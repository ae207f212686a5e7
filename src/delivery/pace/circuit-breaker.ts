/** The last answers are checked, from `fewestAnswers` on. If half of them are faults, the breaker opens. */
const checkedAnswers = 50;
const fewestAnswers = 10;
/**
 * The first rest is short, because one lost connection fails everything in flight on it. Each failed probe doubles it.
 */
const firstRestMs = 250;
const longestRestMs = 60_000;

/**
 * A circuit breaker over the answers of one push service, or of one of its hosts. When they mostly fail it opens:
 * nothing is sent for a rest, then one message as a probe.
 */
export type CircuitBreaker = {
  isOpen(): boolean;
  /** Returns how long nothing may be sent, ms; 0 if messages, or a probe, may be sent. */
  restMs(): number;
  /** Returns whether a rest has begun since this time. */
  restsSince(begunMs: number): boolean;
  /** Records that a message goes out: a probe, if the breaker is open. */
  begin(): void;
  /** Records an answer while the breaker is closed. */
  check(isFault: boolean): void;
  /**
   * Records an answer while the breaker is open. `begunMs`: when its message went out. `isFault` undefined: the probe
   * was not written. Returns whether the breaker closed.
   */
  checkProbe(begunMs: number, isFault: boolean | undefined): boolean;
};

/** Returns a closed breaker. `now`: monotonic ms. `random`: 0 to 1, for jitter. */
export function createCircuitBreaker(now: () => number, random: () => number): CircuitBreaker {
  /** True for a fault. */
  let answers: boolean[] = [];
  let faults = 0;
  let restsUntilMs: number | undefined;
  let nextRestMs = firstRestMs;
  let isProbing = false;

  function open(): void {
    // Drawn from the upper half, so that the threads of many machines do not probe together.
    restsUntilMs = now() + nextRestMs * (0.5 + random() / 2);
    nextRestMs = Math.min(2 * nextRestMs, longestRestMs);
    isProbing = false;
  }

  function close(): void {
    restsUntilMs = undefined;
    nextRestMs = firstRestMs;
    isProbing = false;
    answers = [];
    faults = 0;
  }

  return {
    isOpen: () => restsUntilMs !== undefined,
    restMs() {
      if (restsUntilMs === undefined) return 0;
      return isProbing ? firstRestMs : Math.max(0, restsUntilMs - now());
    },
    restsSince: (begunMs) => restsUntilMs !== undefined && begunMs < restsUntilMs,
    begin() {
      isProbing = restsUntilMs !== undefined;
    },
    check(isFault) {
      answers.push(isFault);
      if (isFault) faults++;
      if (answers.length > checkedAnswers && answers.shift()) faults--;
      if (answers.length >= fewestAnswers && 2 * faults >= answers.length) open();
    },
    checkProbe(begunMs, isFault) {
      // A message from before the rest proves nothing.
      if (begunMs < restsUntilMs!) return false;
      if (isFault === undefined) isProbing = false;
      else if (isFault) open();
      else close();
      return isFault === false;
    },
  };
}
