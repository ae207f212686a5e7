import type { Database } from "../db/pool.ts";
import type { Logger } from "../log.ts";
import { type PollLoop, startPollLoop } from "../poll-loop.ts";
import { assessDifference, readClock } from "./clock.ts";

/** The parts of an app that the watch needs. `now`: this machine's clock in ms since 1970. */
type Watched = { db: Database; log: Pick<Logger, "warn">; now: () => number };

/**
 * Compares this machine's clock with the database's now and every hour, and logs a warning if they are 5 s or more
 * apart. Push services refuse signatures from a clock that is hours off.
 */
export function startClockWatch({ db, log, now }: Watched): PollLoop {
  return startPollLoop({
    async round() {
      const { aheadMs } = await readClock(db, now);
      const { level, message } = assessDifference(aheadMs);
      if (level !== "ok") log.warn({ aheadMs: Math.round(aheadMs) }, message);
    },
    everyMs: 3_600_000,
    // A hanging database must not delay the end of the process.
    stopWithinMs: 1_000,
    // Other code logs that the database is unreachable. The next round compares again.
    onFault: () => {},
    unref: true,
  });
}
