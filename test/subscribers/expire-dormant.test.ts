import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { expireDormant } from "../../src/subscribers/expire-dormant.ts";
import { changeSite, removeSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, operatorOf, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers, deleteSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { subscriberIds } from "../runs/fixture.ts";

let app: App;
let first: Publisher;
let second: Publisher;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  await deleteSubscribers(app, {});
  await changeSites(app, {}, { dormantMonths: null });
  first = await createPublisher(app);
  second = await createPublisher(app);
});

/** Sets the last confirmation of the first `count` subscribers to `months` and an hour ago. */
async function confirm(siteId: string, months: number, count?: number): Promise<void> {
  const id = (await subscriberIds(app, siteId)).slice(0, count);
  await changeSubscribers(app, { id }, { confirmedAt: ago(`${months} months 1 hour`) });
}

async function countOf(siteId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from subscribers where site_id = ${siteId}`.execute(
    app.db,
  );
  return rows[0]!.n;
}

const sweep = async () => (await runMaintenance(app.db, [expireDormant]))[expireDormant.name];

test("subscribers that were not confirmed for 12 months expire, and no others", async () => {
  await subscribe(app, first.siteId, createSubscriptions(5));
  await subscribe(app, second.siteId, createSubscriptions(4));
  await confirm(first.siteId, 11);
  await confirm(first.siteId, 12, 2);
  await confirm(second.siteId, 12, 3);
  expect(await sweep()).toBe(5);
  expect([await countOf(first.siteId), await countOf(second.siteId)]).toEqual([3, 1]);
  expect(await sweep()).toBe(0);
});

test("each site has its own limit, and a site without a limit keeps all subscribers", async () => {
  await changeSite(app, operatorOf(first.tenantId), { siteId: first.siteId, dormantMonths: 3 });
  await changeSite(app, operatorOf(second.tenantId), { siteId: second.siteId, dormantMonths: null });
  await subscribe(app, first.siteId, createSubscriptions(2));
  await subscribe(app, second.siteId, createSubscriptions(2));
  await confirm(first.siteId, 3, 1);
  await confirm(second.siteId, 200);
  expect(await sweep()).toBe(1);
  expect([await countOf(first.siteId), await countOf(second.siteId)]).toEqual([1, 2]);
});

test("all subscribers of a removed site expire after seven days, whatever its limit", async () => {
  await changeSite(app, operatorOf(first.tenantId), { siteId: first.siteId, dormantMonths: null });
  for (const { siteId } of [first, second]) await subscribe(app, siteId, createSubscriptions(2));
  await removeSite(app, operatorOf(first.tenantId), { siteId: first.siteId });
  await changeSites(app, { id: first.siteId }, { removedAt: ago("6 days") });
  expect(await sweep()).toBe(0);
  await changeSites(app, { id: first.siteId }, { removedAt: ago("8 days") });
  expect(await sweep()).toBe(2);
  expect([await countOf(first.siteId), await countOf(second.siteId)]).toEqual([0, 2]);
});

test("an audience of several pages is swept once, also by processes at the same time", async () => {
  await subscribe(app, first.siteId, createSubscriptions(1));
  await insertSubscribers(app, first.siteId, 10_999);
  await confirm(first.siteId, 12);
  const removed = await Promise.all([sweep(), sweep(), sweep()]);
  expect(removed.reduce((total, n) => total! + n!, 0)).toBeGreaterThan(0);
  await sweep();
  expect(await countOf(first.siteId)).toBe(0);
});
