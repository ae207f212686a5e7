import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../src/actor.ts";
import type { App } from "../../src/app.ts";
import { layoutOfFile } from "../../src/cli/import-layout.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { guessLayout } from "../../src/subscribers/import/guess-layout.ts";
import { importPart, previewImport } from "../../src/subscribers/import/import-part.ts";
import { importSubscribers } from "../../src/subscribers/import/import-subscribers.ts";
import { readJsonObjects } from "../../src/subscribers/import/json-objects.ts";
import { countSubscribers } from "../../src/subscribers/queries.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp } from "../fixtures/app.ts";
import { type BrowserSubscription, createPublisher, createSubscriptions } from "../fixtures/publisher.ts";

let app: App;
let actor: Actor;
let siteId: string;
let folder: string;

beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), "pressbell-formats-"));
  ({ actor } = await createPublisher(app));
  return () => rm(folder, { recursive: true });
});

beforeEach(async () => {
  ({ siteId } = await createSite(app, actor, app.db, { name: "Site", url: "https://news.example" }));
});

/** Imports a file as the command line does. Returns the sums, and each wrong line as "first-last: reason". */
async function importFile(name: string, content: string | Buffer, columns?: string) {
  const file = join(folder, name);
  await writeFile(file, content);
  const faults: string[] = [];
  const report = await importSubscribers(app, actor, {
    siteId,
    file,
    layout: (await layoutOfFile(file, columns)).layout,
    onProgress: () => {},
    onWrongLine: (line, reason, last) => faults.push(`${line}-${last}: ${reason}`),
  });
  return { ...report, faults };
}

const csv = (rows: string[][], delimiter = ",") =>
  rows.map((cells) => `${cells.map(quoted).join(delimiter)}\r\n`).join("");
const quoted = (cell: string) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const sums = (added: number, wrong = 0) => ({ lines: added + wrong, added, changed: 0, unchanged: 0, wrong });

const oneSignalColumns = [
  ...["id", "identifier", "session_count", "language", "timezone", "device_os", "device_type", "device_model", "tags"],
  ...["last_active", "created_at", "invalid_identifier", "web_auth", "web_p256"],
];
const oneSignal = ({ endpoint, keys }: BrowserSubscription, left = "f") => [
  ...["0a1b2c3d-0000-4000-8000-000000000000", endpoint, "4", "en", "3600", "142.0", "5", "Linux x86_64"],
  ...['{"region":"north, east"}', "2030-01-01 10:00:00", "2029-12-01 10:00:00", left, keys.auth, keys.p256dh],
];

describe("a CSV file", () => {
  test("of OneSignal is understood: endpoints, keys, and who has unsubscribed there stays out", async () => {
    const [a, b, c] = createSubscriptions(3) as [BrowserSubscription, BrowserSubscription, BrowserSubscription];
    const mail = oneSignal({ endpoint: "reader@example.org", keys: { p256dh: "", auth: "" } });
    const text = csv([oneSignalColumns, oneSignal(a), oneSignal(b, "t"), mail, oneSignal(c)]);
    expect(await importFile("onesignal.csv", text)).toEqual({
      ...sums(2, 2),
      faults: ["3-3: has unsubscribed at the other service", "4-4: endpoint is not a URL"],
    });
    expect(await importFile("onesignal.csv.gz", gzipSync(text))).toMatchObject({ added: 0, unchanged: 2, wrong: 2 });
  });

  test("with the token of Chrome alone leads to the endpoint of Chrome", async () => {
    const [one] = createSubscriptions(1) as [BrowserSubscription];
    const token = `cXyZ_12-abc:${"A".repeat(140)}`;
    const { layout } = guessLayout(
      Buffer.from(
        csv([
          ["token", "auth", "p256dh"],
          [token, one.keys.auth, one.keys.p256dh],
        ]),
      ),
    );
    expect(layout).toMatchObject({ format: "csv", columns: { endpoint: 0, auth: 1, p256dh: 2 } });
    const text = csv([
      ["token", "auth", "p256dh"],
      [token, one.keys.auth, one.keys.p256dh],
    ]);
    expect(await importFile("tokens.csv", text)).toMatchObject(sums(1));
  });

  test.each([";", "\t", "|"])(
    "with %j between columns, unknown names or none is recognised by its values",
    async (delimiter) => {
      const rows = createSubscriptions(3).map(({ endpoint, keys }) => [
        keys.auth,
        "Kim, of Rowing",
        endpoint,
        keys.p256dh,
      ]);
      const named = [["Geheimnis", "Name", "Adresse", "Schlüssel"], ...rows];
      expect(await importFile("named.csv", `\ufeff${csv(named, delimiter)}`)).toEqual({ ...sums(3), faults: [] });
      expect(await importFile("bare.csv", csv(rows, delimiter))).toMatchObject({ lines: 3, unchanged: 3, wrong: 0 });
    },
  );

  test.each(["\n", "\r\n"])(
    "with a subscription in a column, over lines that end with %j, numbers wrong lines",
    async (within) => {
      const [a, b] = createSubscriptions(2);
      const rows = [
        ["id", "subscription"],
        ["1", JSON.stringify(a, null, 2).replaceAll("\n", within)],
        ["2", `{${within}}`],
        ["3", JSON.stringify(b)],
      ];
      const lines = JSON.stringify(a, null, 2).split("\n").length;
      expect(await importFile("wrapped.csv", csv(rows))).toEqual({
        ...sums(2, 1),
        faults: [`${lines + 2}-${lines + 3}: endpoint is not a URL`],
      });
    },
  );
});

