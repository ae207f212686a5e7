import { onParentExit } from "./parent-exit.ts";

/**
 * Signals within this time count as one request to stop. One request may send several signals: to a process group,
 * from a service manager or a closed terminal, and again from bootstrap.mjs or npm, which got it too and forward it.
 */
const sameWishMs = 1_000;

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP, or when the parent process exits. A signal that comes more than a
 * second after the first one exits at once with 1.
 */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const stop = () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > sameWishMs) process.exit(1);
      resolve();
    };
    process.on("SIGTERM", stop).on("SIGINT", stop).on("SIGHUP", stop);
    onParentExit(resolve);
  });
}
