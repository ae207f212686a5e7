import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { publicRoutes } from "../../src/http/server.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createSiteCounter } from "../../src/receipts/site-counts.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { createPublisher, createSubscriptions, type Publisher } from "../fixtures/publisher.ts";
import { siteOrigin } from "../fixtures/reader-client.ts";
import { headerValue, json, mostly, pathPart } from "./inputs.ts";

let app: App;
let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
});

const [valid] = createSubscriptions(1);

/** The body of a POST, with fields that are valid, hostile, absent, or of another route. */
const body = fc.record(
  {
    subscription: fc.oneof(fc.constant(valid), fc.record({ endpoint: json, keys: json }), json),
    topicIds: json,
    replaces: fc.oneof(fc.record({ endpoint: json, auth: json }), json),
    testToken: json,
    endpoint: fc.oneof(fc.constant(valid!.endpoint), json),
    auth: json,
    token: json,
    events: fc.oneof(fc.array(fc.record({ token: json, kind: json }), { maxLength: 60 }), json),
  },
  { requiredKeys: [] },
);

const printable = (value: string) => value.replaceAll(/[^\t\x20-\x7e]/g, "?");

test("no path, query, header or body makes a route for readers answer 5xx", async () => {
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
  let sentRequests = 0;
  const requests = fc.record({
    route: fc.constantFrom(...routes),
    part: mostly(fc.constant(publisher.siteId), pathPart([publisher.siteId])),
    query: fc.option(json),
    origin: mostly(fc.constant(siteOrigin), headerValue),
    type: mostly(fc.constant("application/json"), headerValue, fc.constant("text/plain")),
    body: fc.oneof(body, json),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ route, part, query, origin, type, body: sent }) => {
      // This test is not about rate limits.
      if (sentRequests++ % 50 === 0) await sql`truncate rate_limits`.execute(app.db);
      const path = route.path.replace(/:\w+/, () => part);
      const search = query === null ? "" : `?tenant=${encodeURIComponent(JSON.stringify(query)?.toWellFormed() ?? "")}`;
      const isWrite = route.method === "POST";
      const answer = await fetch(`${api.url}${path}${search}`, {
        method: route.method,
        redirect: "manual",
        headers: { origin: printable(origin), ...(isWrite ? { "content-type": printable(type) } : {}) },
        ...(isWrite ? { body: JSON.stringify(sent) ?? "" } : {}),
      });
      await answer.text();
      expect(answer.status, path).toBeLessThan(500);
    }),
    { numRuns: 1_500 },
  );
}, 120_000);
