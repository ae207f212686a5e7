import { connect } from "node:net";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { readRaw, sendRaw } from "./raw.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let authorization: string;
const path = `/v1/runs/${newId()}`;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  authorization = `Authorization: Bearer ${publisher.apiKey}\r\n`;
});

const send = async (text: string) => readRaw(await sendRaw(api.url, text));

describe("malformed HTTP is 400 bad_request with our error body", () => {
  test.each([
    ["a line of text", () => "hello\r\n\r\n"],
    ["TLS", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
    ["no Host", () => `GET ${path} HTTP/1.1\r\n${authorization}Connection: close\r\n\r\n`],
    [
      "two Hosts",
      () => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: y\r\n${authorization}Connection: close\r\n\r\n`,
    ],
    ["an impossible Host", () => `GET ${path} HTTP/1.1\r\nHost: a/b?c@d\r\n${authorization}Connection: close\r\n\r\n`],
    ["a header without a colon", () => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n`],
    ["a space before the colon", () => `GET ${path} HTTP/1.1\r\nHost : x\r\n\r\n`],
    ["line feeds alone", () => `GET ${path} HTTP/1.1\nHost: localhost\n\n`],
    [
      "Content-Length and Transfer-Encoding",
      () =>
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "two lengths",
      () => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    ["a negative length", () => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n`],
    [
      "a chunk of no size",
      () =>
        `POST ${path}/stop HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
  ])("%s", async (_, text) => {
    const { status, body, head } = await send(text());
    expect({ status, code: body.code }).toEqual({ status: 400, code: "bad_request" });
    expect(head).toContain(body.requestId);
  });
});

test("headers over 16 KiB and a path over 16 KiB are 431", async () => {
  for (const text of [
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
    `GET /v1/${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ]) {
    expect(await send(text)).toMatchObject({ status: 431, body: { code: "headers_too_large" } });
  }
});

test("a transfer coding other than chunked is 415", async () => {
  const text = `POST ${path}/stop HTTP/1.1\r\nHost: localhost\r\n${authorization}Connection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`;
  expect(await send(text)).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
});

test("an unknown expectation is 417", async () => {
  const text = `POST ${path}/stop HTTP/1.1\r\nHost: localhost\r\n${authorization}Connection: close\r\nExpect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`;
  expect(await send(text)).toMatchObject({ status: 417, body: { code: "expectation_failed" } });
});

test("HTTP/1.0 is served, also without a Host", async () => {
  expect((await send(`GET ${path} HTTP/1.0\r\n${authorization}\r\n`)).status).toBe(404);
});

test("pipelined requests are answered in order", async () => {
  const get = (at: string, close: string) => `GET ${at} HTTP/1.1\r\nHost: localhost\r\n${close}\r\n`;
  const answer = await sendRaw(api.url, get("/healthz", "") + get("/v1/unknown", "Connection: close\r\n"));
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["200", "404"]);
});

test.each([
  ["a body that stops half-way", () => `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":`],
  ["headers that stop half-way", () => "X-Slow: "],
])("%s is 408 after the request timeout", async (_, rest) => {
  // This test has a server of its own. The stricter limit must not refuse requests of other tests that arrive late
  // because this process was stalled.
  const { url } = await serve(app, { requestTimeoutMs: 1_500 });
  const start = performance.now();
  const text = `POST ${path}/stop HTTP/1.1\r\nHost: localhost\r\n${authorization}${rest()}`;
  const { status, body } = readRaw(await sendRaw(url, text));
  expect({ status, code: body.code }).toEqual({ status: 408, code: "request_timeout" });
  // The default timeout is 15 s.
  expect(performance.now() - start).toBeLessThan(12_000);
});

test("a connection that closes within a body creates nothing", async () => {
  const { hostname, port } = new URL(api.url);
  const before = await sql`select count(*) as n from campaigns`.execute(app.db);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      const head = `POST /v1/tenants/${publisher.tenantId}/campaigns HTTP/1.1\r\nHost: localhost\r\n${authorization}`;
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"siteId":`, () =>
        socket.destroy(),
      );
    });
    socket.on("close", () => resolve());
  });
  expect((await api.call("GET", path, { key: publisher.apiKey })).status).toBe(404);
  expect((await sql`select count(*) as n from campaigns`.execute(app.db)).rows).toEqual(before.rows);
});
