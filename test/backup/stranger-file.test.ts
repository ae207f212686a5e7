import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { BackupError } from "../../src/backup/backup-error.ts";
import { importSite } from "../../src/backup/import-site.ts";
import { createLoadLimit } from "../../src/backup/load-limit.ts";
import { maxRecordBytes, type SiteManifest, writeData, writeRecord } from "../../src/backup/records.ts";
import { seal } from "../../src/backup/sealed-stream.ts";
import { readSiteTables } from "../../src/backup/site-tables.ts";
import { rows } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { runHere } from "../cli/run-here.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { passphrase, scratchFolder } from "./fixture.ts";

let app: App;
let publisher: Publisher;
let folder: string;
let migrations: string[];

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  folder = await scratchFolder();
  const applied = await rows(sql<{ name: string }>`select name from kysely_migration order by name`, app.db);
  migrations = applied.map(({ name }) => name);
});

/** Writes a file that its passphrase opens, but whose content comes from a stranger. */
async function fileOf(content: Iterable<Buffer>, packed = true): Promise<string> {
  const path = join(folder, newId());
  const sealed = (source: AsyncIterable<Buffer>) => seal(source, passphrase);
  const output = createWriteStream(path);
  if (packed) await pipeline(Readable.from(content), createZstdCompress(), sealed, output);
  else await pipeline(Readable.from(content), sealed, output);
  return path;
}

const importFrom = (file: string) => importSite(app, publisher.actor, { file, passphrase });

async function manifestOf(change: (row: Record<string, unknown>) => object = (row) => row): Promise<Buffer> {
  const pair = generateVapidPair();
  const [{ site }] = (await rows(
    sql<{ site: Record<string, unknown> }>`select to_jsonb(s) - 'vapid_private_key_sealed' as site from sites s
      where id = ${publisher.siteId}`,
    app.db,
  )) as [{ site: Record<string, unknown> }];
  const own = { ...site, id: newId(), vapid_public_key: `\\x${pair.publicKey.toString("hex")}` };
  const value = {
    createdAt: new Date(0).toISOString(),
    migrations,
    privateKey: pair.privateKey.toString("base64url"),
    site: change(own) as SiteManifest["site"],
  };
  return writeRecord({ kind: "site", value });
}

/** Returns a record of `kind` (its first byte) that claims this length. */
function claim(kind: number, length: number, content = Buffer.alloc(0)): Buffer {
  const head = Buffer.of(kind, 0, 0, 0, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, content]);
}
const json = (kind: number, text: string) => claim(kind, Buffer.byteLength(text), Buffer.from(text));

const unknown = "The backup holds what this version does not know: restore it with a newer version.";
const files: [what: string, content: () => Promise<Buffer[]>, says: string][] = [
  ["a first record that claims 2 GiB", async () => [claim(6, 2 ** 31 - 1, Buffer.alloc(2 ** 20))], unknown],
  [
    "a first record that is one byte too long",
    async () => [claim(6, maxRecordBytes + 1, Buffer.alloc(2 ** 21))],
    unknown,
  ],
  ["a first record that is no JSON", async () => [json(6, "{")], unknown],
  ["a first record in deep brackets", async () => [json(6, "[".repeat(500_000))], unknown],
  ["a site without its fields", async () => [json(6, "{}")], unknown],
  ["a site that is null", async () => [json(6, "null")], unknown],
  ["a record of no kind", async () => [claim(9, 0)], unknown],
  ["nothing", async () => [], unknown],
  ["a table that claims 2 GiB", async () => [await manifestOf(), claim(2, 2 ** 31 - 1)], unknown],
  ["a table without columns", async () => [await manifestOf(), json(2, '{"name":"topics"}')], unknown],
  [
    "a table that is not of a site",
    async () => [await manifestOf(), json(2, '{"name":"users","columns":["id"]}')],
    unknown,
  ],
  [
    "a site with a name that is too long",
    async () => [await manifestOf((row) => ({ ...row, name: "x".repeat(10_000) }))],
    "The file holds what a site cannot have (",
  ],
  [
    "a site with a time that is none",
    async () => [await manifestOf((row) => ({ ...row, created_at: "yesterday or so" }))],
    "The file holds what a site cannot have (",
  ],
];

