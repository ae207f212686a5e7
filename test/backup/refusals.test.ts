import { createWriteStream } from "node:fs";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { BackupError } from "../../src/backup/backup-error.ts";
import { inCopyTx } from "../../src/backup/copy-session.ts";
import { writeRecord } from "../../src/backup/records.ts";
import { restoreBackup } from "../../src/backup/restore-backup.ts";
import { seal } from "../../src/backup/sealed-stream.ts";
import { writeBackup } from "../../src/backup/write-backup.ts";
import { type Connection, rows } from "../../src/db/pool.ts";
import { ownNames, readMigrationState } from "../../src/db/schema.ts";
import { runCommand } from "../cli/run-command.ts";
import { runHere } from "../cli/run-here.ts";
import { createTestDatabase, openTestApp, settingsOf, testSecretKey } from "../fixtures/app.ts";
import { createNewerProgram } from "../fixtures/newer-program.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { backUp, passphrase, scratchFolder } from "./fixture.ts";

let app: App;
let folder: string;
let file: string;
let empty: Connection;

beforeAll(async () => {
  app = await openTestApp();
  await createPublisher(app);
  // These values cannot be compressed, so the file has several chunks. A restore has therefore begun when it finds a
  // wrong chunk.
  await sql`insert into emails (id, sealed) select gen_random_uuid(),
    (select string_agg(decode(md5(random()::text || n || i), 'hex'), '') from generate_series(1, 1000) i)
    from generate_series(1, 60) n`.execute(app.db);
  folder = await scratchFolder();
  file = join(folder, "pressbell.backup");
  await backUp(app, file);
  empty = await createTestDatabase();
});

type Attempt = { path?: string; phrase?: string; secretKey?: string; into?: Connection };

function restore({ path = file, phrase = passphrase, secretKey, into = empty }: Attempt) {
  const storeSecretKey = async () => {};
  return restoreBackup({ file: path, passphrase: phrase, secretKey, target: async () => into, storeSecretKey });
}

/** Writes a copy of the backup with the bytes that `change` returns. Returns the path. */
async function changed(name: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, change(await readFile(file)));
  return path;
}

async function tablesOf(connection: Connection) {
  return inCopyTx(connection, "reading", ({ tx }) =>
    rows(
      sql`select relname from pg_class where relkind = 'r'
    and relnamespace = 'public'::regnamespace`,
      tx,
    ),
  );
}

const flip = (at: number) => (bytes: Buffer) => {
  bytes[at < 0 ? bytes.length + at : at]! ^= 1;
  return bytes;
};
const cases: [what: string, attempt: () => Promise<Attempt>, says: string][] = [
  [
    "a wrong passphrase",
    async () => ({ phrase: `${passphrase}s` }),
    "The passphrase is wrong, or the file was changed.",
  ],
  [
    "a changed end",
    async () => ({ path: await changed("end", flip(-1)) }),
    "The file was changed or is damaged: use another copy of the backup.",
  ],
  [
    "a file that was cut off",
    async () => ({ path: await changed("cut", (bytes) => bytes.subarray(0, -50)) }),
    "The file is incomplete: use another copy of the backup.",
  ],
  [
    "a file without its last chunk",
    async () => ({ path: await changed("chunk", withoutLastChunk) }),
    "The file is incomplete: use another copy of the backup.",
  ],
  [
    "a file with more behind its end",
    async () => ({ path: await changed("more", (bytes) => Buffer.concat([bytes, bytes])) }),
    "The file was changed or is damaged: use another copy of the backup.",
  ],
  ["another file", async () => ({ path: import.meta.filename }), "This file is not a backup of Pressbell."],
  [
    "a later format",
    async () => ({ path: await changed("format", (bytes) => Buffer.from(bytes).fill(2, 16, 17)) }),
    "The backup has a newer format: restore it with a newer version of Pressbell.",
  ],
  [
    "another SECRET_KEY",
    async () => ({ secretKey: "x".repeat(40) }),
    "SECRET_KEY is not the one of the backup. Set that one, or leave SECRET_KEY out and say --secret-key-out FILE to get it.",
  ],
];

