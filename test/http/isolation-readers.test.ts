import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { publicRoutes } from "../../src/http/server.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createSiteCounter } from "../../src/receipts/site-counts.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { type Answer, type Api, openTestApp, serve } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
} from "../fixtures/publisher.ts";
import { createReaderClient, siteOrigin } from "../fixtures/reader-client.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { planAll, startPlanned, view } from "../runs/fixture.ts";
import { createFullTenant, hashDatabase, type Ids, mark } from "./two-tenants.ts";

/** A request of a page or reader of my site that names an object of another tenant, and its expected answer. */
type Attempt = { why: string; ask(): Promise<Answer>; answer: { status: number; body?: unknown } };

const theirOrigin = "https://theirs.example";

let app: App;
let api: Api;
let mine: Publisher;
let theirs: Ids;
let theirReader: BrowserSubscription;
let theirTestToken: string;
let theirMessage: string;
const myReader = createSubscriptions(1)[0]!;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  mine = await createPublisher(app);
  const { ids, publisher } = await createFullTenant(app, api);
  theirs = ids;
  await changeSites(app, { id: theirs.siteId }, { url: theirOrigin });
  theirReader = createSubscriptions(1)[0]!;
  await createReaderClient(api, theirs.siteId, theirOrigin).subscribe(theirReader, { topicIds: [theirs.topicId] });
  await createReaderClient(api, mine.siteId).subscribe(myReader);
  const { link } = await createTestLink(app, publisher.actor, { siteId: theirs.siteId, label: mark });
  theirTestToken = new URL(link).hash.replace("#pressbell-test=", "");
  await planAll(app);
  theirMessage = createMessageSigner(app.secrets.tokenKey, theirs.runId, 1)(0).token;
});

const here = () => createReaderClient(api, mine.siteId);
const there = () => createReaderClient(api, theirs.siteId);
const wrong = (path: string) => ({ status: 400, body: { code: "validation_failed", errors: [{ path }] } });
const foreignOrigin = { status: 403, body: { code: "origin_not_allowed" } };
const config = (siteId: string, tenantId: string) => api.call("GET", `/sdk/sites/${siteId}/config?tenant=${tenantId}`);
const proofOf = ({ endpoint, keys }: BrowserSubscription) => ({ endpoint, auth: keys.auth });
const oldOf = ({ endpoint, keys }: BrowserSubscription) => ({ replaces: { endpoint, auth: keys.auth } });

/** Every route for browsers, with each place in which a request can name an object of another tenant. */
const matrix: Record<string, Attempt[]> = {
  // These files are the same for every site.
  "GET /sdk/pressbell.js": [],
  "GET /sdk/prompt.js": [],
  "GET /sdk/migration.js": [],
  "GET /sdk/test-device.js": [],
  "GET /sdk/preferences.js": [],
  "GET /sdk/facts.js": [],
  "GET /sdk/outcomes.js": [],
  "GET /sdk/elements.js": [],
  // This file is public, because the publisher's pages load it.
  "GET /sdk/sites/:siteId/worker.js": [],
  "GET /sdk/sites/:siteId/config": [
    { why: "their site as mine", ask: () => config(theirs.siteId, mine.tenantId), answer: { status: 404 } },
    { why: "my site as theirs", ask: () => config(mine.siteId, theirs.tenantId), answer: { status: 404 } },
  ],
  "POST /sdk/sites/:siteId/subscriptions": [
    { why: "their site, from my page", ask: () => there().subscribe(myReader), answer: foreignOrigin },
    {
      why: "their topic",
      ask: () => here().subscribe(createSubscriptions(1)[0]!, { topicIds: [theirs.topicId] }),
      answer: wrong("/topicIds/0"),
    },
    {
      why: "their test token",
      ask: () => here().subscribe(createSubscriptions(1)[0]!, { testToken: theirTestToken }),
      answer: wrong("/testToken"),
    },
  ],
  "POST /sdk/sites/:siteId/unsubscribe": [
    { why: "their site, from my page", ask: () => there().unsubscribe(theirReader), answer: foreignOrigin },
    { why: "their reader, at my site", ask: () => here().unsubscribe(theirReader), answer: { status: 204 } },
  ],
  "POST /sdk/sites/:siteId/counts": [
    {
      why: "their site, from my page",
      ask: () => there().post("counts", { count: "visit" }),
      answer: foreignOrigin,
    },
  ],
  "POST /sdk/sites/:siteId/preferences": [
    {
      why: "their site, from my page",
      ask: () => there().post("preferences", proofOf(myReader)),
      answer: foreignOrigin,
    },
    {
      why: "their reader, at my site",
      ask: () => here().post("preferences", proofOf(theirReader)),
      answer: { status: 404 },
    },
    {
      why: "their notification, muted by my reader",
      ask: () => here().post("preferences", { ...proofOf(myReader), mute: theirs.runId }),
      answer: wrong("/mute"),
    },
  ],
  "POST /sdk/sites/:siteId/data": [
    { why: "their site, from my page", ask: () => there().post("data", proofOf(myReader)), answer: foreignOrigin },
    { why: "their reader, at my site", ask: () => here().post("data", proofOf(theirReader)), answer: { status: 404 } },
  ],
  "POST /sdk/sites/:siteId/follows": [
    { why: "their site, from my page", ask: () => there().post("follows", proofOf(myReader)), answer: foreignOrigin },
    {
      why: "their reader, at my site",
      ask: () => here().post("follows", { ...proofOf(theirReader), follow: { key: "election" } }),
      answer: { status: 404 },
    },
  ],
  "POST /sdk/sites/:siteId/erasure": [
    { why: "their site, from my page", ask: () => there().post("erasure", proofOf(myReader)), answer: foreignOrigin },
    {
      why: "their reader, at my site",
      ask: () => here().post("erasure", proofOf(theirReader)),
      answer: { status: 204 },
    },
  ],
  // This route always answers 204. The last test checks what it counts.
  "POST /sdk/events": [],
  // The token alone gives access, and it leads only to its own article.
  "GET /sdk/click/:token": [],
};