test.each([
  ["unsubscribed_at", "2030-01-01 10:00:00", ""],
  ["unsubscribed_at", "1893492000", "0"],
  ["unsubscribed_at", "01.02.2030 10:00", "0000-00-00 00:00:00"],
  ["unsubscribed_at", "Fri, 1 Feb 2030 10:00", "NULL"],
  ["disabled", "1", "0"],
  ["is_active", "0", "1"],
  ["subscribed", "false", "true"],
  ["Status", "Unsubscribed", "active"],
  ["subscription_status", "opted-out", "subscribed"],
])("a CSV file with a column %s leaves out who has %j there, and takes who has %j", async (column, left, stayed) => {
  const [a, b] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
  const cells = ({ endpoint, keys }: BrowserSubscription) => ["7", "203.0.113.9", endpoint, keys.auth, keys.p256dh];
  const names = ["id", "remote_ip", "endpoint", "key_auth", "key_p256dh", column];
  const text = csv([names, [...cells(a), left], [...cells(b), stayed]]);
  expect(await importFile("peer.csv", text)).toEqual({
    ...sums(1, 1),
    faults: ["2-2: has unsubscribed at the other service"],
  });
});

describe("a CSV file that is not as it should be", () => {
  test("whose name says that it is packed, and is not, is refused", async () => {
    await expect(importFile("plain.csv.gz", "a,b\n")).rejects.toThrow("not packed with gzip");
  });

  test("which is packed, and whose name does not say so, is refused with what to do", async () => {
    await expect(importFile("packed.csv", gzipSync("a,b\n"))).rejects.toThrow("let its name end with .gz");
    await expect(importFile("readers.xlsx", "PK\x03\x04…")).rejects.toThrow("save it as CSV");
  });

  test("in which no column is found is refused with its columns, and takes them by name", async () => {
    const [one] = createSubscriptions(1) as [BrowserSubscription];
    const text = csv([
      ["a", "b", "c"],
      [`${one.endpoint}`, "?", "?"],
    ]);
    await expect(importFile("odd.csv", text)).rejects.toThrow(/Its columns are: a, b, c\..*--columns/);
    await expect(importFile("odd.csv", text, "endpoint=d")).rejects.toThrow("the file has no column d");
    await expect(importFile("odd.csv", text, "address=a")).rejects.toThrow("address must be one of endpoint");
    expect(await importFile("odd.csv", text, "p256dh=b,auth=c")).toMatchObject({
      faults: ["2-2: keys.p256dh is not a point on P-256"],
    });
  });

  test.each([
    ["\r\n", "\n"],
    ["\n", "\r\n"],
    ["\r\n", "\r"],
  ])("whose header ends with %j and whose lines end with %j loses no reader", async (first, others) => {
    const rows = createSubscriptions(3).map(({ endpoint, keys }) => `"${endpoint}","${keys.p256dh}","${keys.auth}"`);
    const lines = [...rows, '"reader@example.org","?","?"'].map((line) => line + others).join("");
    expect(await importFile("joined.csv", `endpoint,p256dh,auth${first}${lines}`)).toEqual({
      ...sums(3, 1),
      faults: ["5-5: endpoint is not a URL"],
    });
  });

  test("of more than a sample whose lines end with CR is understood", async () => {
    const rows = createSubscriptions(5).map(({ endpoint, keys }) => [
      ...[endpoint, keys.p256dh, keys.auth],
      "x".repeat(20_000),
    ]);
    const text = csv([["endpoint", "p256dh", "auth", "note"], ...rows]).replaceAll("\r\n", "\r");
    expect(await importFile("macintosh.csv", text)).toEqual({ ...sums(5), faults: [] });
  });

  test("with a text in quotes that does not end imports what comes before", async () => {
    const [one] = createSubscriptions(1) as [BrowserSubscription];
    const row = [one.endpoint, one.keys.p256dh, one.keys.auth].join(",");
    const report = await importFile("open.csv", `endpoint,p256dh,auth\n${row}\n"https://…\n${row}\n`);
    expect(report).toMatchObject(sums(1, 1));
    expect(report.faults[0]).toMatch(/^3-3: begins a text in quotes that does not end/);
  });
});

