import { sql } from "kysely";
import { type Database, rows } from "../../src/db/pool.ts";
import { isUncertain } from "../../src/runs/ledger/codes.ts";
import { type ServiceProcess, spawnProcess } from "../fixtures/spawn-process.ts";
import type { History, ProcessEvent } from "./history.ts";

/** A process of the service under test. The history records its life. */
export type ProcessUnderTest = {
  name: string;
  pid: number;
  /** The URL it listens on; "" for a worker. */
  url: string;
  service: ServiceProcess;
  isAlive(): boolean;
  /** Sends SIGKILL. Resolves when the process has ended and its uncertain messages are recorded. */
  kill(): Promise<void>;
  /** Sends SIGSTOP. The process does not notice the time that passes. */
  freeze(): Promise<void>;
  /** Sends SIGCONT. */
  thaw(): void;
  /** Sends SIGTERM. Resolves with the exit code, or the signal that ended it. */
  terminate(): Promise<number | NodeJS.Signals | null>;
  /**
   * Sends SIGTERM, or another signal, and repeats it while the process drains. The process then ends at once, like
   * after a kill.
   */
  terminateTwice(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
};

export type ProcessOptions = {
  name: string;
  role: "start" | "api" | "worker";
  settings: Record<string, string>;
  /** The main.ts of another copy of the service. */
  main?: string | undefined;
};

/** Starts a process and waits until it listens, or delivers. */
export async function startUnderTest(
  history: History,
  db: Database,
  options: ProcessOptions,
): Promise<ProcessUnderTest> {
  const { name, role, settings, main } = options;
  const service = spawnProcess([role], { PORT: "0", ...settings }, main);
  const pid = service.process.pid!;
  const record = (event: ProcessEvent["event"]) => history.record({ kind: "process", name, pid, event });
  record("spawned");
  const life = { isAlive: true };
  const ended = service.ended.then((status) => {
    life.isAlive = false;
    record("ended");
    return status;
  });
  const listening = role === "worker" ? undefined : await service.printed(/listens on (http:\/\/[\d.:]+)/);
  if (role !== "api") await service.printed(/delivering with/);
  record("started");
  return {
    name,
    pid,
    url: listening?.[1] ?? "",
    service,
    isAlive: () => life.isAlive,
    async kill() {
      record("killed");
      service.process.kill("SIGKILL");
      await ended;
      await recordUncertain(history, db, pid);
    },
    async freeze() {
      record("frozen");
      service.process.kill("SIGSTOP");
      await recordUncertain(history, db, pid);
    },
    thaw() {
      record("thawed");
      service.process.kill("SIGCONT");
    },
    terminate() {
      record("terminated");
      service.process.kill("SIGTERM");
      return ended;
    },
    async terminateTwice(signal = "SIGTERM") {
      record("killed");
      service.process.kill(signal);
      await service.printed(/waiting for what is in flight/);
      // The system merges signals that arrive at the same moment, so the signal is repeated after a while.
      const again = setInterval(() => service.process.kill(signal), 100);
      const status = await ended;
      clearInterval(again);
      await recordUncertain(history, db, pid);
      return status;
    },
  };
}

/** Records the subscribers that are uncertain in the batches of a process that no longer runs. */
async function recordUncertain(history: History, db: Database, pid: number): Promise<void> {
  try {
    let before = await inFlightOf(db, pid);
    // The database may still run the last statement of the process.
    for (;;) {
      await sql`select pg_sleep(0.1)`.execute(db);
      const again = await inFlightOf(db, pid);
      if (again.length === before.length) break;
      before = again;
    }
    history.record({ kind: "uncertain", pid, subscriberIds: before });
  } catch {
    // The database is away, so the check has to do without this snapshot.
  }
}

/** Returns the subscribers that are uncertain in the batches of a process: their messages may be on the wire. */
export async function inFlightOf(db: Database, pid: number): Promise<number[]> {
  const held = await rows(
    sql<{ codes: Buffer; ids: number[] }>`select b.codes, p.subscriber_ids as ids from run_batches b
      join run_recipients p on p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no
      where b.state = 'open' and split_part(b.owner, '.', 1) = ${String(pid)}`,
    db,
  );
  return held.flatMap(({ codes, ids }) => ids.filter((_, place) => isUncertain(codes[place]!)));
}
