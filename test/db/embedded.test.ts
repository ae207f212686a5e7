import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { leaseEmbeddedPostgres } from "../../src/db/embedded/lease.ts";
import { pathsOf } from "../../src/db/embedded/paths.ts";
import { answers, ask, hold, scratchDataDir, serversOf, supervisorPid, until } from "./embedded/fixture.ts";

const isRoot = process.getuid?.() === 0;
const stranger = { uid: 65534, gid: 65534 };
const strangerCanRead = isRoot && spawnSync("test", ["-r", import.meta.filename], stranger).status === 0;

// Created once, because initdb takes most of the time of a first start.
const template = scratchDataDir();
// The DATA_DIR of one test.
let scratch: ReturnType<typeof scratchDataDir>;
let dataDir: string;

beforeAll(async () => {
  const lease = await leaseEmbeddedPostgres(template.dataDir);
  await ask(lease.connection, "create table kept as select 'still here' as what");
  await lease.release();
  return template.clear;
});

beforeEach(() => {
  scratch = scratchDataDir();
  dataDir = scratch.dataDir;
  return scratch.clear;
});

function afterFirstStart(): string {
  const { cluster } = pathsOf(template.dataDir);
  // `cp` keeps the owner, which Node.js does not.
  spawnSync("cp", ["-Rp", cluster, dataDir]);
  return dataDir;
}

test("keeps its data from the first start to the second, and leaves no process behind", async () => {
  const lease = await leaseEmbeddedPostgres(afterFirstStart());
  expect(await ask(lease.connection, "select what from kept")).toBe("still here");
  expect(await ask(lease.connection, "show fsync")).toBe("on");
  expect(await ask(lease.connection, "show server_encoding")).toBe("UTF8");
  await lease.release();
  expect(serversOf(dataDir)).toEqual([]);
});

test("is shared by two commands and ends with the second of them", async () => {
  const first = await hold(afterFirstStart());
  const second = await leaseEmbeddedPostgres(dataDir);
  expect(second.connection).toEqual(first.connection);
  const startedAt = await ask(second.connection, "select pg_postmaster_start_time()::text");
  await first.release();
  expect(await ask(second.connection, "select pg_postmaster_start_time()::text")).toBe(startedAt);
  await second.release();
  expect(serversOf(dataDir)).toEqual([]);
});

test("ends when its only holder is killed with -9", async () => {
  const holder = await hold(afterFirstStart());
  holder.process.kill("SIGKILL");
  await until("PostgreSQL and its supervisor to end", () => serversOf(dataDir).length === 0);
});

test("keeps running for one holder when the other, which started it, is killed with -9", async () => {
  const starter = await hold(afterFirstStart());
  const lease = await leaseEmbeddedPostgres(dataDir);
  const startedAt = await ask(lease.connection, "select pg_postmaster_start_time()::text");
  const supervisor = supervisorPid(dataDir);
  starter.process.kill("SIGKILL");
  await until("the starter to end", () => starter.process.signalCode === "SIGKILL");
  expect(await ask(lease.connection, "select pg_postmaster_start_time()::text")).toBe(startedAt);
  expect(supervisorPid(dataDir)).toBe(supervisor);
  await lease.release();
});

test("comes back at the same address when its supervisor is killed with -9", async () => {
  const lease = await leaseEmbeddedPostgres(afterFirstStart());
  const before = serversOf(dataDir).map(({ pid }) => pid);
  process.kill(supervisorPid(dataDir), "SIGKILL");
  await until("the old PostgreSQL to end", () => !serversOf(dataDir).some(({ pid }) => before.includes(pid)));
  await until("a new one to answer", () => answers(lease.connection));
  await lease.release();
  expect(serversOf(dataDir)).toEqual([]);
});

test("comes back when PostgreSQL itself is killed with -9", async () => {
  const lease = await leaseEmbeddedPostgres(afterFirstStart());
  const supervisor = supervisorPid(dataDir);
  const pid = Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(pid, "SIGKILL");
  await until("the supervisor to end", () => !serversOf(dataDir).some((server) => server.pid === supervisor));
  await until("a new PostgreSQL to answer", () => answers(lease.connection));
  expect(await ask(lease.connection, "select what from kept")).toBe("still here");
  await lease.release();
});

test("starts once when two commands start on the same empty DATA_DIR at the same time", async () => {
  const [first, second] = await Promise.all([hold(dataDir), hold(dataDir)]);
  const query = "select pg_postmaster_start_time()::text";
  expect(await ask(first.connection, query)).toBe(await ask(second.connection, query));
  await Promise.all([first.release(), second.release()]);
  expect(serversOf(dataDir)).toEqual([]);
});