describe("a list in JSON", () => {
  test("is imported in any writing, with keys that are not wrapped too", async () => {
    const [a, b, c] = createSubscriptions(3) as [BrowserSubscription, BrowserSubscription, BrowserSubscription];
    const flat = { endpoint: b.endpoint, ...b.keys, note: 'a "}" in a text' };
    const text = JSON.stringify([a, flat, { subscription: c }, { endpoint: 1 }], null, 2);
    const from = text.split("\n").length - 3;
    expect(await importFile("list.json", text)).toEqual({
      ...sums(3, 1),
      faults: [`${from}-${from + 2}: endpoint is not a URL`],
    });
    expect(await importFile("one-line.json", JSON.stringify([a, b, c]))).toMatchObject({ lines: 3, unchanged: 3 });
  });

  test("leaves out who has left, as a member of the name of such a column says", async () => {
    const all = createSubscriptions(6) as BrowserSubscription[];
    const states = [
      ...[{ isActive: false }, { unsubscribed_at: { $date: "2030-02-01T10:00:00Z" } }, { status: "unsubscribed" }],
      ...[{ isActive: true, unsubscribed_at: null }, { status: "active" }, { unsubscribed: 0 }],
    ];
    const list = all.map((one, at) => ({ ...one, ...states[at] }));
    const faults = [1, 2, 3].map((line) => `${line}-${line}: has unsubscribed at the other service`);
    const lines = list.map((one) => JSON.stringify(one)).join("\n");
    expect(await importFile("collection.ndjson", lines)).toEqual({ ...sums(3, 3), faults });
    expect(await importFile("collection.json", `[${lines.replaceAll("\n", ",\n")}]`)).toMatchObject({
      unchanged: 3,
      wrong: 3,
    });
  });

  test("is read in pieces of any size, and an object without an end or over 64 KiB is a fault", async () => {
    const text = `[{"a":"}\\"{"},\n{"b":{"c":1}} ,{"d":"${"x".repeat(70_000)}"},{"e":`;
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
    const found = [];
    for await (const object of readJsonObjects(Readable.from(bytes))) found.push(object);
    expect(found).toEqual([
      { text: '{"a":"}\\"{"}', line: 1, lastLine: 1 },
      { text: '{"b":{"c":1}}', line: 2, lastLine: 2 },
      { text: undefined, line: 2, lastLine: 2 },
      { text: '{"e":', line: 2, lastLine: 2 },
    ]);
  });
});

describe("the dashboard's import", () => {
  const lines = (text: string) => ({ siteId, lines: Buffer.from(text), signal: new AbortController().signal });
  const partOf = (layout: unknown, part = "1") => ({
    part,
    layout: typeof layout === "string" ? layout : JSON.stringify(layout),
  });

  test("shows what it takes a file for, and imports its parts, whose first one has the header", async () => {
    const rows = createSubscriptions(4).map((one) => oneSignal(one));
    const sample = Buffer.from(csv([oneSignalColumns, ...rows]));
    const { layout, header, records } = await previewImport(app, actor, { siteId, sample });
    expect(layout).toEqual({
      format: "csv",
      delimiter: ",",
      hasHeader: true,
      columns: { endpoint: 1, left: [11], auth: 12, p256dh: 13 },
    });
    expect([header, records.length]).toEqual([oneSignalColumns, 4]);
    const first = await importPart(app, actor, {
      ...lines(csv([oneSignalColumns, ...rows.slice(0, 2)])),
      query: partOf(layout),
    });
    const second = await importPart(app, actor, { ...lines(csv(rows.slice(2))), query: partOf(layout, "2") });
    expect([first.report.added, second.report.added]).toEqual([2, 2]);
    expect(await countSubscribers(app.db, siteId, everybody, 10)).toBe(4);
  });

  test("refuses a layout that is none, or lacks columns, and the site of another publisher", async () => {
    const csvWith = (columns: unknown) => ({ format: "csv", delimiter: ",", hasHeader: true, columns });
    for (const layout of [
      "{",
      "null",
      { format: "xml" },
      csvWith({ endpoint: 1 }),
      csvWith({ endpoint: -1 }),
      csvWith({ name: 1 }),
    ]) {
      const refused = importPart(app, actor, { ...lines("a,b"), query: partOf(layout) });
      await expect(refused).rejects.toMatchObject({ code: "validation_failed" });
    }
    const { actor: other } = await createPublisher(app);
    await expect(previewImport(app, other, { siteId, sample: Buffer.from("a") })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