test("the matrix has every route for browsers and no other: a new route needs a row here", () => {
  const receipts = createReceiptBuffer(app);
  afterFile(() => receipts.stop());
  const counter = createSiteCounter(app);
  afterFile(() => counter.stop());
  const routes = publicRoutes(receipts, counter, () => ({
    page: "",
    prompt: "",
    migration: "",
    "test-device": "",
    preferences: "",
    facts: "",
    outcomes: "",
    elements: "",
    worker: "",
  }));
  expect(Object.keys(matrix).toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
});

describe.each(Object.entries(matrix).filter(([, of]) => of.length > 0))("%s", (_, attempts) => {
  test.each(attempts)("$why: shows and changes nothing of theirs", async ({ ask, answer }) => {
    const before = await hashDatabase(app);
    const seen = await ask();
    expect(seen).toMatchObject(answer);
    expect(JSON.stringify([seen.body, [...seen.headers]])).not.toContain(mark);
    expect(await hashDatabase(app)).toBe(before);
  });
});

test("naming their reader as replaced stores mine and leaves theirs with its topic", async () => {
  const fresh = createSubscriptions(1)[0]!;
  expect(await here().subscribe(fresh, oldOf(theirReader))).toMatchObject({ status: 201, body: { topicIds: [] } });
  const again = await createReaderClient(api, theirs.siteId, theirOrigin).subscribe(theirReader);
  expect(again).toMatchObject({ status: 200, body: { topicIds: [theirs.topicId] } });
});

test("their endpoint at my site becomes a separate subscriber of mine", async () => {
  expect(await here().subscribe(theirReader)).toMatchObject({ status: 201, body: { topicIds: [], label: null } });
  await here().unsubscribe(theirReader);
  expect(await createReaderClient(api, theirs.siteId, theirOrigin).subscribe(theirReader)).toMatchObject({
    status: 200,
  });
});

test("a report of their message from my site counts for no run; one of mine beside it does", async () => {
  const run = await startPlanned(app, mine);
  const message = createMessageSigner(app.secrets.tokenKey, run.runId, 1)(0).token;
  const events = [theirMessage, message].map((token) => ({ token, kind: "clicked" }));
  const headers = { origin: siteOrigin };
  expect(await api.call("POST", "/sdk/events", { body: { events }, headers })).toMatchObject({ status: 204 });
  await here().unsubscribe(myReader, theirMessage);
  await eventually(async () => (await view(app, mine, run)).clicked === 1);
  // Receipts that arrive later are stored with the earlier ones or a second later.
  const another = createSubscriptions(1)[0]!;
  await here().subscribe(another);
  await here().unsubscribe(another, message);
  await eventually(async () => (await view(app, mine, run)).unsubscribed === 1);
  const { rows } = await sql`select 1 from receipt_bits where run_id = ${theirs.runId}`.execute(app.db);
  expect(rows).toEqual([]);
});
