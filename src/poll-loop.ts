export type PollLoop = {
  /** Ends the pause, waits for the current round, and starts no further round. May be called more than once. */
  stop(): Promise<void>;
};

export type WakeablePollLoop = PollLoop & {
  /** Ends the pause, because there may be work. During a round, makes the next one follow without a pause. */
  wake(): void;
};

export type PollLoopOptions = {
  /**
   * One round of work. It may return the pause that follows it. `stop` aborts `stopping`, which a long round checks so
   * that it ends early.
   */
  round(stopping: AbortSignal): Promise<void> | Promise<{ pauseMs: number }>;
  /** The pause after a round that returns none, or that fails. */
  everyMs: number;
  /** The pause before the first round. Default: 0, the first round starts within this call. */
  firstAfterMs?: number;
  /** Receives the error of a round. The next round comes after the usual pause. */
  onFault(error: unknown): void;
  /** How long `stop` waits for the current round. Default: until the round ends. */
  stopWithinMs?: number;
  /** Whether the process may exit during a pause. Default: false. */
  unref?: boolean;
};

/** Runs `round` again and again until it is stopped, with a pause between rounds and never two at once. */
export function startPollLoop(options: PollLoopOptions): WakeablePollLoop {
  const { round, everyMs, firstAfterMs = 0, onFault, stopWithinMs, unref = false } = options;
  const stopping = new AbortController();
  let endPause = () => {};
  let isAwake = false;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      if (unref) timer.unref();
      endPause = () => {
        // A remaining timer would keep the process alive, for an hour in the case of maintenance.
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    if (firstAfterMs > 0) await pause(firstAfterMs);
    while (!stopping.signal.aborted) {
      isAwake = false;
      const pauseMs = await runRound();
      if (!stopping.signal.aborted && !isAwake) await pause(pauseMs);
    }
  }

  async function runRound(): Promise<number> {
    try {
      return (await round(stopping.signal))?.pauseMs ?? everyMs;
    } catch (error) {
      onFault(error);
      return everyMs;
    }
  }

  const loop = run();
  return {
    wake() {
      isAwake = true;
      endPause();
    },
    async stop() {
      stopping.abort();
      endPause();
      await (stopWithinMs === undefined ? loop : atMost(loop, stopWithinMs));
    },
  };
}

/** Waits for `work`, but no longer than `ms`. */
async function atMost(work: Promise<void>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms).unref();
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
