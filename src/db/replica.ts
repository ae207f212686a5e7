import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Logger } from "../log.ts";
import { type Database, isDatabaseAway, openDatabase, row } from "./pool.ts";

/** A standby that answers reports and exports, so that they do not slow down sends. */
export type Replica = {
  /**
   * Runs `work`, which only reads, on the replica. Waits until the replica has everything that was committed on
   * `primary` before, so that a caller sees their own writes. Runs `work` on `primary` if the replica cannot be used,
   * is late or is no standby, or if the replica ends `work` halfway.
   */
  read<T>(primary: Database, work: (db: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** How long a report waits for the replica to catch up. */
const maxLagMs = 1_000;
const askEveryMs = 25;
/** How long a failed replica is not asked. A server that is gone would delay each report by its time-out. */
const restMs = 10_000;

/** Opens the pool of the replica at `url`, a URL of one host. Connects at the first use, so the replica may be away. */
export function openReplica(url: string, log: Logger): Replica {
  const limits = { statementMs: 60_000, lockMs: maxLagMs };
  const db = openDatabase({
    connection: { url },
    poolMax: 3,
    tenantMax: 2,
    applicationName: "pressbell reports",
    log,
    limits,
  });
  let restsUntilMs = 0;
  return {
    async read(primary, work) {
      if (performance.now() < restsUntilMs) return work(primary);
      const position = await positionOf(primary);
      if (position === undefined) return work(primary);
      let isCaughtUp = false;
      try {
        await catchUp(db, position);
        isCaughtUp = true;
        return await work(db);
      } catch (error) {
        // Until it has caught up, each error comes from the replica, such as a wrong password or a database that it
        // lacks.
        if (isCaughtUp && !isDatabaseAway(error)) throw error;
        restsUntilMs = performance.now() + restMs;
        log.warn({ err: error }, "reports are read from the primary for 10 s, because the replica cannot be used");
        return work(primary);
      }
    },
    close: () => db.destroy(),
  };
}

/**
 * Returns the position at which the log of `primary` ends; undefined while `primary` is itself a standby, as in a
 * failover that is not over.
 */
async function positionOf(primary: Database): Promise<string | undefined> {
  const found = await row(
    sql<{ position: string | null }>`select case when not pg_is_in_recovery() then pg_current_wal_flush_lsn()::text end
      as position`,
    primary,
  );
  return found!.position ?? undefined;
}

/** Resolves when `replica` has replayed the log up to `position`. */
async function catchUp(replica: Database, position: string): Promise<void> {
  for (const untilMs = performance.now() + maxLagMs; ; ) {
    const state = await row(
      sql<{ isStandby: boolean; hasAll: boolean }>`select pg_is_in_recovery() as "isStandby",
        pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "hasAll"`,
      replica,
    );
    if (!state!.isStandby) throw new Error("the replica is no standby: it may be another database");
    if (state!.hasAll) return;
    if (performance.now() > untilMs) throw new Error(`the replica is more than ${maxLagMs} ms late`);
    await delay(askEveryMs);
  }
}
