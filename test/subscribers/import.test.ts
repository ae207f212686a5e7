import { spawn } from "node:child_process";
import { createECDH, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Actor } from "../../src/actor.ts";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { importSubscribers } from "../../src/subscribers/import/import-subscribers.ts";
import type { ImportReport } from "../../src/subscribers/import/record-part.ts";
import { countSubscribers, upsertSubscriber } from "../../src/subscribers/queries.ts";
import { checkSubscription } from "../../src/subscribers/subscription.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { type BrowserSubscription, createPublisher, createSubscriptions } from "../fixtures/publisher.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";

const main = new URL("../../src/main.ts", import.meta.url).pathname;

// Some files are large, and the machine may be slow.
vi.setConfig({ testTimeout: 180_000 });

let app: App;
let folder: string;
let actor: Actor;
// The site of the current test.
let siteId: string;

beforeAll(async () => {
  app = await openTestApp({ PUSH_SERVICES: "https://push.example:8443" });
  folder = await mkdtemp(join(tmpdir(), "pressbell-import-"));
  ({ actor } = await createPublisher(app));
  return () => rm(folder, { recursive: true });
});

beforeEach(async () => {
  ({ siteId } = await createSite(app, actor, app.db, { name: "Site", url: "https://news.example" }));
});

const lineOf = (subscription: unknown) => JSON.stringify(subscription);

/** Imports a file with this text. Returns the report, and each wrong line as "number: reason". */
async function importText(text: string | Buffer, testLabel?: string): Promise<ImportReport & { faults: string[] }> {
  const file = join(folder, "subscribers.ndjson");
  await writeFile(file, text);
  const faults: string[] = [];
  const onWrongLine = (line: number, reason: string) => faults.push(`${line}: ${reason}`);
  return {
    ...(await importSubscribers(app, actor, { siteId, file, testLabel, onWrongLine, onProgress: () => {} })),
    faults,
  };
}

function importLines(lines: unknown[], testLabel?: string) {
  return importText(lines.map((line) => `${typeof line === "string" ? line : lineOf(line)}\n`).join(""), testLabel);
}

type Stored = {
  id: number;
  endpoint: string;
  pushService: string;
  isTest: boolean;
  label: string | null;
  auth: Buffer;
};

function stored(): Promise<Stored[]> {
  return rows(
    sql<Stored>`select id, endpoint, push_service as "pushService", is_test as "isTest", label, auth from subscribers where site_id = ${siteId}
      order by id`,
    app.db,
  );
}

async function topicsOf(endpoint: string): Promise<string[]> {
  const topics = await rows(
    sql<{ id: string }>`select t.topic_id as id from subscriber_topics t
      join subscribers s on s.site_id = t.site_id and s.id = t.subscriber_id
      where s.site_id = ${siteId} and s.endpoint = ${endpoint} order by 1`,
    app.db,
  );
  return topics.map(({ id }) => id);
}

const nothing = { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0, faults: [] };

test("an import makes a subscriber reachable after three refusals, and counts it as changed", async () => {
  const lines = createSubscriptions(2);
  await importLines(lines);
  const [refused] = await stored();
  await changeSubscribers(app, { id: refused!.id }, { refusedRuns: 3 });
  expect(await importLines(lines)).toEqual({ ...nothing, lines: 2, changed: 1, unchanged: 1 });
  expect(await countSubscribers(app.db, siteId, everybody, 10)).toBe(2);
  expect(await importLines(lines)).toEqual({ ...nothing, lines: 2, unchanged: 2 });
});

test("an import adds each line, with the push service of its push service", async () => {
  const hosts = [
    "https://fcm.googleapis.com",
    "https://updates.push.services.mozilla.com",
    "https://web.push.apple.com",
  ];
  const further = ["https://db5p.notify.windows.com", "https://jmt17.google.com", "https://push.example:8443"];
  const lines = [...hosts, ...further].flatMap((origin) => createSubscriptions(1, origin));
  expect(await importLines(lines)).toEqual({ ...nothing, lines: 6, added: 6 });
  const pushServices = (await stored()).map(({ pushService }) => pushService);
  expect(pushServices).toEqual(["fcm", "mozilla", "apple", "wns", "fcm", "https://push.example:8443"]);
});

