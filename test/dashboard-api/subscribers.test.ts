import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { linesOf, partsOf } from "../../dashboard/src/subscribers/file-parts.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeInTurn } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;
let site: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
  site = `/dashboard/api/tenants/${publisher.tenantId}/sites/${publisher.siteId}`;
});

/** Collects everything that a generator yields. */
async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const lineOf = (subscription: unknown) => `${JSON.stringify(subscription)}\n`;
const post = (body: string | Uint8Array, query = "", type = "application/x-ndjson") =>
  api.call("POST", `${site}/subscribers${query}`, { body, headers: { cookie, "content-type": type } });
const read = async () => (await api.call("GET", `${site}/subscribers`, { headers: { cookie } })).body;

test("a part of a file is imported, and each wrong line is reported with its number and reason", async () => {
  const [one, two] = createSubscriptions(2);
  const text = `${lineOf(one)}nonsense\n\n${lineOf({ ...two, endpoint: "https://evil.example/" })}${lineOf(two)}`;
  const answer = await post(text);
  expect(answer).toMatchObject({ status: 200, body: { report: { lines: 5, added: 2, changed: 0, wrong: 2 } } });
  expect(answer.body.faults).toMatchObject([
    { line: 2, reason: "is not valid JSON" },
    { line: 4, reason: expect.stringContaining("is not of a known push service") },
  ]);
  expect((await post(text, "?more=true")).body.report).toMatchObject({ added: 0, unchanged: 2, wrong: 2 });
  expect((await read()).reachable).toBe(2);
});

test("an import in parts is one audit event with true sums, also when repeated or broken off", async () => {
  const events = async () => {
    const tenant = site.slice(0, site.indexOf("/sites/"));
    const { body } = await api.call("GET", `${tenant}/audit-log?kind=files`, { headers: { cookie } });
    return body.data.filter(({ details }: { details: { importId?: string } }) => details.importId === importId);
  };
  const importId = newId();
  const [first, second] = [createSubscriptions(3), createSubscriptions(2)].map((part) => part.map(lineOf).join(""));
  await post(`${first}nonsense\n`, `?more=true&part=1&importId=${importId}`);
  expect(await events()).toMatchObject([{ details: { lines: 4, added: 3, wrong: 1, endedEarly: true } }]);
  await post(`${first}nonsense\n`, `?more=true&part=1&importId=${importId}`);
  await post(second!, `?more=false&part=2&importId=${importId}`);
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  expect(event.details).toEqual({ lines: 6, added: 5, changed: 0, unchanged: 0, wrong: 1, importId, part: 2 });
});

test("all wrong lines of a part are counted, and at most 5,000 are reported", async () => {
  const { body } = await post("x\n".repeat(5_003));
  expect(body.report).toMatchObject({ lines: 5_003, wrong: 5_003 });
  expect(body.faults).toHaveLength(5_000);
});

test("a part that is too large, of another type or with an invalid query is refused", async () => {
  expect((await post(new Uint8Array(1024 * 1024 + 1))).status).toBe(413);
  expect((await post("{}", "", "application/json")).status).toBe(415);
  expect((await post("{}\n", "?more=perhaps")).status).toBe(400);
  expect((await post("")).body).toMatchObject({ report: { lines: 0, added: 0 }, faults: [] });
});

test("only the import route accepts NDJSON", async () => {
  const path = `${site}/topics`;
  const headers = { cookie, "content-type": "application/x-ndjson" };
  expect((await api.call("POST", path, { body: '{"name":"A"}\n', headers })).status).toBe(415);
});

test("a link turns a browser into a test device, and needs a label that is not empty", async () => {
  const make = (label: unknown) => api.call("POST", `${site}/test-devices`, { headers: { cookie }, body: { label } });
  const made = await make("Newsroom phone");
  expect(made).toMatchObject({ status: 201, body: { label: "Newsroom phone", expiresAt: expect.any(String) } });
  const testToken = new URL(made.body.link).hash.replace("#pressbell-test=", "");
  const subscription = createSubscriptions(1)[0];
  const joined = await api.call("POST", `/sdk/sites/${publisher.siteId}/subscriptions`, {
    headers: { origin: "https://news.example" },
    body: { subscription, testToken },
  });
  expect(joined.status).toBe(201);
  expect((await read()).devices).toMatchObject([{ label: "Newsroom phone" }]);
  expect(await make(" ")).toMatchObject({ status: 400, body: { errors: [{ path: "/label" }] } });
  expect((await make(7)).status).toBe(400);
});

test("a test device is deleted; a reader's id and an invalid id are not found", async () => {
  await subscribe(app, publisher.siteId, createSubscriptions(1), "Old tablet");
  const { devices, reachable } = await read();
  const { deviceId } = devices.find(({ label }: { label: string }) => label === "Old tablet");
  const remove = async (id: unknown) =>
    (await api.call("DELETE", `${site}/test-devices/${id}`, { headers: { cookie } })).status;
  expect(await remove(deviceId)).toBe(204);
  expect(await remove(deviceId)).toBe(404);
  for (const id of [1, 2, "x", "1e3", "99999999999999999999"]) expect(await remove(id)).toBe(404);
  const after = await read();
  expect(after.reachable).toBe(reachable);
  expect(after.devices).toHaveLength(devices.length - 1);
});