describe("a restore says in one line why it refuses, and writes nothing:", () => {
  test.each(cases)("%s", async (_what, attempt, says) => {
    await expect(restore(await attempt())).rejects.toThrow(new Error(says));
    expect(await tablesOf(empty)).toEqual([]);
  });

  test.each([
    [
      "newer than the program",
      "9999-later",
      /^The backup is of a newer version of Pressbell \(its schema has 9999-later; /,
    ],
    ["of an earlier commit", "0001-schema-0123456789ab", /^The backup is from before the first release of Pressbell/],
  ])("a schema that is %s", async (_what, other, says) => {
    const path = join(folder, other);
    const migrations = [...(await ownNames()), other];
    const value = { createdAt: "2030-01-01T00:00:00.000Z", migrations, secretKey: testSecretKey };
    const records = [writeRecord({ kind: "manifest", value })];
    const sealed = (source: AsyncIterable<Buffer>) => seal(source, passphrase);
    await pipeline(records, createZstdCompress(), sealed, createWriteStream(path));
    await expect(restore({ path })).rejects.toThrow(says);
  });

  test("a database that is not empty", async () => {
    await expect(restore({ into: app.connection })).rejects.toThrow(
      /^The database is not empty \(it has accepted_keys\)/,
    );
  });
});

/** Cuts off the last chunk. A chunk's length is in its prefix, so the chunks before it do not change. */
function withoutLastChunk(bytes: Buffer): Buffer {
  let at = 16 + 1 + 32;
  while (bytes[at] === 0) at += 5 + bytes.readUInt32BE(at + 1) + 16;
  return bytes.subarray(0, at);
}

test("the commands say what is missing, in one line, and leave no file behind", async () => {
  const settings = settingsOf(app);
  const missing = join(folder, "missing");
  const alone = { DATABASE_URL: urlOf(empty) };
  const key = join(folder, "key");
  const [existing, short, noFile, noKey, wrong] = await Promise.all([
    runHere(["backup", file, "--passphrase-stdin"], settings, { input: passphrase }),
    runHere(["backup", missing, "--passphrase-stdin"], settings, { input: "short" }),
    runHere(["restore", missing, "--passphrase-stdin"], settings, { input: passphrase }),
    runHere(["restore", file, "--passphrase-stdin"], alone, { input: passphrase }),
    runHere(["restore", file, "--passphrase-stdin", "--secret-key-out", key], alone, { input: `${passphrase}s` }),
  ]);
  expect(existing).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("must be a file that does not exist yet"),
  });
  expect(short.err).toMatch(/^the passphrase must have at least 12 characters, in the first line\n/);
  expect(noFile).toEqual({ code: 1, out: "", err: `The file ${missing} cannot be read. Check its path.\n` });
  expect(noKey.err).toMatch(/^set SECRET_KEY, or say --secret-key-out FILE to get that of the backup\n/);
  expect(wrong).toEqual({ code: 1, out: "", err: "The passphrase is wrong, or the file was changed.\n" });
  for (const path of [missing, key]) await expect(readFile(path)).rejects.toThrow("ENOENT");
});

test("a backup that is stopped, or finds no room, leaves no file behind and says so", async () => {
  const path = join(folder, "unfinished");
  const input = { connection: app.connection, secretKey: testSecretKey, passphrase, path };
  const stopped = writeBackup({ ...input, output: await open(path, "wx"), signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow(new BackupError("The backup was stopped: no file was written."));
  await expect(readFile(path)).rejects.toThrow("ENOENT");
  if (process.platform !== "linux") return;
  const full = writeBackup({ ...input, output: await open("/dev/full", "w"), signal: new AbortController().signal });
  await expect(full).rejects.toThrow(/^The backup could not be written \(ENOSPC/);
});

test("a backup of an older schema is restored, and migrated", async () => {
  const statements = "alter table tenants add column motto text not null default 'none'";
  const main = await createNewerProgram("9000-mottos", statements);
  const into = await createTestDatabase();
  const settings = { DATABASE_URL: urlOf(into), SECRET_KEY: testSecretKey };
  const restored = await runCommand(["restore", file, "--passphrase-stdin"], settings, { main, input: passphrase });
  expect(restored).toMatchObject({ code: 0, err: "" });
  const { out } = await runCommand(["migrate", "--check", "--json"], settings, { main });
  expect(JSON.parse(out)).toEqual({ schema: "up to date", pending: [] });
  await inCopyTx(into, "reading", async ({ tx }) => {
    expect(await readMigrationState(tx)).toMatchObject({ pending: [], unknown: ["9000-mottos"] });
    expect(await rows(sql`select name, motto from tenants`, tx)).toEqual([{ name: "Publisher", motto: "none" }]);
  });
});
