import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";

const safari = "https://web.push.apple.com";
let app: App;
let api: Api;
let publisher: Publisher;
let reader: ReaderClient;

beforeEach(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  reader = createReaderClient(api, publisher.siteId);
});

const one = (pushService?: string) => createSubscriptions(1, pushService)[0]!;
const reports = async () =>
  (
    await sql<{ reports: boolean }>`select reports_displays as reports from subscribers
      where site_id = ${publisher.siteId} order by id`.execute(app.db)
  ).rows.map((row) => row.reports);

test("a browser says whether it reports displays, and a later word counts", async () => {
  const [chrome, old] = [one(), one(safari)];
  await reader.subscribe(chrome, { reportsDisplays: false });
  await reader.subscribe(old, { reportsDisplays: true });
  expect(await reports()).toEqual([false, true]);
  await reader.subscribe(chrome, { reportsDisplays: true });
  await reader.subscribe(old, { reportsDisplays: false });
  expect(await reports()).toEqual([true, false]);
});

test("one that says nothing stays as it was, and at first is as others of its push service", async () => {
  const [chrome, old] = [one(), one(safari)];
  await reader.subscribe(chrome);
  await reader.subscribe(old);
  expect(await reports()).toEqual([true, false]);
  await reader.subscribe(old, { reportsDisplays: true });
  await reader.subscribe(old);
  const { endpoint, keys } = old;
  await reader.subscribe(one(safari), { replaces: { endpoint, auth: keys.auth } });
  expect(await reports()).toEqual([true, true]);
});

test("imported readers report as others of their push service", async () => {
  await subscribe(app, publisher.siteId, [one(), one(safari)]);
  expect((await reports()).toSorted()).toEqual([false, true]);
});

test("another answer than true or false is refused", async () => {
  for (const reportsDisplays of ["yes", 1])
    expect(await reader.subscribe(one(), { reportsDisplays })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/reportsDisplays" }] },
    });
  expect(await reports()).toEqual([]);
});