test("refused subscribers are counted, and those excluded are deleted, with an audit event", async () => {
  const other = await createPublisher(app);
  for (const { siteId } of [other, publisher]) {
    await subscribe(app, siteId, createSubscriptions(3));
    await changeInTurn(app, siteId, [{ refusedRuns: 2 }, { refusedRuns: 3 }]);
  }
  const excluded = async (siteId: string) =>
    (await sql`select from subscribers where site_id = ${siteId} and refused_runs = 3 and not is_test`.execute(app.db))
      .rows.length;
  const before = await excluded(publisher.siteId);
  const call = (method: string) => api.call(method, `${site}/refused-subscribers`, { headers: { cookie } });
  expect((await call("GET")).body.pushServices).toMatchObject([{ pushService: "fcm", excluded: before }]);
  expect(await call("DELETE")).toMatchObject({ status: 200, body: { deleted: before, hasMore: false } });
  expect(await call("DELETE")).toMatchObject({ status: 200, body: { deleted: 0, hasMore: false } });
  expect((await call("GET")).body.pushServices).toMatchObject([{ pushService: "fcm", excluded: 0 }]);
  expect(await excluded(other.siteId)).toBeGreaterThan(0);
  const { rows } = await sql`select details from audit_events
    where site_id = ${publisher.siteId} and event = 'subscribers.deleted'`.execute(app.db);
  expect(rows).toEqual([{ details: { subscribers: before, excluded: true } }]);
});

test("a file is split into parts of whole lines, and nothing of it is lost", async () => {
  const lines = Array.from({ length: 500 }, (_, n) => `line ${n} ${"x".repeat(n % 90)}`);
  const text = `\ufeff${lines.join("\r\n")}`;
  const parts = await allOf(partsOf(new File([text], "readers.txt"), "ndjson", 1_000));
  const texts = parts.map(({ bytes }) => Buffer.from(bytes).toString());
  expect(texts.join("")).toBe(text);
  expect(texts.slice(0, -1).every((part) => part.endsWith("\n") && part.length <= 1_000)).toBe(true);
  expect(parts.map(({ hasMore }) => hasMore)).toEqual([...texts.slice(1).map(() => true), false]);
  expect(parts.at(-1)!.end).toBe(Buffer.byteLength(text));
  expect(await allOf(partsOf(new File([], "readers.txt"), "ndjson", 1_000))).toEqual([]);
});

test("a line that is longer than a part counts as one line, and the next part begins after it", async () => {
  const text = `short\n${"y".repeat(3_500)}\nshort again\n`;
  const parts = await allOf(partsOf(new File([text], "readers.txt"), "ndjson", 1_000));
  const texts = parts.map(({ bytes }) => Buffer.from(bytes).toString());
  expect(texts).toEqual(["short\n", "y".repeat(1_000), "short again\n"]);
});

test("no part cuts a record that goes over several lines, in CSV or JSON, packed or not", async () => {
  const records = Array.from({ length: 200 }, (_, n) => `${n},"two\nlines ""${"x".repeat(n % 50)}"""\n`);
  const objects = Array.from({ length: 200 }, (_, n) => ` {\n"n": ${n}, "text": "}\\"{${"x".repeat(n % 50)}"}`);
  for (const [format, pieces, endsRight] of [
    ["csv", records, (text: string) => text.endsWith('"""\n')],
    ["json", objects, (text: string) => text.trimEnd().endsWith("}")],
  ] as const) {
    const text = pieces.join(format === "json" ? "," : "");
    for (const file of [new File([text], "a.txt"), new File([gzipSync(text)], "a.txt.gz")]) {
      const parts = await allOf(partsOf(file, format, 1_000));
      const texts = parts.map(({ bytes }) => Buffer.from(bytes).toString());
      expect(texts.join("")).toBe(text);
      expect(texts.length).toBeGreaterThan(5);
      expect(texts.every(endsRight)).toBe(true);
      expect(parts.map(({ hasMore }) => hasMore)).toEqual([...texts.slice(1).map(() => true), false]);
      expect(parts.at(-1)!.end).toBe(file.size);
    }
  }
});

test.each(["\r", "\r\n"])("parts of CSV whose lines end with %j hold whole records and lines", async (ending) => {
  const records = Array.from({ length: 300 }, (_, n) => `${n},"two${ending}lines"${ending}`);
  const bytes = Buffer.from(records.join(""));
  const parts = await allOf(partsOf(new File([bytes], "a.csv"), "csv", 1_000));
  expect(Buffer.concat(parts.map((part) => part.bytes))).toEqual(bytes);
  expect(parts.length).toBeGreaterThan(3);
  const lines = parts.flatMap((part) => {
    const [rest, ...ofPart] = linesOf(part.bytes, "csv").toReversed();
    expect(rest).toBe("");
    return ofPart.toReversed();
  });
  expect(lines).toEqual(Array.from({ length: 600 }, (_, at) => (at % 2 === 0 ? `${at / 2},"two` : 'lines"')));
});

test("a quote that opens nothing does not hide the rest of a file", async () => {
  const text = `"open\n${"a,b,c\n".repeat(1_000)}`;
  const parts = await allOf(partsOf(new File([text], "a.csv"), "csv", 1_000));
  expect(parts.map(({ bytes }) => Buffer.from(bytes).toString()).join("")).toBe(text);
  expect(parts.length).toBeGreaterThan(3);
});