test("starts again at once for a command that comes while the last one releases its lease", async () => {
  const lease = await leaseEmbeddedPostgres(afterFirstStart());
  const leaving = lease.release();
  const next = await leaseEmbeddedPostgres(dataDir);
  await leaving;
  expect(await ask(next.connection, "select 1")).toBe(1);
  await next.release();
  expect(serversOf(dataDir)).toEqual([]);
});

test("starts although a crash left a postmaster.pid whose process id now belongs to another program", async () => {
  const pidFile = join(afterFirstStart(), "postgres", "postmaster.pid");
  writeFileSync(pidFile, `${process.pid}\n${dataDir}/postgres\n1\n5432\n/nowhere\n\n  0 0\nready   \n`);
  const lease = await leaseEmbeddedPostgres(dataDir);
  expect(await ask(lease.connection, "select what from kept")).toBe("still here");
  await lease.release();
});

test("runs in a DATA_DIR whose path is too long for a socket", async () => {
  const long = join(dataDir, "a long and winding path ".repeat(8));
  mkdirSync(long, { recursive: true });
  spawnSync("chmod", ["-R", "a+x", dataDir]);
  const lease = await leaseEmbeddedPostgres(long);
  expect(lease.connection.host.length).toBeLessThan(60);
  expect(await ask(lease.connection, "select 1")).toBe(1);
  await lease.release();
  spawnSync("rm", ["-rf", pathsOf(long).runtimeDir]);
});

test("is refused, with advice, if another major version wrote the data", async () => {
  writeFileSync(join(afterFirstStart(), "postgres", "PG_VERSION"), "14\n");
  await expect(leaseEmbeddedPostgres(dataDir)).rejects.toThrow(/PostgreSQL 14, but this Pressbell brings 18/);
  expect(serversOf(dataDir)).toEqual([]);
});

test("is refused, with the end of the log, if PostgreSQL cannot start", async () => {
  writeFileSync(join(afterFirstStart(), "postgres", "postgresql.conf"), "nonsense = yes\n");
  await expect(leaseEmbeddedPostgres(dataDir)).rejects.toThrow(/unrecognized configuration parameter "nonsense"/);
  expect(serversOf(dataDir)).toEqual([]);
});

test("is refused if its folder for sockets is open to others", async () => {
  mkdirSync(pathsOf(dataDir).runtimeDir);
  spawnSync("chmod", ["777", pathsOf(dataDir).runtimeDir]);
  await expect(leaseEmbeddedPostgres(dataDir)).rejects.toThrow(/belongs to another user, or is open to others/);
});

test.runIf(isRoot && process.platform === "linux")(
  "runs for root below a folder that only root can enter",
  async () => {
    const closed = scratchDataDir(homedir());
    try {
      spawnSync("chmod", ["700", closed.dataDir]);
      const inner = join(closed.dataDir, "data");
      const lease = await leaseEmbeddedPostgres(inner);
      expect(await ask(lease.connection, "select 1")).toBe(1);
      expect(lstatSync(join(inner, "postgres")).uid).toBe(0);
      await lease.release();
      spawnSync("rm", ["-rf", pathsOf(inner).runtimeDir]);
    } finally {
      await closed.clear();
    }
  },
);

describe.runIf(strangerCanRead)("for an ordinary user", () => {
  let theirs: ReturnType<typeof scratchDataDir>;

  beforeAll(() => {
    theirs = scratchDataDir(undefined, stranger);
    return theirs.clear;
  });

  test("runs as that user, and is shared with root", async () => {
    const holder = await hold(theirs.dataDir, stranger);
    expect(lstatSync(join(theirs.dataDir, "postgres")).uid).toBe(stranger.uid);
    const lease = await leaseEmbeddedPostgres(theirs.dataDir);
    expect(lease.connection).toEqual(holder.connection);
    await lease.release();
    await holder.release();
    expect(serversOf(theirs.dataDir)).toEqual([]);
  });

  test("still belongs to that user after root started it", async () => {
    const lease = await leaseEmbeddedPostgres(theirs.dataDir);
    const holder = await hold(theirs.dataDir, stranger);
    expect(holder.refused).toBeUndefined();
    await lease.release();
    expect(await ask(holder.connection, "select 1")).toBe(1);
    await holder.release();
  });
});
