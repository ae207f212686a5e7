/**
 * The number of last answers that are checked. The breaker opens if half of them are faults and there are at least
 * `fewestAnswers`.
 */
const checkedAnswers = 50;
const fewestAnswers = 10;
/**
 * The first rest. It is short, because one lost connection fails everything in flight on it. Each failed probe
 * doubles it.
 */
const firstRestMs = 250;
const longestRestMs = 60_000;

/**
 * A circuit breaker over the answers of one push service, or of one of its hosts. If half of the answers are faults,
 * it opens: nothing is sent during a rest, then one message is sent as a probe.
 */
export type CircuitBreaker = {
  isOpen(): boolean;
  /** Returns how long nothing may be sent, ms; 0 if messages, or a probe, may be sent. */
  restMs(): number;
  /** Returns whether the breaker is open and this time is before the end of its rest. */
  restsSince(begunMs: number): boolean;
  /** Records that a message goes out. It is a probe if the breaker is open. */
  begin(): void;
  /** Records an answer while the breaker is closed. */
  check(isFault: boolean): void;
  /**
   * Records an answer while the breaker is open. `begunMs`: when its message went out. `isFault`: undefined if the
   * probe was not written. Returns whether the breaker closed.
   */
  checkProbe(begunMs: number, isFault: boolean | undefined): boolean;
};

/** Returns a closed breaker. `now`: monotonic ms. `random`: 0 to 1, for jitter. */
export function createCircuitBreaker(now: () => number, random: () => number): CircuitBreaker {
  /** The last answers; true is a fault. */
  let answers: boolean[] = [];
  let faults = 0;
  let restsUntilMs: number | undefined;
  let nextRestMs = firstRestMs;
  let isProbing = false;

  function open(): void {
    // The rest is drawn from its upper half, so that the threads of many machines do not probe together.
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
      // A message that went out before the end of the rest proves nothing.
      if (begunMs < restsUntilMs!) return false;
      if (isFault === undefined) isProbing = false;
      else if (isFault) open();
      else close();
      return isFault === false;
    },
  };
}
