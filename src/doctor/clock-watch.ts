import type { Database } from "../db/pool.ts";
import type { Logger } from "../log.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { assessDifference, readClock } from "./clock.ts";

/** What the watch needs of an app. `now`: this machine's clock in ms since 1970. */
type Watched = { db: Database; log: Pick<Logger, "warn">; now: () => number };

/**
 * Compares this machine's clock with the database's now and every hour, and warns where they are 5 s apart or more:
 * push services refuse signatures by a clock that is hours off.
 */
export function startClockWatch({ db, log, now }: Watched): PollLoop {
  return startPollLoop({
    async round() {
      const { aheadMs } = await readClock(db, now);
      const { level, message } = assessDifference(aheadMs);
      if (level !== "ok") log.warn({ aheadMs: Math.round(aheadMs) }, message);
    },
    everyMs: 3_600_000,
    // A database that hangs must not hold up the end of the process.
    stopWithinMs: 1_000,
    // That the database is away is logged by what uses it. The next round compares.
    onFault: () => {},
    unref: true,
  });
}