test("an import of the same file a second time changes nothing", async () => {
  const lines = createSubscriptions(50);
  await importLines(lines, undefined);
  const before = await stored();
  expect(await importLines(lines)).toEqual({ ...nothing, lines: 50, unchanged: 50 });
  expect(await stored()).toEqual(before);
});

test("an import of a known endpoint with other keys updates the keys and keeps the subscriber", async () => {
  const [line] = createSubscriptions(1);
  await importLines([line]);
  const [before] = await stored();
  const auth = randomBytes(16);
  const renewed = { ...line!, keys: { ...line!.keys, auth: auth.toString("base64url") } };
  expect(await importLines([renewed])).toMatchObject({ added: 0, changed: 1, unchanged: 0 });
  expect(await stored()).toEqual([{ ...before, auth }]);
});

test("of several lines with one endpoint the last counts, also if they are spelled differently", async () => {
  const [line, other] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
  const lastAuth = randomBytes(16);
  const last = {
    ...line,
    endpoint: `${line.endpoint}#again`,
    keys: { ...line.keys, auth: lastAuth.toString("base64") },
  };
  expect(await importLines([line, other, { ...line, keys: other.keys }, last])).toMatchObject({ lines: 4, added: 2 });
  const byEndpoint = new Map((await stored()).map((subscriber) => [subscriber.endpoint, subscriber]));
  expect(byEndpoint.size).toBe(2);
  expect(byEndpoint.get(line.endpoint)!.auth).toEqual(lastAuth);
});

test("an import adds the topics of all lines, and never removes one", async () => {
  const { topicId: politics } = await addTopic(app, actor, { siteId, name: "Politics" });
  const { topicId: sport } = await addTopic(app, actor, { siteId, name: "Sport" });
  const [line] = createSubscriptions(1) as [BrowserSubscription];
  await importLines([{ ...line, topics: [politics, politics.toUpperCase()] }]);
  expect(await topicsOf(line.endpoint)).toEqual([politics]);
  expect(
    await importLines([
      { ...line, topics: [sport] },
      { ...line, topics: null },
    ]),
  ).toMatchObject({ unchanged: 2 });
  expect(await topicsOf(line.endpoint)).toEqual([politics, sport].toSorted());
});

const isReader =
  "is a reader of this site: to make a test device of it, open a link of `pressbell test-device link` in its browser";

test("an import with a label creates test subscribers, and relabels existing ones", async () => {
  const [first, second] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
  expect(await importLines([first], "newsroom")).toMatchObject({ added: 1, changed: 0 });
  expect(await importLines([first, second], "desk")).toMatchObject({ added: 1, changed: 1, wrong: 0 });
  expect((await stored()).map(({ isTest, label }) => ({ isTest, label }))).toEqual([
    { isTest: true, label: "desk" },
    { isTest: true, label: "desk" },
  ]);
  // A later import without a label must not make a test device receive live campaigns.
  expect(await importLines([first, second])).toMatchObject({ unchanged: 2 });
  expect((await stored()).every(({ isTest }) => isTest)).toBe(true);
});

test("in an import with a label, a line with a reader is wrong and changes nothing", async () => {
  const { topicId } = await addTopic(app, actor, { siteId, name: "Politics" });
  const [reader, device, other] = createSubscriptions(3) as [
    BrowserSubscription,
    BrowserSubscription,
    BrowserSubscription,
  ];
  await importLines([reader]);
  const before = await stored();
  const renewed = { ...reader, keys: other.keys, topics: [topicId] };
  const report = await importLines([reader, device, renewed], "newsroom");
  expect(report).toEqual({ ...nothing, lines: 3, added: 1, wrong: 2, faults: [`1: ${isReader}`, `3: ${isReader}`] });
  const [kept, added] = await stored();
  expect([kept]).toEqual(before);
  expect(added).toMatchObject({ endpoint: device.endpoint, isTest: true, label: "newsroom" });
  expect(await topicsOf(reader.endpoint)).toEqual([]);
});

