import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { quarantineEverything } from "../../src/backup/quarantine.ts";
import { listQuarantinedSites, releaseSite } from "../../src/backup/quarantined-sites.ts";
import { row } from "../../src/db/pool.ts";
import { checkQuarantine } from "../../src/doctor/quarantine.ts";
import { countQuarantinedSites } from "../../src/tenants/sites/quarantine-queries.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { startPlanned, view } from "../runs/fixture.ts";

const app: App = await openTestApp();
let publisher: Publisher;

beforeEach(async () => {
  publisher = await createPublisher(app);
});

const hold = () => app.db.transaction().execute(quarantineEverything);
const isHeld = async () => (await listQuarantinedSites(app)).some(({ siteId }) => siteId === publisher.siteId);
const pause = (paused: boolean) => changeSite(app, publisher.actor, { siteId: publisher.siteId, paused });
const release = (runs?: "continue" | "stop") => releaseSite(app, publisher.actor, { siteId: publisher.siteId, runs });

test("a site that was paused before a hold is still paused after its release", async () => {
  await pause(true);
  await hold();
  expect(await release()).toEqual({ paused: true });
  expect(await isHeld()).toBe(false);
  await expect(release()).rejects.toThrow(`Site ${publisher.siteId} is not quarantined.`);
});

test("a pause that is lifted ends the hold, and the audit log has both", async () => {
  await hold();
  await pause(false);
  expect(await isHeld()).toBe(false);
  const events = await row(
    sql<{
      names: string[];
    }>`select array_agg(event order by id) as names from audit_events where site_id = ${publisher.siteId}
      and event in ('site.paused', 'site.resumed')`,
    app.db,
  );
  expect(events!.names).toEqual(["site.paused", "site.resumed"]);
});

test("doctor and metrics count quarantined sites until their release, and none that has moved", async () => {
  await sql`update sites set quarantined_at = null, paused_at = null`.execute(app.db);
  const counted = async () => [await countQuarantinedSites(app.db), (await checkQuarantine(app.db)).level];
  expect(await counted()).toEqual([0, "ok"]);
  await hold();
  expect((await counted())[1]).toBe("warning");
  const sites = await countQuarantinedSites(app.db);
  await release();
  expect(await countQuarantinedSites(app.db)).toBe(sites - 1);
  await hold();
  await sql`update sites set moved_at = now() where id = ${publisher.siteId}`.execute(app.db);
  expect(await countQuarantinedSites(app.db)).toBe(sites - 1);
});

test("a second hold holds a site whose pause a program lifted that knows of no holds", async () => {
  await hold();
  await changeSites(app, { id: publisher.siteId }, { isPaused: false });
  expect(await isHeld()).toBe(false);
  await hold();
  expect(await isHeld()).toBe(true);
  expect(await release()).toEqual({ paused: false });
});

test("a release that stops open runs sends nothing of them", async () => {
  await subscribe(app, publisher.siteId, createSubscriptions(3));
  const run = await startPlanned(app, publisher);
  await hold();
  await expect(release()).rejects.toThrow(/has an open run \(quarantine list\): say --runs continue or --runs stop\.$/);
  expect(await release("stop")).toEqual({ paused: false });
  expect(await view(app, publisher, run)).toMatchObject({ status: "stopping" });
});
