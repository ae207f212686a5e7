import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient, siteOrigin } from "../fixtures/reader-client.ts";
import { startPlanned } from "../runs/fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let run: RunRef;
const readers = createSubscriptions(3);

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, readers);
  const url = "https://news.example/bridge?utm_source=pressbell";
  run = await startPlanned(app, publisher, { message: { title: "T", body: "B", url, imageUrl: null } });
});

const tokenOf = (position: number) => createMessageSigner(app.secrets.tokenKey, run.runId, 1)(position).token;
const readRun = async () => (await api.call("GET", `/v1/runs/${run.runId}`, { key: publisher.apiKey })).body;
const click = (token: string) => fetch(`${api.url}/sdk/click/${token}`, { redirect: "manual" });

test("a new run has zeros and no hours", async () => {
  expect(await readRun()).toMatchObject({
    displayed: 0,
    clicked: 0,
    dismissed: 0,
    unsubscribed: 0,
    receiptsByHour: [],
  });
});

test("valid reports are counted within two seconds, once, and forged ones are not", async () => {
  const events = [
    ...[0, 1, 0].map((position) => ({ token: tokenOf(position), kind: "displayed" })),
    { token: tokenOf(0), kind: "dismissed" },
    { token: "A".repeat(43), kind: "displayed" },
  ];
  const asPage: Record<string, string> = { origin: siteOrigin };
  for (const headers of [asPage, { "content-type": "text/plain;charset=UTF-8" }]) {
    const body = JSON.stringify({ events });
    expect(await api.call("POST", "/sdk/events", { body, headers })).toMatchObject({
      status: 204,
    });
  }
  const seen = await eventually(async () => {
    const now = await readRun();
    return now.displayed > 0 && now;
  });
  expect(seen).toMatchObject({ displayed: 2, dismissed: 1, clicked: 0 });
  expect(seen.receiptsByHour).toEqual([
    { hour: expect.stringMatching(/:00:00\.000Z$/), displayed: 2, clicked: 0, dismissed: 1, unsubscribed: 0 },
  ]);
});

test("reports whose browser says that it is on Android are counted apart", async () => {
  const other = await createPublisher(app);
  await subscribe(app, other.siteId, createSubscriptions(3));
  const another = await startPlanned(app, other, {
    message: { title: "T", body: "B", url: siteOrigin, imageUrl: null },
  });
  const token = (position: number) => createMessageSigner(app.secrets.tokenKey, another.runId, 1)(position).token;
  const android =
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Mobile Safari/537.36";
  const desktop = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0";
  for (const [position, agent] of [android, android, desktop].entries()) {
    const body = { events: [{ token: token(position), kind: "displayed" }] };
    await api.call("POST", "/sdk/events", { body, headers: { origin: siteOrigin, "user-agent": agent } });
  }
  await fetch(`${api.url}/sdk/click/${token(0)}`, { redirect: "manual", headers: { "user-agent": android } });
  await eventually(async () => {
    const { rows } = await sql`select from receipt_hours where run_id = ${another.runId} having sum(displayed) = 3
      and sum(android_displayed) = 2 and sum(clicked) = 1 and sum(android_clicked) = 1`.execute(app.db);
    return rows.length === 1;
  });
});

describe("a click through the service", () => {
  test("redirects to the run's article, is counted, and is not cached", async () => {
    for (const answer of [await click(tokenOf(2)), await click(tokenOf(2))]) {
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe("https://news.example/bridge?utm_source=pressbell");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    await eventually(async () => (await readRun()).clicked === 1);
  });

  test("on a button redirects to its address and counts apart; an unknown button is a 404", async () => {
    const actions = [{ title: "Live", url: "https://news.example/live" }];
    const extras = { title: "T", body: "B", url: "https://news.example/a", imageUrl: null, extras: { actions } };
    const { runId } = await startPlanned(app, publisher, { message: extras });
    const { token } = createMessageSigner(app.secrets.tokenKey, runId, 1)(0);
    const answer = await click(`${token}1`);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://news.example/live"]);
    expect((await click(`${token}2`)).status).toBe(404);
    const read = async () => (await api.call("GET", `/v1/runs/${runId}`, { key: publisher.apiKey })).body;
    await eventually(async () => (await read()).actions[0].clicked === 1 && (await read()).clicked === 1);
  });

  test("with a forged token, or one of no run, is a 404 page", async () => {
    const unknown = createMessageSigner(app.secrets.tokenKey, "0198c1f2-aaaa-7bbb-8ccc-0123456789ab", 1)(0).token;
    for (const token of ["x", "A".repeat(43), "https%3A%2F%2Fevil.example", unknown]) {
      const answer = await click(token);
      expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await answer.text()).not.toContain("evil");
    }
  });
});

describe("a reader who unsubscribes from a message", () => {
  test("is counted for its run once, if there was a subscription", async () => {
    const reader = createReaderClient(api, publisher.siteId);
    await reader.unsubscribe(readers[0]!, tokenOf(0));
    await reader.unsubscribe(readers[0]!, tokenOf(1));
    const other = await createPublisher(app);
    const [theirs] = createSubscriptions(1);
    await subscribe(app, other.siteId, [theirs!]);
    // A reader of another site cannot be counted for this run.
    await createReaderClient(api, other.siteId).unsubscribe(theirs!, tokenOf(2));
    await eventually(async () => (await readRun()).unsubscribed > 0);
    await createReaderClient(api, publisher.siteId).unsubscribe(readers[1]!, tokenOf(1));
    await eventually(async () => (await readRun()).unsubscribed === 2);
    const { rows } = await sql`select 1 from subscribers where site_id = ${other.siteId}`.execute(app.db);
    expect(rows).toEqual([]);
  });
});

test("another tenant cannot read the run", async () => {
  const other = await createPublisher(app);
  const answer = await api.call("GET", `/v1/runs/${run.runId}`, { key: other.apiKey });
  expect(answer).toMatchObject({ status: 404 });
});

test("/metrics has the number of dropped receipts", async () => {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  expect(text).toContain("\npressbell_receipts_dropped_total 0\n");
});

test("receipts of the last second are stored when the service ends", async () => {
  const { createServer } = await import("../../src/http/server.ts");
  const server = createServer(app);
  const url = await server.listen({ port: 0, host: "127.0.0.1" });
  const before = (await readRun()).displayed;
  await fetch(`${url}/sdk/events`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ events: [{ token: tokenOf(2), kind: "displayed" }] }),
  });
  await server.close();
  expect((await readRun()).displayed).toBe(before + 1);
});
