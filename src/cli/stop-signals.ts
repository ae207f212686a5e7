import { onParentExit } from "./parent-exit.ts";

/**
 * One wish to stop may come as several signals: to a process group, by a service manager or a closed terminal, and then
 * forwarded by bootstrap.mjs or npm, who got it too. What follows within this time is not a second wish.
 */
const sameWishMs = 1_000;

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP, or when the parent process exits. A second signal, which is one that
 * comes a second after the first or later, exits at once with 1.
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
