import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pathsOf } from "../../../src/db/embedded/paths.ts";
import { afterFile } from "../../fixtures/cleanup.ts";

export type User = { uid: number; gid: number };
type Connection = { host: string; port: number; user: string; database: string; password: string };
export type Holder = { process: ChildProcess; connection: Connection; refused?: string; release(): Promise<void> };

/** Polls `condition` until it holds. Throws after half a minute. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting for: ${what}`);
    await delay(20);
  }
}

/** Creates a DATA_DIR below `parent`. `clear` removes it with its sockets and processes. */
export function scratchDataDir(parent = tmpdir(), owner?: User): { dataDir: string; clear(): Promise<void> } {
  const dataDir = mkdtempSync(join(parent, "pressbell-test-"));
  if (owner) chownSync(dataDir, owner.uid, owner.gid);
  const paths = pathsOf(dataDir);
  const clear = async () => {
    for (const { pid } of processesOf(dataDir)) process.kill(pid, "SIGKILL");
    await until("all processes to end", () => processesOf(dataDir).length === 0);
    for (const path of [dataDir, paths.runtimeDir]) rmSync(path, { recursive: true, force: true });
  };
  return { dataDir, clear };
}

/** Returns the processes whose command line names `dataDir`: holders, supervisor, wrapper and PostgreSQL itself. */
export function processesOf(dataDir: string): { pid: number; args: string }[] {
  return allProcesses().filter(({ args }) => args.includes(dataDir));
}

/** Returns those of the processes that only a lease keeps alive. */
export function serversOf(dataDir: string): { pid: number; args: string }[] {
  return processesOf(dataDir).filter(({ args }) => !args.includes("hold.ts"));
}

export function supervisorPid(dataDir: string): number {
  return serversOf(dataDir).find(({ args }) => args.includes("supervisor.ts"))!.pid;
}

function allProcesses(): { pid: number; args: string }[] {
  if (process.platform !== "linux") {
    const lines = spawnSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" }).stdout.split("\n");
    return lines.map((line) => ({ pid: Number.parseInt(line, 10), args: line }));
  }
  return readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name)
        ? [{ pid: Number(name), args: readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ") }]
        : [];
    } catch {
      // The process has ended in the meantime.
      return [];
    }
  });
}

/** Starts a process that takes a lease, as `user` if given. Resolves when it has the lease, or when it was refused. */
export async function hold(dataDir: string, user: Partial<User> = {}): Promise<Holder> {
  const script = fileURLToPath(new URL("./hold.ts", import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], { ...user, stdio: ["pipe", "pipe", "inherit"] });
  afterFile(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const answer = JSON.parse(line) as Connection & { refused?: string };
  const ended = once(child, "exit");
  const release = async () => {
    child.stdin.end();
    await ended;
  };
  return { process: child, connection: answer, ...(answer.refused ? { refused: answer.refused } : {}), release };
}

/** Runs one statement on a new connection. Returns the first column of the first row. */
export async function ask(connection: pg.ClientConfig, statement: string): Promise<unknown> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Returns whether PostgreSQL answers now. */
export async function answers(connection: Connection): Promise<boolean> {
  return ask(connection, "select 1").then(
    () => true,
    () => false,
  );
}