describe("a stranger's file is refused in one line, and changes nothing:", () => {
  test.each(files)("%s", async (_what, content, says) => {
    const refused = importFrom(await fileOf(await content()));
    await expect(refused).rejects.toBeInstanceOf(BackupError);
    await expect(refused).rejects.toThrow(says);
    expect(await sitesOfTenant()).toBe(1);
  });

  test("what zstd has not packed", async () => {
    await expect(importFrom(await fileOf([Buffer.from("no archive")], false))).rejects.toThrow(
      new BackupError(unknown),
    );
  });

  test("rows that are none", async () => {
    const tables = await app.db.transaction().execute(readSiteTables);
    const topics = tables.find(({ name }) => name === "topics")!;
    const records = [
      await manifestOf(),
      writeRecord({ kind: "table", value: topics }),
      ...writeData(Buffer.from("a\tb\n")),
      writeRecord({ kind: "rows", value: 1 }),
    ];
    await expect(importFrom(await fileOf(records))).rejects.toThrow(/^The file holds what a site cannot have \(/);
  });

  test.each(["audit_events.actor", "campaigns.created_by"])("an actor whose id is none, in %s", async (place) => {
    const [name, column] = place.split(".") as [string, string];
    const tables = await app.db.transaction().execute(readSiteTables);
    const table = tables.find((one) => one.name === name)!;
    const [id, at] = [newId(), "now"];
    const event = { site_id: id, tenant_id: id, at, event: "site.changed", details: "{}" };
    const texts = { mode: "manual", url: "https://news.example/", title: "T", body: "B", force_send: "f" };
    const lists = { extras: "{}", topic_ids: "{}", labels: "{}" };
    const rules = { status: "draft", revision: "1", class: "normal", urgency: "normal", ttl_seconds: "60" };
    const times = { id, created_at: at, updated_at: at };
    const cells: Record<string, string> = Object.assign({}, event, texts, lists, rules, times, { [column]: "user:x" });
    const records = [
      await manifestOf(),
      writeRecord({ kind: "table", value: table }),
      ...writeData(Buffer.from(`${table.columns.map((one) => cells[one] ?? "\\N").join("\t")}\n`)),
      writeRecord({ kind: "rows", value: 1 }),
    ];
    const refused = importFrom(await fileOf(records));
    await expect(refused).rejects.toThrow(`violates check constraint "${name}_${column}_check"`);
  });

  test("a row that does not end, which PostgreSQL would hold in memory", async () => {
    const tables = await app.db.transaction().execute(readSiteTables);
    const topics = tables.find(({ name }) => name === "topics")!;
    const part = claim(3, maxRecordBytes, Buffer.alloc(maxRecordBytes, "x"));
    const parts = Array.from({ length: 66 }, () => part);
    const file = await fileOf([await manifestOf(), writeRecord({ kind: "table", value: topics }), ...parts]);
    await expect(importFrom(file)).rejects.toThrow("The file holds a row that is too long for a site");
  });
});

test("the command says so without a stack trace, and ends with 1", async () => {
  const file = await fileOf([claim(6, 2 ** 31 - 1, Buffer.alloc(65_536))]);
  const words = ["site", "import", "--tenant", publisher.tenantId, file, "--passphrase-stdin"];
  const refused = await runHere(words, settingsOf(app), { input: `${passphrase}\n` });
  expect(refused).toEqual({ code: 1, out: "", err: `${unknown}\n` });
});

test("a file that unpacks to a thousand times its size is refused, and short rows are not", () => {
  const short = Buffer.from(`${"x".repeat(99)}\n`.repeat(1_000));
  const limit = createLoadLimit(100, { sumBytes: 1_000_000 });
  for (let i = 0; i < 10; i++) limit(short);
  expect(() => limit(short)).toThrow(/unpacks to far more than a site of its size has/);
});

test("rows over several records count as one row, and begin again after each line break", () => {
  const limit = createLoadLimit(100, { rowBytes: 250 });
  const [part, end] = [Buffer.alloc(100, "x"), Buffer.from("x\n")];
  for (let i = 0; i < 5; i++) for (const bytes of [part, part, end]) limit(bytes);
  limit(part);
  limit(part);
  expect(() => limit(part)).toThrow(/a row that is too long/);
});

test("what PostgreSQL writes at once is written as records that can be read", () => {
  const records = [...writeData(Buffer.alloc(2 * maxRecordBytes + 1))];
  expect(records.map(({ length }) => length - 5)).toEqual([maxRecordBytes, maxRecordBytes, 1]);
});

async function sitesOfTenant(): Promise<number> {
  const sites = await rows(sql`select id from sites where tenant_id = ${publisher.tenantId}`, app.db);
  return sites.length;
}