test("a reader of another site does not affect an import with a label", async () => {
  const [line] = createSubscriptions(1);
  await importLines([line]);
  ({ siteId } = await createSite(app, actor, app.db, { name: "Other", url: "https://other.example" }));
  expect(await importLines([line], "newsroom")).toMatchObject({ added: 1, wrong: 0 });
});

test("a reader who subscribes during an import with a label stays a reader", async () => {
  const [line] = createSubscriptions(1) as [BrowserSubscription];
  let importing: Promise<ImportReport & { faults: string[] }> | undefined;
  await holdOpen(app, async (tx) => {
    const { subscription } = checkSubscription(line, undefined, { pushServices: [], topicIds: new Set() });
    await upsertSubscriber(tx, siteId, subscription!, { topicIds: null, replaces: null, label: null });
    importing = importLines([line], "newsroom");
    await eventually(async () => (await waitingImports()) === 1);
  });
  expect(await importing).toEqual({ ...nothing, lines: 1, wrong: 1, faults: [`1: ${isReader}`] });
  expect(await stored()).toMatchObject([{ isTest: false, label: null }]);
});

test("an import reads CRLF, a byte order mark, empty lines and a last line without its newline", async () => {
  const [a, b, c] = createSubscriptions(3).map(lineOf);
  const text = `\ufeff${a}\r\n\r\n   \n${b}\n\n${c}`;
  expect(await importText(text)).toEqual({ ...nothing, lines: 6, added: 3 });
});

test("an import of an empty file does nothing", async () => {
  expect(await importText("")).toEqual(nothing);
});

test("a Unicode line separator within a text does not end a line", async () => {
  const [line] = createSubscriptions(1);
  const text = `{"note":"a\u2028b\u2029c\u0085d",${lineOf(line).slice(1)}\n`;
  expect(await importText(text)).toEqual({ ...nothing, lines: 1, added: 1 });
});

test("an import stores an endpoint with a backslash, a quote or a percent sign unchanged", async () => {
  const [line] = createSubscriptions(1, "https://push.example:8443") as [BrowserSubscription];
  const endpoint = `${line.endpoint}?a=\\N\\t&b=%09&c={}`;
  await importLines([{ ...line, endpoint }]);
  expect((await stored()).map((subscriber) => subscriber.endpoint)).toEqual([endpoint]);
});

const [good] = createSubscriptions(1) as [BrowserSubscription];
const { endpoint, keys } = good;
const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString("base64url");
const compressed = createECDH("prime256v1").generateKeys("base64url", "compressed");
const unknownTopic = "019a0000-0000-7000-8000-000000000000";
const notOurs = "endpoint is not of a known push service (see PUSH_SERVICES)";

const noEndpoint = "endpoint is no endpoint that this push service gives to browsers";

