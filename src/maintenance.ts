import { sql } from "kysely";
import { type Database, row, type Tx } from "./db/pool.ts";
import type { Logger } from "./log.ts";

const everyMs = 60 * 60 * 1_000;
/** Not at the start: then others wait for the database. */
const defaultFirstAfterMs = 60 * 1_000;

/**
 * Something that is removed in time, in pieces so small that nobody waits for them. `sweep` does the next piece in its
 * own transaction and returns how many rows went and where it stopped; `at` is where the piece before stopped, null at
 * the first one. `at` null in the answer: there is no more to do.
 */
export type MaintenanceTask = { name: string; sweep(tx: Tx, at: string | null): Promise<Piece> };

type Piece = { removed: number; at: string | null };

/**
 * Does each chore to its end. Any number of processes may: each piece takes an advisory lock, and who does not get it
 * leaves the chore to the one that has it. Returns how many rows went, by chore.
 */
export async function runMaintenance(
  db: Database,
  chores: MaintenanceTask[],
  isEnding: () => boolean = () => false,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const chore of chores) {
    removed[chore.name] = 0;
    let at: string | null = null;
    do {
      if (isEnding()) return removed;
      const piece: Piece = await sweepPiece(db, chore, at);
      removed[chore.name]! += piece.removed;
      at = piece.at;
    } while (at !== null);
  }
  return removed;
}

function sweepPiece(db: Database, { name, sweep }: MaintenanceTask, at: string | null): Promise<Piece> {
  return db.transaction().execute(async (tx) => ((await isOurs(tx, name)) ? sweep(tx, at) : { removed: 0, at: null }));
}

async function isOurs(tx: Tx, name: string): Promise<boolean> {
  const lock = await row(
    sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`house ${name}`}, 0)) as ours`,
    tx,
  );
  return lock!.ours;
}

/** Keeps house every hour until it is stopped. A round that fails is made good by the next. */
export function startMaintenance(
  db: Database,
  log: Logger,
  chores: MaintenanceTask[],
  firstAfterMs = defaultFirstAfterMs,
): { stop(): Promise<void> } {
  let isStopping = false;
  let round = Promise.resolve();

  async function work(): Promise<void> {
    for (const chore of chores) {
      try {
        const removed = await runMaintenance(db, [chore], () => isStopping);
        if (Object.values(removed).some((n) => n > 0)) log.info(removed, "what had its time was removed");
      } catch (error) {
        log.warn({ err: error, chore: chore.name }, "housekeeping failed and will be done in an hour");
      }
    }
  }
  const next = () => {
    round = round.then(work);
  };
  const first = setTimeout(next, firstAfterMs).unref();
  const timer = setInterval(next, everyMs).unref();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(first);
      clearInterval(timer);
      await round;
    },
  };
}
