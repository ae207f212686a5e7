import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findBinaries } from "../../src/db/embedded/binaries.ts";
import { role } from "../../src/db/embedded/cluster.ts";
import { leaseEmbeddedPostgres } from "../../src/db/embedded/lease.ts";
import { pathsOf } from "../../src/db/embedded/paths.ts";
import { removeStalePidFile, runningPostgres } from "../../src/db/embedded/postmaster.ts";
import { chooseRunner, spawnOptions } from "../../src/db/embedded/runner.ts";
import { answers, ask, hold, scratchDataDir, serversOf, supervisorPid, until } from "../db/embedded/fixture.ts";

const isRoot = process.getuid?.() === 0;
const stranger = { uid: 65534, gid: 65534 };
const strangerCanRead = isRoot && spawnSync("test", ["-r", import.meta.filename], stranger).status === 0;

// Created once, because initdb takes most of the time of a first start.
const template = scratchDataDir();
// The DATA_DIR of the current test.
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

test.each([
  [
    "whose process id now belongs to another program",
    (id: number) => `${id}\n${dataDir}/postgres\n1\n5432\n\n\n\nready\n`,
  ],
  ["that is empty", () => ""],
])("starts although a crash left a postmaster.pid %s", async (_, content) => {
  writeFileSync(pidFileOf(afterFirstStart()), content(process.pid));
  const lease = await leaseEmbeddedPostgres(dataDir);
  expect(await ask(lease.connection, "select what from kept")).toBe("still here");
  await lease.release();
});

test("waits while another start sets the password, and leaves its postmaster.pid alone", async () => {
  const paths = pathsOf(afterFirstStart());
  const binaries = findBinaries();
  const runner = chooseRunner(binaries, paths);
  const [command, ...args] = [...runner.prefix, binaries.postgres, "--single", "-D", paths.cluster, role];
  const single = spawn(command!, args, { ...spawnOptions(runner), stdio: ["pipe", "ignore", "ignore"] });
  await until("PostgreSQL to lock its data folder", () => runningPostgres(paths) === single.pid);
  await removeStalePidFile(paths);
  expect(runningPostgres(paths)).toBe(single.pid);
  const starting = leaseEmbeddedPostgres(dataDir);
  single.stdin.end();
  const lease = await starting;
  expect(await ask(lease.connection, "select what from kept")).toBe("still here");
  await lease.release();
});

test("leaves a postmaster.pid alone that PostgreSQL has created and fills just now", async () => {
  const pidFile = pidFileOf(afterFirstStart());
  writeFileSync(pidFile, "");
  const removing = removeStalePidFile(pathsOf(dataDir));
  writeFileSync(pidFile, "1\n");
  await removing;
  expect(readFileSync(pidFile, "utf8")).toBe("1\n");
});

const pidFileOf = (dir: string) => join(dir, "postgres", "postmaster.pid");