const wrongLines: [string, unknown, string][] = [
  ["no JSON", "{", "is not valid JSON"],
  ["two values on one line", `${lineOf(good)}${lineOf(good)}`, "is not valid JSON"],
  ["a text", '"endpoint"', "is not a JSON object"],
  ["null", "null", "is not a JSON object"],
  ["a list", [good], "endpoint is not a URL"],
  ["no endpoint", { keys }, "endpoint is not a URL"],
  ["an endpoint that is no URL", { endpoint: "fcm.googleapis.com/push", keys }, "endpoint is not a URL"],
  [
    "a very long endpoint",
    { endpoint: `${endpoint}${"x".repeat(2_048)}`, keys },
    "endpoint is longer than 2,048 characters",
  ],
  [
    "one that grows long",
    { endpoint: `${endpoint}${"ü".repeat(700)}`, keys },
    "endpoint is longer than 2,048 characters",
  ],
  ["an endpoint over http", { endpoint: "http://fcm.googleapis.com/push/1", keys }, notOurs],
  ["an unknown push service", { endpoint: "https://push.evil.example/1", keys }, notOurs],
  ["a name that only looks known", { endpoint: "https://fcm.googleapis.com.evil.example/1", keys }, notOurs],
  ["an address inside", { endpoint: "https://127.0.0.1/1", keys }, notOurs],
  ["another port", { endpoint: "https://fcm.googleapis.com:8443/1", keys }, notOurs],
  ["a user name", { endpoint: "https://a:b@fcm.googleapis.com/1", keys }, notOurs],
  ["no endpoint of its push service", { endpoint: "https://fcm.googleapis.com/x", keys }, noEndpoint],
  ["no keys", { endpoint }, "keys.p256dh is not a point on P-256"],
  ["keys null", { endpoint, keys: null }, "keys.p256dh is not a point on P-256"],
  ["a point off the curve", { endpoint, keys: { ...keys, p256dh: offCurve } }, "keys.p256dh is not a point on P-256"],
  ["a compressed point", { endpoint, keys: { ...keys, p256dh: compressed } }, "keys.p256dh is not a point on P-256"],
  ["a key that is no base64", { endpoint, keys: { ...keys, p256dh: "ä" } }, "keys.p256dh is not a point on P-256"],
  ["a short secret", { endpoint, keys: { ...keys, auth: "AAAA" } }, "keys.auth is not 16 bytes"],
  ["no secret", { endpoint, keys: { p256dh: keys.p256dh } }, "keys.auth is not 16 bytes"],
  ["topics that are no list", { ...good, topics: "a" }, "topics is not a list"],
  ["a topic of another site", { ...good, topics: [unknownTopic] }, "topics[0] is no topic of this site"],
  ["a topic that is no id", { ...good, topics: [7] }, "topics[0] is no topic of this site"],
  ["deep nesting", "[".repeat(50_000), "is not valid JSON"],
];

test.each(wrongLines)("a wrong line is reported and the rest is imported: %s", async (_name, wrong, reason) => {
  const [before, after] = createSubscriptions(2);
  const report = await importLines([before, "", wrong, after]);
  expect(report).toEqual({ ...nothing, lines: 4, added: 2, wrong: 1, faults: [`3: ${reason}`] });
});

test("a wrong line is reported and the rest is imported: invalid UTF-8", async () => {
  const [line] = createSubscriptions(1);
  const text = Buffer.concat([
    Buffer.from('{"endpoint":"'),
    Buffer.of(0xff, 0xfe),
    Buffer.from(`"}\n${lineOf(line)}\n`),
  ]);
  expect(await importText(text)).toMatchObject({ lines: 2, added: 1, faults: ["1: is not valid UTF-8"] });
});

test("a wrong line is reported and the rest is imported: a line of 10 MB", async () => {
  const [before, after] = createSubscriptions(2);
  const huge = `{"endpoint":"${"x".repeat(10_000_000)}"}`;
  const report = await importLines([before, huge, after]);
  expect(report).toMatchObject({ lines: 3, added: 2, faults: ["2: is longer than 64 KiB"] });
});

test("a file with only wrong lines adds no subscriber", async () => {
  expect(await importLines(["a", "b"])).toMatchObject({ lines: 2, added: 0, wrong: 2 });
  expect(await stored()).toEqual([]);
});

