import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { stepsOfProfile } from "./cpu-profile.ts";
import { cpuMsOf, ownCpuMsOf } from "./processes.ts";
import type { Service } from "./service.ts";

type Statement = { calls: number; planMs: number; execMs: number; query: string };

export type Profile = {
  /** CPU time of the delivery threads by step, as fractions of 1, without idle time. */
  steps: [string, number][];
  /** CPU time of the service's process with all threads, including the profiler. */
  clientMs: number;
  /** The rows of pg_stat_statements, the most expensive first, and the CPU time of all PostgreSQL processes. */
  statements: Statement[];
  databaseMs: number;
  /** The CPU time of PostgreSQL by client or background task, µs per message. */
  databaseUs: [string, number][];
  /** Bytes of write-ahead log. */
  walBytes: number;
  messages: number;
};

const statementsShown = 10;

/**
 * Profiles one send: the CPU time of the delivery threads by step, and the CPU time of PostgreSQL. Stops the service.
 */
export async function profileSend(
  app: App,
  folder: string,
  databasePid: number,
  open: (profileDir: string) => Promise<Service>,
): Promise<Profile> {
  const profileDir = join(folder, "profiles");
  await mkdir(profileDir);
  const service = await open(profileDir);
  await sql`create extension if not exists pg_stat_statements`.execute(app.db);
  await sql`select pg_stat_statements_reset()`.execute(app.db);
  const [walBefore, byWorkerBefore] = [await walBytes(app), await cpuByWorker(app)];
  const [databaseBefore, clientBefore] = [await cpuMsOf(databasePid), await cpuMsOf(service.pid)];
  const { runId } = await service.send();
  const { accepted } = await service.ended(runId);
  const databaseMs = (await cpuMsOf(databasePid)) - databaseBefore;
  const clientMs = (await cpuMsOf(service.pid)) - clientBefore;
  const written = (await walBytes(app)) - walBefore;
  const byWorker = await cpuByWorker(app);
  const { rows } =
    await sql<Statement>`select calls::int as calls, total_plan_time as "planMs", total_exec_time as "execMs",
      regexp_replace(query, '\\s+', ' ', 'g') as query
    from pg_stat_statements where query not like '%pg_stat_statements%'
    order by total_plan_time + total_exec_time desc limit ${statementsShown}`.execute(app.db);
  await service.stop();
  const databaseUs = [...byWorker].map(([worker, ms]): [string, number] => {
    return [worker, ((ms - (byWorkerBefore.get(worker) ?? 0)) * 1_000) / accepted];
  });
  const steps = await stepsOfThreads(profileDir);
  return { steps, clientMs, statements: rows, databaseMs, databaseUs, walBytes: written, messages: accepted };
}

async function walBytes(app: App): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`.execute(
    app.db,
  );
  return rows[0]!.bytes;
}

/** Returns the CPU time so far of PostgreSQL's processes, in ms, by the name of their client or background task. */
async function cpuByWorker(app: App): Promise<Map<string, number>> {
  const { rows } = await sql<{ pid: number; worker: string }>`select pid,
      case when application_name = '' then backend_type else application_name end as worker
    from pg_stat_activity`.execute(app.db);
  const sum = new Map<string, number>();
  for (const { pid, worker } of rows) sum.set(worker, (sum.get(worker) ?? 0) + (await ownCpuMsOf(pid)));
  return sum;
}

/**
 * Returns the steps in the profiles of all threads but the main thread, which handles no messages. Each thread writes
 * its profile when it ends.
 */
async function stepsOfThreads(profileDir: string): Promise<[string, number][]> {
  const sum = new Map<string, number>();
  for (const name of await readdir(profileDir)) {
    // File names: CPU.date.time.pid.thread.number.cpuprofile
    if (name.split(".")[4] === "0") continue;
    for (const [step, us] of await stepsOfProfile(join(profileDir, name))) sum.set(step, (sum.get(step) ?? 0) + us);
  }
  sum.delete("idle");
  const total = [...sum.values()].reduce((all, us) => all + us, 0);
  return [...sum].map(([step, us]): [string, number] => [step, us / total]).toSorted(([, a], [, b]) => b - a);
}
