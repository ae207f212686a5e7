import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { inCopyTx } from "../../src/backup/copy-session.ts";
import { leaseEmbeddedPostgres } from "../../src/db/embedded/lease.ts";
import { rows } from "../../src/db/pool.ts";
import { backUp, hashTables, passphrase, scratchFolder } from "../backup/fixture.ts";
import { runCommand } from "../cli/run-command.ts";
import { scratchDataDir } from "../db/embedded/fixture.ts";
import { createTestDatabase, openAppOn, openTestApp, testSecretKey } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { startPlanned, view } from "../runs/fixture.ts";

const tables = ["tenants", "users", "sites", "subscribers", "campaigns", "runs", "run_batches", "run_recipients"];

async function writePassphrase(folder: string): Promise<string> {
  const file = join(folder, "passphrase");
  await writeFile(file, `${passphrase}\n`);
  return file;
}

/** Expects that no command uses an embedded database that was moved, until it is moved back. */
async function isOutOfUseUntilMovedBack(dataDir: string, embedded: Record<string, string>, move: string[]) {
  for (const words of [["start"], ["runs", "list"], move])
    expect(await runCommand(words, { ...embedded, PORT: "0" })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        /was moved to .* and is used no more\. Set DATABASE_URL and SECRET_KEY to the new one\./,
      ),
    });
  expect(await runCommand(["move", "--back"], embedded)).toMatchObject({
    out: `dataDir: ${dataDir}\nwasMoved: true\n`,
  });
  expect(await runCommand(["runs", "list"], embedded)).toMatchObject({ code: 0 });
}

test("a backup moves an external database to embedded and out again; only the last sends", async () => {
  const source = await openTestApp();
  const publisher = await createPublisher(source);
  await subscribe(source, publisher.siteId, createSubscriptions(20));
  const run = await startPlanned(source, publisher);
  const folder = await scratchFolder();
  const file = join(folder, "pressbell.backup");
  const passphraseFile = await writePassphrase(folder);
  await backUp(source, file);

  const { dataDir, clear } = scratchDataDir();
  afterFile(clear);
  const embedded = { DATA_DIR: dataDir, LOG_LEVEL: "silent" };
  const restore = ["restore", file, "--passphrase-file", passphraseFile];
  expect((await runCommand(restore, embedded)).out).toMatch(/^createdAt: 20.*\nquarantinedSites: 1\n/);
  expect(await readFile(join(dataDir, "secret.key"), "utf8")).toBe(`${testSecretKey}\n`);
  const again = await runCommand(restore, embedded);
  expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/^The database is not empty/) });
  await runCommand(["quarantine", "release", "--all", "--runs", "continue"], embedded);

  const second = join(folder, "of the embedded one");
  const written = await runCommand(["backup", second, "--passphrase-file", passphraseFile], embedded);
  const { size, mode } = await stat(second);
  expect(written).toEqual({ code: 0, out: `file: ${second}\nbytes: ${size}\n`, err: "" });
  expect(mode & 0o777).toBe(0o600);

  const target = await createTestDatabase();
  const move = ["move", "--to", urlOf(target)];
  const lease = await leaseEmbeddedPostgres(dataDir);
  await inCopyTx(lease.connection, "reading", async () => {
    expect(await runCommand(move, embedded)).toEqual({
      code: 1,
      out: "",
      err: "The embedded database is in use (pressbell backup): stop the service and its commands first.\n",
    });
  });
  const refused = await runCommand(["move", "--to", urlOf(source.connection)], embedded);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^The database is not empty/) });
  // A refused move does not mark the embedded database as moved, so it is still in use.
  expect(await runCommand(["runs", "list"], embedded)).toMatchObject({
    code: 0,
    out: expect.stringContaining(run.runId),
  });
  await lease.release();

  const moved = await runCommand(move, embedded);
  expect(moved).toMatchObject({
    code: 0,
    out: expect.stringContaining(`SECRET_KEY_FILE to ${join(dataDir, "secret.key")}`),
  });
  const now = await openAppOn(target);
  const { sites: _, ...unchanged } = await hashTables(source, tables);
  expect(await hashTables(now, tables)).toMatchObject(unchanged);
  expect(await rows(sql`select quarantined_at, paused_at from sites`, now.db)).toEqual([
    { quarantined_at: null, paused_at: null },
  ]);
  expect(await view(now, publisher, run)).toMatchObject({ status: "sending", pending: 20 });

  await isOutOfUseUntilMovedBack(dataDir, embedded, move);
});

test("data of another major version is refused, and a backup and a restore are the way", async () => {
  const source = await openTestApp();
  await createPublisher(source);
  const folder = await scratchFolder();
  const passphraseFile = await writePassphrase(folder);
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  await backUp(source, first);
  const { dataDir, clear } = scratchDataDir();
  afterFile(clear);
  const embedded = { DATA_DIR: dataDir, LOG_LEVEL: "silent" };
  const secret = ["--passphrase-file", passphraseFile];
  expect(await runCommand(["restore", first, ...secret], embedded)).toMatchObject({ code: 0 });
  await runCommand(["quarantine", "release", "--all", "--runs", "continue"], embedded);

  expect(await runCommand(["backup", second, ...secret], embedded)).toMatchObject({ code: 0 });
  await writeFile(join(dataDir, "postgres", "PG_VERSION"), "14\n");
  for (const words of [["start"], ["tenants", "list"]])
    expect(await runCommand(words, { ...embedded, PORT: "0" })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/PostgreSQL 14, but this .*\(pressbell backup\).*\(pressbell restore\)/),
    });
  await rename(join(dataDir, "postgres"), join(dataDir, "postgres.old"));
  // The secret key is still that of the backup.
  expect(await runCommand(["restore", second, ...secret], embedded)).toMatchObject({ code: 0 });
  const release = ["quarantine", "release", "--all", "--runs", "continue"];
  expect(await runCommand(release, embedded)).toMatchObject({ code: 0 });
  const listed = await runCommand(["sites", "list", "--json"], embedded);
  const sites = await rows(sql`select id as "siteId" from sites`, source.db);
  expect(JSON.parse(listed.out)).toMatchObject(sites[0]!);
});

test("a restore keeps a secret key in DATA_DIR; a move wants a data folder and one target", async () => {
  const folder = await scratchFolder();
  const app = await openTestApp();
  await backUp(app, join(folder, "backup"));
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  await writeFile(join(dataDir, "secret.key"), "another key, also long enough to be one\n");
  const settings = { DATA_DIR: dataDir };
  const words = ["restore", join(folder, "backup"), "--passphrase-stdin"];
  const [restored, moved, own] = await Promise.all([
    runCommand(words, settings, { input: passphrase }),
    runCommand(["move", "--to", "postgres://localhost/x"], settings),
    runCommand(["move", "--back"], { DATABASE_URL: "postgres://localhost/x" }),
  ]);
  const key = join(dataDir, "secret.key");
  expect(restored).toEqual({
    code: 1,
    out: "",
    err: `${key} holds another key than the backup: move it away first.\n`,
  });
  expect(moved.err).toBe(`There is no Pressbell data in ${dataDir}. Set DATA_DIR.\n`);
  expect(own.err).toBe("Unset DATABASE_URL: this moves the embedded database.\n");
});
