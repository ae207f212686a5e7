/** Something that is looked after again and again until it is stopped. */
export type PollLoop = { stop(): Promise<void> };

/** Does `round` again and again, with `everyMs` between; a fault is told, and the next round comes all the same. */
export function startPollLoop(
  round: () => Promise<void>,
  everyMs: number,
  onFault: (error: unknown) => void,
): PollLoop {
  let isStopping = false;
  let endPause = () => {};
  const loop = (async () => {
    while (!isStopping) {
      await round().catch(onFault);
      if (isStopping) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        endPause = () => {
          // A timer that is left would keep the process alive, for an hour perhaps.
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  return {
    async stop() {
      isStopping = true;
      endPause();
      await loop;
    },
  };
}