test("runs in a DATA_DIR whose path is too long for a socket", async () => {
  const long = join(dataDir, "a long and winding path ".repeat(8));
  mkdirSync(long, { recursive: true });
  spawnSync("chmod", ["-R", "a+x", dataDir]);
  const lease = await leaseEmbeddedPostgres(long);
  expect(lease.connection.host.length).toBeLessThan(60);
  expect(modeOf(lease.connection.host)).toBe(0o700);
  expect(await ask(lease.connection, "select 1")).toBe(1);
  await expect(ask({ ...lease.connection, password: "guess" }, "select 1")).rejects.toThrow(/authentication failed/);
  await lease.release();
  spawnSync("rm", ["-rf", pathsOf(long).runtimeDir]);
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

const notScram = "select count(*)::int from pg_hba_file_rules where auth_method is distinct from 'scram-sha-256'";

test("refuses a process of the same system user with another password, none, or another role", async () => {
  const lease = await leaseEmbeddedPostgres(afterFirstStart());
  const { connection } = lease;
  for (const database of ["pressbell", "template1", "postgres"])
    await expect(ask({ ...connection, database, password: "guess" }, "select 1")).rejects.toThrow(
      /authentication failed/,
    );
  await expect(ask({ ...connection, user: "postgres" }, "select 1")).rejects.toThrow(/authentication failed/);
  // Without a password the client itself gives up, because PostgreSQL asks for one.
  await expect(ask({ ...connection, password: undefined }, "select 1")).rejects.toThrow(/password must be a string/);
  expect(await ask(connection, notScram)).toBe(0);
  expect(await ask(connection, "show listen_addresses")).toBe("");
  await lease.release();
});

test("keeps the password and the socket in DATA_DIR, closed to other users", async () => {
  const lease = await leaseEmbeddedPostgres(afterFirstStart());
  const { passwordFile, socketDir, owner } = pathsOf(dataDir);
  expect([passwordFile, socketDir]).toEqual([join(dataDir, "postgres.password"), join(dataDir, "run", "pg")]);
  expect(modeOf(passwordFile)).toBe(0o600);
  expect(statSync(passwordFile).uid).toBe(owner.uid);
  expect(modeOf(socketDir)).toBe(0o700);
  expect(lease.connection.host).toBe(socketDir);
  expect(lease.connection.password).toBe(readFileSync(passwordFile, "utf8").trim());
  expect(lease.connection.password).toMatch(/^[\w-]{43}$/);
  await lease.release();
  expect(readFileSync(join(dataDir, "postgres.log"), "utf8")).not.toContain(lease.connection.password);
});

test("replaces PostgreSQL's log above 8 MB, and PostgreSQL goes on in the empty one", async () => {
  const lease = await leaseEmbeddedPostgres(afterFirstStart());
  const { log } = pathsOf(dataDir);
  const size = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  appendFileSync(log, `${"a line of a noisy night\n".repeat(400_000)}the last one\n`);
  await until("the log to be put aside", () => size(log) < 1_000);
  expect(size(`${log}.1`)).toBeGreaterThan(9_000_000);
  expect(readFileSync(`${log}.1`, "utf8").endsWith("the last one\n")).toBe(true);
  expect(modeOf(`${log}.1`)).toBe(0o600);
  await expect(ask(lease.connection, "select 1/0")).rejects.toThrow("division by zero");
  await until("PostgreSQL to write to the log", () => readFileSync(log, "utf8").includes("division by zero"));
  expect(size(log)).toBeLessThan(10_000);
  await lease.release();
});

test.runIf(strangerCanRead)("refuses other processes of PostgreSQL's user, who cannot read the password", async () => {
  // The files may belong to root, because the template's folder is closed to other users.
  chmodSync(dataDir, 0o711);
  const lease = await leaseEmbeddedPostgres(dataDir);
  const { passwordFile, socketDir, cluster } = pathsOf(dataDir);
  const { uid, gid } = statSync(cluster);
  expect(uid).toBe(stranger.uid);
  expect(spawnSync("test", ["-x", socketDir], { uid, gid }).status).toBe(0);
  expect(spawnSync("cat", [passwordFile], { uid, gid }).stderr.toString()).toMatch(/Permission denied/);
  const pg = `import pg from ${JSON.stringify(import.meta.resolve("pg"))};`;
  const client = JSON.stringify({ ...lease.connection, password: "guess" });
  const script = `${pg} await new pg.Client(${client}).connect().catch((error) => console.log(error.code))`;
  const asked = spawnSync(process.execPath, ["--input-type=module", "-e", script], { uid, gid, encoding: "utf8" });
  expect([asked.stdout, asked.stderr]).toEqual(["28P01\n", ""]);
  await lease.release();
});

test("a start replaces access rules that trust every process, and keeps data and password", async () => {
  const { cluster, passwordFile } = pathsOf(afterFirstStart());
  writeFileSync(join(cluster, "pg_hba.conf"), "local all all trust\nhost all all 127.0.0.1/32 trust\n");
  const lease = await leaseEmbeddedPostgres(dataDir);
  expect(await ask(lease.connection, "select what from kept")).toBe("still here");
  expect(await ask(lease.connection, notScram)).toBe(0);
  await expect(ask({ ...lease.connection, password: "guess" }, "select 1")).rejects.toThrow(/authentication failed/);
  await lease.release();
  const password = readFileSync(passwordFile, "utf8");
  const again = await leaseEmbeddedPostgres(dataDir);
  expect(readFileSync(passwordFile, "utf8")).toBe(password);
  expect(await ask(again.connection, "select what from kept")).toBe("still here");
  await again.release();
});

test("a restart after a crash puts back access rules that trust every process", async () => {
  const { cluster } = pathsOf(afterFirstStart());
  const lease = await leaseEmbeddedPostgres(dataDir);
  await ask(lease.connection, "insert into kept values ('written last')");
  const supervisor = supervisorPid(dataDir);
  writeFileSync(join(cluster, "pg_hba.conf"), "local all all trust\n");
  process.kill(Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
  await until("the supervisor to end", () => !serversOf(dataDir).some((server) => server.pid === supervisor));
  await until("a new PostgreSQL to answer", () => answers(lease.connection));
  expect(await ask(lease.connection, "select count(*)::int from kept")).toBe(2);
  expect(await ask(lease.connection, notScram)).toBe(0);
  await lease.release();
});

test("starts with a new password if the file is lost, and with the one of another backup", async () => {
  const first = await leaseEmbeddedPostgres(afterFirstStart());
  await first.release();
  const { passwordFile } = pathsOf(dataDir);
  rmSync(passwordFile);
  const second = await leaseEmbeddedPostgres(dataDir);
  expect(await ask(second.connection, "select what from kept")).toBe("still here");
  expect(second.connection.password).not.toBe(first.connection.password);
  await second.release();
  writeFileSync(passwordFile, `${first.connection.password}\n`);
  const third = await leaseEmbeddedPostgres(dataDir);
  expect(await ask(third.connection, "select what from kept")).toBe("still here");
  await third.release();
});

test("is refused, with advice, if another major version wrote the data", async () => {
  writeFileSync(join(afterFirstStart(), "postgres", "PG_VERSION"), "14\n");
  await expect(leaseEmbeddedPostgres(dataDir)).rejects.toThrow(
    /PostgreSQL 14, but this Pressbell brings 18\. Install the former .*\(pressbell backup\).*\(pressbell restore\)/,
  );
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
