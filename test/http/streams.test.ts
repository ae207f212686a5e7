import { once } from "node:events";
import { type IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { createServer } from "../../src/http/server.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/** The sockets of this machine cannot buffer so much data, so the server has to wait for a reader that pauses. */
const subscribers = 40_000;
const endpointLength = 1_000;
/** Shorter than the time for which a request may wait for a lock. */
const answerWithinMs = 2_800;

let app: App;
let publisher: Publisher;
let server: FastifyInstance;
let url: string;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await insertSubscribers(app, publisher.siteId, subscribers, { endpointLength });
  cookie = await signIn(await serve(app), ownerEmail(publisher.tenantId));
  server = createServer(app);
  url = await server.listen({ port: 0, host: "127.0.0.1" });
  afterFile(() => server.close());
});

/** Starts the download of all subscribers, and stops reading after the first bytes. `rest` reads the rest. */
async function startDownload(version: "1.0" | "1.1", at = url) {
  const { hostname, port } = new URL(at);
  const socket = connect(Number(port), hostname);
  const path = `/dashboard/api/tenants/${publisher.tenantId}/sites/${publisher.siteId}/subscribers.ndjson`;
  socket.write(`GET ${path} HTTP/${version}\r\nhost: localhost\r\nconnection: close\r\ncookie: ${cookie}\r\n\r\n`);
  await once(socket, "readable");
  const received: Buffer[] = [socket.read() as Buffer];
  let error: string | undefined;
  socket.on("error", ({ code }: NodeJS.ErrnoException) => (error = code));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return {
    async rest() {
      socket.on("data", (chunk: Buffer) => received.push(chunk));
      await closed;
      const text = Buffer.concat(received).toString();
      return { text, lines: text.match(/"endpoint"/g)?.length, error };
    },
  };
}

/**
 * Makes a request wait for a lock until the server gives it up. The time of an answer is then over for earlier
 * requests.
 */
async function waitForAnswerTime(at: string): Promise<number> {
  return holdOpen(app, async (tx) => {
    await sql`lock table campaigns in access exclusive mode`.execute(tx);
    const answer = await fetch(`${at}/dashboard/api/tenants/${publisher.tenantId}/campaigns`, { headers: { cookie } });
    return answer.status;
  });
}

test("a download over a slow line arrives whole, however long it takes", async () => {
  const quick = await serve(app, { answerWithinMs });
  const download = await startDownload("1.1", quick.url);
  expect(await waitForAnswerTime(quick.url)).toBe(503);
  const { text, lines, error } = await download.rest();
  expect([lines, error]).toEqual([subscribers, undefined]);
  expect(text.endsWith("\r\n0\r\n\r\n")).toBe(true);
});

test.each(["1.0", "1.1"] as const)(
  "a download over HTTP/%s that fails in the middle is seen as cut",
  async (version) => {
    const download = await startDownload(version);
    await sql`alter table subscriber_topics rename to away`.execute(app.db);
    const { text, lines, error } = await download.rest();
    await sql`alter table away rename to subscriber_topics`.execute(app.db);
    expect(lines).toBeLessThan(subscribers);
    expect(error).toBe("ECONNRESET");
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
  },
);

test("a download that fails before its first line is an error, not an empty file", async () => {
  await sql`alter table subscriber_topics rename to away`.execute(app.db);
  const { text } = await (await startDownload("1.1")).rest();
  await sql`alter table away rename to subscriber_topics`.execute(app.db);
  expect(text).toMatch(/^HTTP\/1\.1 500 /);
  expect(text).toContain('"code":"internal"');
});

test("a reader that stops reading holds its connection up to the idle time, and sees the cut", async () => {
  const connected = once(server.server, "connection") as Promise<[Socket]>;
  const download = await startDownload("1.0");
  // The timeout is set only now, because the answer may take longer to begin on a busy machine.
  (await connected)[0].setTimeout(500);
  await eventually(async () => server.openStreams.size === 0);
  const { lines, error } = await download.rest();
  expect([lines! < subscribers, error]).toEqual([true, "ECONNRESET"]);
});

test("a tenant has two hundred open streams at most, and another tenant is not affected", async () => {
  const path = `/dashboard/api/tenants/${publisher.tenantId}/sites/${publisher.siteId}/subscribers.ndjson`;
  const ask = async () => {
    const answer = await fetch(url + path, { headers: { cookie } });
    const body = answer.status === 200 ? await answer.body!.cancel() : await answer.json();
    return { status: answer.status, type: answer.headers.get("content-type"), body };
  };
  const open = (party: string) => server.openStreams.set(new ServerResponse({} as IncomingMessage), { party });
  const exported = async () =>
    (await rows(sql`select from audit_events where event = 'subscribers.exported'`, app.db)).length;
  for (let i = 0; i < 200; i++) open("another tenant");
  expect((await ask()).status).toBe(200);
  await eventually(async () => server.openStreams.size === 200);
  for (let i = 0; i < 200; i++) open(publisher.tenantId);
  const before = await exported();
  expect(await ask()).toMatchObject({
    status: 429,
    type: "application/json; charset=utf-8",
    body: { code: "rate_limited", limit: "streams", retryAfterSeconds: 5 },
  });
  expect(server.openStreams.size).toBe(400);
  expect(await exported()).toBe(before);
  server.openStreams.clear();
});

test("a server that closes does not wait for a connection that has sent nothing", async () => {
  const closing = createServer(app);
  const { hostname, port } = new URL(await closing.listen({ port: 0, host: "127.0.0.1" }));
  const accepted = once(closing.server, "connection");
  const spare = connect(Number(port), hostname);
  const [socket] = (await accepted) as [Socket];
  let waited = false;
  socket.once("timeout", () => (waited = true));
  const ended = once(spare, "close");
  await closing.close();
  await ended;
  expect(waited).toBe(false);
});
