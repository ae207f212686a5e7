import { sql } from "kysely";
import { type Database, rows } from "../../src/db/pool.ts";
import { isUncertain } from "../../src/runs/codes.ts";
import { type ServiceProcess, spawnProcess } from "../fixtures/spawn-process.ts";
import type { History, ProcessEvent } from "./history.ts";

/** A process of the service under test, whose life is noted. */
export type ProcessUnderTest = {
  name: string;
  pid: number;
  /** Where it listens; "" for a worker. */
  url: string;
  service: ServiceProcess;
  isAlive(): boolean;
  /** SIGKILL. Resolves when it is gone and what it left uncertain is noted. */
  kill(): Promise<void>;
  /** SIGSTOP: it does not know that time goes by. */
  freeze(): Promise<void>;
  thaw(): void;
  /** SIGTERM. Resolves with the exit code, or the signal that ended it. */
  ask(): Promise<number | NodeJS.Signals | null>;
  /** SIGTERM, or another signal, and again while it drains: it ends at once, as by a kill. */
  askTwice(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
};

export type ProcessOptions = {
  name: string;
  role: "start" | "api" | "worker";
  settings: Record<string, string>;
  /** Another copy of the service than ours. */
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
  const note = (event: ProcessEvent["event"]) => history.note({ kind: "process", name, pid, event });
  note("spawned");
  const life = { isAlive: true };
  const ended = service.ended.then((how) => {
    life.isAlive = false;
    note("ended");
    return how;
  });
  const listening = role === "worker" ? undefined : await service.printed(/listens on (http:\/\/[\d.:]+)/);
  if (role !== "api") await service.printed(/delivering with/);
  note("started");
  return {
    ...{ name, pid, url: listening?.[1] ?? "", service },
    isAlive: () => life.isAlive,
    async kill() {
      note("killed");
      service.process.kill("SIGKILL");
      await ended;
      await noteUncertain(history, db, pid);
    },
    async freeze() {
      note("frozen");
      service.process.kill("SIGSTOP");
      await noteUncertain(history, db, pid);
    },
    thaw() {
      note("thawed");
      service.process.kill("SIGCONT");
    },
    ask() {
      note("asked");
      service.process.kill("SIGTERM");
      return ended;
    },
    async askTwice(signal = "SIGTERM") {
      note("killed");
      service.process.kill(signal);
      await service.printed(/waiting for what is in flight/);
      service.process.kill(signal);
      const how = await ended;
      await noteUncertain(history, db, pid);
      return how;
    },
  };
}

/** Notes whom the ledger holds for uncertain in the batches of a process that does nothing any more. */
async function noteUncertain(history: History, db: Database, pid: number): Promise<void> {
  try {
    let before = await inFlightOf(db, pid);
    // Its last statement may still be at work in the database.
    for (;;) {
      await sql`select pg_sleep(0.1)`.execute(db);
      const again = await inFlightOf(db, pid);
      if (again.length === before.length) break;
      before = again;
    }
    history.note({ kind: "uncertain", pid, subscriberIds: before });
  } catch {
    // The database is away: the check then does without this look.
  }
}

/** Whom the ledger holds for uncertain in the batches of a process: their messages are under way, or nobody knows. */
export async function inFlightOf(db: Database, pid: number): Promise<number[]> {
  const held = await rows(
    sql<{ codes: Buffer; ids: number[] }>`select b.codes, p.subscriber_ids as ids from run_batches b
      join run_recipients p on p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no
      where b.state = 'open' and split_part(b.owner, '.', 1) = ${String(pid)}`,
    db,
  );
  return held.flatMap(({ codes, ids }) => ids.filter((_, place) => isUncertain(codes[place]!)));
}