describe("an import that fails", () => {
  const options = { testLabel: undefined, onWrongLine: () => {}, onProgress: () => {} };

  test("of an unknown site is refused", async () => {
    const unknown = {
      ...options,
      siteId: "019a0000-0000-7000-8000-000000000000",
      file: join(folder, "subscribers.ndjson"),
    };
    await expect(importSubscribers(app, actor, unknown)).rejects.toMatchObject({ code: "not_found" });
  });

  test("of another tenant's site is refused like that of an unknown site", async () => {
    const stranger = await createPublisher(app);
    const file = join(folder, "foreign.ndjson");
    await writeFile(file, `${lineOf(good)}\n`);
    const foreign = importSubscribers(app, stranger.actor, { ...options, siteId, file });
    await expect(foreign).rejects.toMatchObject({ code: "not_found", message: `There is no site ${siteId}.` });
    expect(await stored()).toEqual([]);
  });

  test("of a missing file fails and leaves no connection behind", async () => {
    const missing = { ...options, siteId, file: join(folder, "missing.ndjson") };
    await expect(importSubscribers(app, actor, missing)).rejects.toMatchObject({ code: "ENOENT" });
    await eventually(async () => (await connectionsOfImports()) === 0);
  });

  test("whose connection is lost keeps what was committed, and does not end the process", async () => {
    const [p256dh, auth] = [createSubscriptions(1)[0]!.keys.p256dh, randomBytes(16).toString("base64url")];
    const file = join(folder, "cut.ndjson");
    const ofIndex = (index: number) => ({
      endpoint: `https://fcm.googleapis.com/wp/${String(index).padStart(140, "0")}`,
      keys: { p256dh, auth },
    });
    await writeFile(file, Array.from({ length: 40_001 }, (_, index) => `${lineOf(ofIndex(index))}\n`).join(""));
    const undone = new Error("undone");
    const holding = holdOpen(app, async (tx) => {
      // The last line's reader subscribes in this transaction, so the import cannot end before its connection is lost.
      const { subscription } = checkSubscription(ofIndex(40_000), undefined, { pushServices: [], topicIds: new Set() });
      await upsertSubscriber(tx, siteId, subscription!, { topicIds: null, replaces: null, label: null });
      const importing = importSubscribers(app, actor, { ...options, siteId, file });
      const failing = expect(importing).rejects.toThrow();
      const hasMergedTwice = async () => (await countSubscribers(app.db, siteId, everybody, 50_000)) === 40_000;
      await eventually(async () => (await hasMergedTwice()) && (await waitingImports()) === 1, 120_000);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'pressbell import'`.execute(app.db);
      await failing;
      throw undone;
    });
    await expect(holding).rejects.toBe(undone);
    expect(await stored()).toHaveLength(40_000);
  });
});

async function waitingImports(): Promise<number> {
  const seen = await row(
    sql<{ n: number }>`select count(*) as n from pg_stat_activity where datname = current_database()
      and application_name = 'pressbell import' and wait_event_type = 'Lock'`,
    app.db,
  );
  return seen!.n;
}

async function connectionsOfImports(): Promise<number> {
  const seen = await row(
    sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and application_name = 'pressbell import'`,
    app.db,
  );
  return seen!.n;
}

test("two imports of the same lines in opposite order both succeed, each subscriber once", async () => {
  const lines = createSubscriptions(4_000).map(lineOf);
  const files = [join(folder, "forth.ndjson"), join(folder, "back.ndjson")];
  await writeFile(files[0]!, lines.join("\n"));
  await writeFile(files[1]!, lines.toReversed().join("\n"));
  const options = { siteId, testLabel: undefined, onWrongLine: () => {}, onProgress: () => {} };
  const reports = await Promise.all(files.map((file) => importSubscribers(app, actor, { ...options, file })));
  expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(4_000);
  expect(await stored()).toHaveLength(4_000);
});

test("8,000 long lines are imported with a heap smaller than the file, and get statistics", async () => {
  const file = join(folder, "many.ndjson");
  const { keys } = createSubscriptions(1)[0]!;
  const padding = "x".repeat(17_500);
  function* lines(): Generator<string> {
    for (let i = 0; i < 8_000; i++) {
      yield `${lineOf({ endpoint: `https://fcm.googleapis.com/wp/${String(i).padStart(140, "0")}`, keys, padding })}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const words = ["subscribers", "import", "--site", siteId, "--json", file];
  const child = spawn(process.execPath, ["--max-old-space-size=128", main, ...words], {
    env: { ...settingsOf(app), PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = (await child.stdout.setEncoding("utf8").toArray()).join("");
  expect(JSON.parse(output)).toEqual({ lines: 8_000, added: 8_000, changed: 0, unchanged: 0, wrong: 0 });
  const planner = await row(
    sql<{ analyzed: boolean; estimate: number }>`select last_analyze is not null as analyzed,
        (select reltuples from pg_class where relname = 'subscribers') as estimate
      from pg_stat_user_tables where relname = 'subscribers'`,
    app.db,
  );
  expect(planner!.analyzed).toBe(true);
  expect(planner!.estimate).toBeGreaterThanOrEqual(8_000);
});
