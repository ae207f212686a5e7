import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { eraseSites } from "../../src/erasure/erase-sites.ts";
import { eraseTenants } from "../../src/erasure/erase-tenants.ts";
import { eraseTraces } from "../../src/erasure/erase-traces.ts";
import { requestSiteErasure, requestTenantErasure } from "../../src/erasure/request-erasure.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import type { BrowserSubscription, Publisher } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { startPlanned } from "../runs/fixture.ts";
import { createFullSite, type FullSite } from "./full-site.ts";
import { tablesWith, tablesWithNumber } from "./scan.ts";

let app: App;
let api: Api;
let full: FullSite;
let publisher: Publisher;
let reader: BrowserSubscription;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  full = await createFullSite(app, api);
  ({ publisher, reader } = full);
});

/**
 * Returns the texts that identify a subscription in any table: its address and keys, as they are and as hexadecimal
 * digits.
 */
async function tracesOf({ endpoint, keys }: BrowserSubscription): Promise<string[]> {
  const [stored] = await rows(
    sql<{ hash: string }>`select encode(endpoint_hash, 'hex') as hash from subscribers where endpoint = ${endpoint}`,
    app.db,
  );
  return [
    endpoint,
    stored!.hash,
    ...[keys.auth, keys.p256dh].map((key) => Buffer.from(key, "base64url").toString("hex")),
  ];
}

const maintain = () => runMaintenance(app.db, [eraseTraces, eraseSites, eraseTenants]);

async function endRuns(): Promise<void> {
  await sweepRuns(app.db);
}

test("the site has a row in each table that can name one, or the scans below would find nothing", async () => {
  const named = await rows(
    sql<{ name: string }>`select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and a.attname in ('site_id', 'tenant_id', 'user_id') and not a.attisdropped order by 1`,
    app.db,
  );
  const has = await tablesWith(app, publisher.siteId, publisher.tenantId, full.ownerId);
  expect(named.map(({ name }) => name).filter((name) => !has.includes(name))).toEqual([]);
});

test("a reader's erasure leaves nothing of them in any table, also of what is kept for a return", async () => {
  const traces = await tracesOf(reader);
  const id = full.readerNumber;
  expect(await tablesWith(app, ...traces)).toEqual(["gone_subscribers", "subscribers"]);
  const client = createReaderClient(api, publisher.siteId);
  const proof = { endpoint: reader.endpoint, auth: reader.keys.auth };
  const numbered = ["lost_subscribers", "muted_stories", "run_recipients", "subscriber_topics", "welcome_due"];
  expect(await tablesWithNumber(app, id)).toEqual(expect.arrayContaining(numbered));
  expect(await client.post("erasure", { ...proof, auth: "A".repeat(22) })).toMatchObject({ status: 204 });
  expect(await tablesWith(app, ...traces)).toContain("subscribers");
  expect(await client.post("erasure", proof)).toMatchObject({ status: 204 });
  await maintain();
  expect(await tablesWith(app, ...traces)).toEqual([]);
  expect(await tablesWithNumber(app, id)).toEqual([]);
  // The place in a list belongs to the message, so it stays. The counts of the run stay too.
  expect((await full.recipients()).map(({ size, listed }) => size === listed)).not.toContain(false);
});

test("a site's erasure leaves one audit event with its name, and nothing else in any table", async () => {
  await requestSiteErasure(app, publisher.siteId);
  await requestSiteErasure(app, publisher.siteId);
  await endRuns();
  await maintain();
  expect(await tablesWith(app, publisher.siteId, ...full.marks)).toEqual([]);
  expect(await tablesWith(app, full.siteName)).toEqual(["audit_events"]);
  const events = await rows(
    sql<{ event: string; siteId: string | null }>`select event, site_id as "siteId" from audit_events
      where details::text like ${`%${full.siteName}%`}`,
    app.db,
  );
  expect(events).toContainEqual({ event: "site.erased", siteId: null });
  expect(events.every(({ siteId }) => siteId === null)).toBe(true);
  expect(await tablesWith(app, publisher.tenantId)).toContain("tenants");
});

test("a site with an open run is erased after its end, and another site stays whole", async () => {
  const other = await full.addSite("Second site");
  await startPlanned(app, publisher);
  await requestSiteErasure(app, publisher.siteId);
  await maintain();
  expect(await tablesWith(app, publisher.siteId)).toContain("subscribers");
  await changeRuns(app, { siteId: publisher.siteId }, { status: "completed" });
  await maintain();
  expect(await tablesWith(app, publisher.siteId)).toEqual([]);
  expect(await tablesWith(app, other)).toContain("sites");
});

test("a tenant's erasure ends all access at once, and leaves nothing of it or its people", async () => {
  const { tenantId, apiKey } = publisher;
  const cookie = await signIn(api, ownerEmail(tenantId));
  const shared = await full.addMemberOfAnotherTenant();
  await requestTenantErasure(app, tenantId);
  expect(await api.call("GET", `/v1/tenants/${tenantId}/sites`, { key: apiKey })).toMatchObject({ status: 401 });
  expect((await api.call("GET", `/dashboard/api/tenants/${tenantId}`, { headers: { cookie } })).status).toBe(401);
  await endRuns();
  await maintain();
  expect(await tablesWith(app, tenantId, publisher.siteId, ownerEmail(tenantId), full.ownerId, ...full.marks)).toEqual(
    [],
  );
  expect(await tablesWith(app, shared)).toContain("users");
});

test("an unknown site and tenant are not found, and a body of another shape is refused", async () => {
  await expect(requestSiteErasure(app, "nothing")).rejects.toMatchObject({ code: "not_found" });
  await expect(requestTenantErasure(app, publisher.siteId)).rejects.toMatchObject({ code: "not_found" });
  const client = createReaderClient(api, publisher.siteId);
  expect(await client.post("erasure", {})).toMatchObject({ status: 400, body: { code: "validation_failed" } });
});

test("a reader's own browser reads all that is known of them, and no other does", async () => {
  const client = createReaderClient(api, publisher.siteId);
  const proof = { endpoint: reader.endpoint, auth: reader.keys.auth };
  const { status, body } = await client.post("data", proof);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    site: { siteId: publisher.siteId, name: full.siteName },
    subscription: { endpoint: reader.endpoint, consent: "prompt" },
    consents: [{ how: "prompt", endedAt: null, texts: { accept: "Yes, please" } }, {}],
    topics: [full.topicName],
    further: {
      reader_preferences: [{ max_a_day: 3 }],
      muted_stories: [{ title: "Muted" }],
      interactions: [{}],
    },
    nudges: [{ runId: full.runId, outcome: "accepted", reports: ["displayed"] }],
  });
  expect(await client.post("data", { ...proof, auth: "A".repeat(22) })).toMatchObject({ status: 404 });
});
