import { sql } from "kysely";
import { type Database, row, type Tx } from "./db/pool.ts";
import type { Logger } from "./log.ts";
import { type PollLoop, startPollLoop } from "./poll-loop.ts";

const everyMs = 60 * 60 * 1_000;
/** The first round does not run at the start of the process, when other work needs the database. */
const defaultFirstAfterMs = 60 * 1_000;

/**
 * A task that deletes expired rows, or does other upkeep, in small pieces, so that no other statement waits long for
 * their locks. `sweep` does one piece in its own transaction. `at`: the position at which the previous piece stopped;
 * null for the first piece. `name` appears in the log, and in the key of the lock.
 */
export type MaintenanceTask = { name: string; sweep(tx: Tx, at: string | null): Promise<Piece> };

/** `removed`: the number of deleted rows. `at`: the position at which the next piece starts; null after the last. */
type Piece = { removed: number; at: string | null };

/**
 * The error of a piece that does not stop other pieces. Its transaction is rolled back, and the next piece starts at
 * `nextAt`.
 */
export class PieceFault extends Error {
  readonly nextAt: string;

  constructor(message: string, { nextAt, cause }: { nextAt: string; cause: unknown }) {
    super(message, { cause });
    this.nextAt = nextAt;
  }
}

/**
 * Runs each task to its end. Any number of processes may do so at once: each piece takes an advisory lock, and a
 * process that does not get the lock leaves the task to the holder. Returns the number of deleted rows by task.
 * `isStopping` is checked before each piece. Once it returns true, the rest is left for a later call. `onFault` gets
 * each PieceFault. By default the first one is thrown.
 */
export async function runMaintenance(
  db: Database,
  tasks: MaintenanceTask[],
  isStopping: () => boolean = () => false,
  onFault: (fault: PieceFault) => void = throwFault,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const task of tasks) {
    removed[task.name] = 0;
    let at: string | null = null;
    do {
      if (isStopping()) return removed;
      const piece: Piece = await sweepPiece(db, task, at).catch((error: unknown) => {
        if (!(error instanceof PieceFault)) throw error;
        onFault(error);
        return { removed: 0, at: error.nextAt };
      });
      removed[task.name]! += piece.removed;
      at = piece.at;
    } while (at !== null);
  }
  return removed;
}

function throwFault(fault: PieceFault): never {
  throw fault;
}

function sweepPiece(db: Database, { name, sweep }: MaintenanceTask, at: string | null): Promise<Piece> {
  return db.transaction().execute(async (tx) => ((await tryLock(tx, name)) ? sweep(tx, at) : { removed: 0, at: null }));
}

/** Takes the advisory lock of a task until the transaction ends. Returns false if another process has it. */
async function tryLock(tx: Tx, name: string): Promise<boolean> {
  // The key still says "house", as in older versions, because processes of both versions have to take the same lock.
  const lock = await row(
    sql<{ isLocked: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`house ${name}`}, 0)) as "isLocked"`,
    tx,
  );
  return lock!.isLocked;
}

/**
 * Runs the tasks every hour until it is stopped. Logs a task or piece that fails. The others go on, and it is tried
 * again an hour later.
 */
export function startMaintenance(
  db: Database,
  log: Logger,
  tasks: MaintenanceTask[],
  firstAfterMs = defaultFirstAfterMs,
): PollLoop {
  const logFault = (error: unknown, task?: string) =>
    log.warn({ err: error, task }, "a maintenance task failed; will retry in an hour");

  async function round(stopping: AbortSignal): Promise<void> {
    for (const task of tasks) {
      try {
        const onFault = (fault: PieceFault) => logFault(fault, task.name);
        const removed = await runMaintenance(db, [task], () => stopping.aborted, onFault);
        if (Object.values(removed).some((n) => n > 0)) log.info(removed, "maintenance deleted expired rows");
      } catch (error) {
        logFault(error, task.name);
      }
    }
  }

  return startPollLoop({ round, everyMs, firstAfterMs, onFault: logFault, unref: true });
}
