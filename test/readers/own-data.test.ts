import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { eraseTraces } from "../../src/erasure/erase-traces.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { readNudges } from "../../src/readers/own-data.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { addBatches } from "../fixtures/rows/runs.ts";
import { recipientsOf, startPlanned, subscriberIds } from "../runs/fixture.ts";

const readers = 300;

let app: App;
let api: Api;
let publisher: Publisher;
let client: ReaderClient;
let subscriptions: BrowserSubscription[];

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  publisher = await createPublisher(app);
  client = createReaderClient(api, publisher.siteId);
  subscriptions = createSubscriptions(readers);
  await subscribe(app, publisher.siteId, subscriptions);
});

const proofOf = (n: number) => ({ endpoint: subscriptions[n]!.endpoint, auth: subscriptions[n]!.keys.auth });
const nudgesOf = async (n: number) => (await client.post("data", proofOf(n))).body.nudges;

test("a reader's notifications are found without reading the site's other lists", async () => {
  const { siteId } = publisher;
  const { runId } = await startPlanned(app, publisher);
  const ids = await subscriberIds(app, siteId);
  await addBatches(app, { siteId, runId }, ids.at(-1)!);
  let found: unknown;
  const read = await countRowsRead(app, "run_recipients", async (tx) => {
    found = await readNudges(tx, siteId, ids[readers / 2]!);
  });
  expect(found).toMatchObject([{ runId }]);
  expect(read).toBe(1);
});

test("a list of recipients is in order of their numbers, for the index", async () => {
  const lists = await recipientsOf(app, await startPlanned(app, publisher));
  expect(lists.flat()).toHaveLength(readers);
  for (const list of lists) expect(list).toEqual(list.toSorted((a, b) => a - b));
});

test("a reader's notifications are found when the ends of their lists were erased", async () => {
  const { runId } = await startPlanned(app, publisher);
  for (const n of [0, readers - 1]) expect(await nudgesOf(n)).toMatchObject([{ runId }]);
  for (const n of [0, readers - 1]) expect(await client.post("erasure", proofOf(n))).toMatchObject({ status: 204 });
  await runMaintenance(app.db, [eraseTraces]);
  for (const n of [1, readers / 2, readers - 2]) expect(await nudgesOf(n)).toMatchObject([{ runId }]);
});

test("a reader reads their data ten times an hour, and a wrong secret uses none of it up", async () => {
  for (let n = 0; n < 12; n++)
    expect(await client.post("data", { ...proofOf(0), auth: "A".repeat(22) })).toMatchObject({ status: 404 });
  for (let n = 0; n < 10; n++) expect(await client.post("data", proofOf(0))).toMatchObject({ status: 200 });
  expect(await client.post("data", proofOf(0))).toMatchObject({
    status: 429,
    body: { code: "rate_limited", limit: "data" },
  });
  expect(await client.post("data", proofOf(1))).toMatchObject({ status: 200 });
});
