import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { expireSiteDays } from "../../src/receipts/expire-days.ts";
import { createSiteCounter, type SiteCounter } from "../../src/receipts/site-counts.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { insertSiteDay } from "../fixtures/rows/receipts.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let counter: SiteCounter;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  publisher = await createPublisher(app);
  counter = createSiteCounter(app);
  return () => counter.stop();
});

/** Returns the counts. They are summed over days, because a test at midnight has two. */
const counted = () =>
  rows(
    sql<Record<string, number>>`select sum(visits)::int as visits, sum(prompted)::int as prompted,
        sum(asked)::int as asked, sum(granted)::int as granted, sum(denied)::int as denied
      from site_days where site_id = ${publisher.siteId}`,
    app.db,
  );

test("what pages report is added up for the day, a visit for ten", async () => {
  const { post } = createReaderClient(api, publisher.siteId);
  for (const count of ["visit", "prompted", "asked", "denied"])
    expect((await post("counts", { count })).status).toBe(204);
  await eventually(async () => (await counted())[0]?.denied === 1);
  expect((await post("counts", { count: "visit" })).status).toBe(204);
  await eventually(async () => (await counted())[0]?.visits === 20);
  expect(await counted()).toEqual([{ visits: 20, prompted: 1, asked: 1, granted: 0, denied: 1 }]);
});

test("another count, another field and a foreign origin are refused", async () => {
  const { post } = createReaderClient(api, publisher.siteId);
  for (const body of [{ count: "clicks" }, { count: "visit", of: "me" }, {}])
    expect(await post("counts", body)).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  const foreign = createReaderClient(api, publisher.siteId, "https://elsewhere.example");
  expect(await foreign.post("counts", { count: "visit" })).toMatchObject({ status: 403 });
});

test("a site that counts nothing is not counted, and a site that is gone holds up no other", async () => {
  const silent = await createPublisher(app);
  await changeSite(app, silent.actor, { siteId: silent.siteId, receipts: "off" });
  for (const siteId of [silent.siteId, silent.tenantId, publisher.siteId]) counter.record(siteId, { count: "granted" });
  await counter.write();
  expect(await counted()).toEqual([{ visits: 0, prompted: 0, asked: 0, granted: 1, denied: 0 }]);
  expect(await rows(sql`select from site_days where site_id = ${silent.siteId}`, app.db)).toEqual([]);
});

test("counts of a time without the database are written later", async () => {
  let isAway = true;
  const away = createSiteCounter({
    log: app.log,
    secrets: app.secrets,
    get db() {
      if (isAway) throw new Error("the database is away");
      return app.db;
    },
  });
  away.record(publisher.siteId, { count: "asked" });
  await away.write();
  isAway = false;
  away.record(publisher.siteId, { count: "asked" });
  await away.stop();
  expect(await counted()).toMatchObject([{ asked: 2 }]);
});

test("days are kept for 90 days", async () => {
  for (const n of [1, 89, 92]) await insertSiteDay(app, publisher.siteId, n, { visits: n });
  await runMaintenance(app.db, [expireSiteDays]);
  const kept = await rows(sql`select visits from site_days where site_id = ${publisher.siteId} order by 1`, app.db);
  expect(kept).toEqual([{ visits: 1 }, { visits: 89 }]);
});
