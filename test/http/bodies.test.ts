import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { readRaw, sendRaw } from "./raw.ts";

let api: Api;
let publisher: Publisher;
let key: string;
let create: string;

beforeAll(async () => {
  const app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  key = publisher.apiKey;
  create = `/v1/tenants/${publisher.tenantId}/campaigns`;
});

const campaign = (more: object = {}) => ({
  siteId: publisher.siteId,
  mode: "manual",
  url: "https://news.example/a",
  title: "Title",
  body: "Body",
  ...more,
});

const post = (body: unknown, headers: Record<string, string> = {}, path = create) =>
  api.call("POST", path, { key, body, headers });

describe("the content type of a body", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin1",
    "application/jsonx",
    "application/json\ta",
    "application/vnd.api+json",
    "nonsense",
    "application/json, application/json",
  ])("%s is 415", async (type) => {
    const answer = await post(JSON.stringify(campaign()), { "content-type": type });
    expect(answer).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
  });

  test.each(["application/json", "APPLICATION/JSON; charset=UTF-8", 'application/json;charset="utf-8"'])(
    "%s is accepted",
    async (type) => {
      expect((await post(JSON.stringify(campaign()), { "content-type": type })).status).toBe(201);
    },
  );

  test("none is 415", async () => {
    const text = `POST ${create} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
    expect(readRaw(await sendRaw(api.url, text))).toMatchObject({
      status: 415,
      body: { code: "unsupported_media_type" },
    });
  });

  test.each(["gzip", "br", "deflate"])(
    "a body with Content-Encoding: %s is 415, compressed or not",
    async (encoding) => {
      const bytes = JSON.stringify(campaign());
      expect((await post(gzipSync(bytes), { "content-encoding": encoding })).status).toBe(415);
      expect((await post(bytes, { "content-encoding": encoding })).status).toBe(415);
    },
  );

  test("is checked before the size, and both before the JSON", async () => {
    const large = "x".repeat(70_000);
    expect((await post(large, { "content-type": "text/plain" })).status).toBe(415);
    expect(await post(large)).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});

describe("a body that is not one JSON document in UTF-8 is 400 malformed_json", () => {
  test.each([
    ["nothing", ""],
    ["a brace", "{"],
    ["a trailing comma", '{"a":1,}'],
    ["a comment", '{"a":1}//'],
    ["single quotes", "{'a':1}"],
    ["NaN", '{"a":NaN}'],
    ["two documents", "{}{}"],
    ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["half a character", Buffer.from([0x22, 0xc3, 0x22])],
  ])("%s", async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: "malformed_json" } });
  });
});

describe("JSON that is not a campaign is 400 validation_failed", () => {
  test.each([
    ["a list", "[]"],
    ["null", "null"],
    ["a string", '"x"'],
    ["a number", "5"],
    ["true", "true"],
    ["20,000 lists in each other", "[".repeat(20_000) + "]".repeat(20_000)],
    ["a NUL", '{"title":"a\\u0000b"}'],
    ["a NUL in a name", '{"a\\u0000b":1}'],
    ["half a surrogate pair", '{"title":"\\ud800"}'],
    ["__proto__", '{"__proto__":{"isAdmin":true}}'],
    ["constructor", '{"constructor":{"prototype":{"x":1}}}'],
    ["fields that a caller cannot set", '{"tenantId":"x","status":"sent","createdAt":"x"}'],
    ["a field in another case", '{"SiteId":"x"}'],
    ["1e400", '{"ttlSeconds":1e400}'],
  ])("%s", async (_, body) => {
    // The server runs in this thread, so other processes do not add to its CPU time.
    const before = process.threadCpuUsage();
    const answer = await post(body);
    const { user, system } = process.threadCpuUsage(before);
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed", errors: expect.any(Array) } });
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  test("types are never coerced, and all faults are reported at once", async () => {
    const answer = await post(campaign({ forceSend: "true", title: 5, body: ["x"], topicIds: "x", typo: 1 }));
    const paths = answer.body.errors.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(["/body", "/forceSend", "/title", "/topicIds", "/typo"]);
  });
});

test("a byte order mark is accepted, and of two fields with one name the last counts", async () => {
  expect((await post(`\ufeff${JSON.stringify(campaign())}`)).status).toBe(201);
  const twice = JSON.stringify(campaign()).replace('"title":"Title"', '"title":"First","title":"Last"');
  expect((await post(twice)).body.title).toBe("Last");
});

test("64 KiB are accepted and one byte more is 413, by length and in chunks", async () => {
  const body = JSON.stringify(campaign());
  expect((await post(body.padEnd(64 * 1024))).status).toBe(201);
  expect((await post(body.padEnd(64 * 1024 + 1))).status).toBe(413);
  const chunk = `${(65 * 1024).toString(16)}\r\n${body.padEnd(65 * 1024)}\r\n0\r\n\r\n`;
  const head = `POST ${create} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(readRaw(await sendRaw(api.url, head + chunk)).status).toBe(413);
});

describe("a POST without a body", () => {
  const stop = `/v1/runs/${newId()}/stop`;

  test.each([
    ["none and no content type", undefined, {}],
    ["none and a JSON content type", undefined, { "content-type": "application/json" }],
    ["none and a strange content type", undefined, { "content-type": "text/plain" }],
    ["none and an invalid content type", undefined, { "content-type": "??" }],
    ["an empty one", "", {}],
    ["an empty object", "{}", {}],
  ])("accepts %s", async (_, body, headers) => {
    expect((await post(body, headers as Record<string, string>, stop)).status).toBe(404);
  });

  test("accepts an empty one in chunks", async () => {
    const text = `POST ${stop} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
    expect(readRaw(await sendRaw(api.url, text)).status).toBe(404);
  });

  test.each([
    ["a field", '{"force":true}', "validation_failed"],
    ["a list", "[]", "validation_failed"],
    ["null", "null", "validation_failed"],
    ["garbage", "{", "malformed_json"],
  ])("refuses %s", async (_, body, code) => {
    expect(await post(body, {}, stop)).toMatchObject({ status: 400, body: { code } });
  });

  test("refuses plain text", async () => {
    expect((await post("x", { "content-type": "text/plain" }, stop)).status).toBe(415);
  });
});

test.each([
  ["twice", "Idempotency-Key: a\r\nIdempotency-Key: a\r\n"],
  ["with a tab", "Idempotency-Key: a\tb\r\n"],
  ["empty", "Idempotency-Key:\r\n"],
  ["of 256 characters", `Idempotency-Key: ${"x".repeat(256)}\r\n`],
  ["beyond ASCII", "Idempotency-Key: \xe9\r\n"],
])("an Idempotency-Key %s is 400", async (_, lines) => {
  const text = `POST /v1/campaigns/${newId()}/send HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${lines}Connection: close\r\n\r\n`;
  expect(readRaw(await sendRaw(api.url, Buffer.from(text, "latin1"))).status).toBe(400);
});
