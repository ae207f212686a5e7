import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { deleteRegistered } from "../../src/subscribers/delete-registered.ts";
import { expireDormant } from "../../src/subscribers/expire-dormant.ts";
import { deleteGoneSubscribers } from "../../src/subscribers/gone-queries.ts";
import type { LeftReason } from "../../src/subscribers/left-days.ts";
import { deleteRefused } from "../../src/subscribers/refused.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  operatorOf,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";

/** Tests that each end of a subscriber is counted once, on the site's day, in the statement that deletes it. */
let app: App;
let publisher: Publisher;
let reader: ReaderClient;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  reader = createReaderClient(await serve(app), publisher.siteId);
});

const left = async () =>
  Object.fromEntries(
    (
      await rows(
        sql<{ reason: LeftReason; n: number }>`select reason, sum(n)::int as n from subscribers_left
          where site_id = ${publisher.siteId} group by reason`,
        app.db,
      )
    ).map(({ reason, n }) => [reason, n]),
  );

/** Returns the number of subscribers by the counts, and the real number. */
const balance = () =>
  row(
    sql<{ counted: number; there: number; leftView: number }>`select
        ((select coalesce(sum(n), 0) from subscribers_joined where site_id = ${publisher.siteId})
          - (select coalesce(sum(n), 0) from subscribers_left where site_id = ${publisher.siteId}))::int as counted,
        (select count(*)::int from subscribers where site_id = ${publisher.siteId} and not is_test) as there,
        (select coalesce(sum(n), 0)::int from readers_left where site_id = ${publisher.siteId}) as "leftView"`,
    app.db,
  );

const proof = ({ endpoint, keys }: BrowserSubscription) => ({ endpoint, auth: keys.auth });

const idOf = async ({ endpoint }: BrowserSubscription): Promise<number> =>
  (await row(sql<{ id: number }>`select id from subscribers where endpoint = ${endpoint}`, app.db))!.id;

test("who unsubscribes on a page, has their data deleted, expires or is gone has left", async () => {
  const [page, erased, dormant, gone] = createSubscriptions(4) as [
    BrowserSubscription,
    BrowserSubscription,
    BrowserSubscription,
    BrowserSubscription,
  ];
  await subscribe(app, publisher.siteId, [page, erased, dormant, gone]);
  await reader.unsubscribe(page);
  await reader.unsubscribe(page);
  await reader.post("erasure", proof(erased));
  await changeSite(app, operatorOf(publisher.tenantId), { siteId: publisher.siteId, dormantMonths: 3 });
  await changeSubscribers(app, { endpoint: dormant.endpoint }, { confirmedAt: ago("4 months") });
  await runMaintenance(app.db, [expireDormant]);
  await deleteGoneSubscribers(app.db, publisher.siteId, [{ id: await idOf(gone), endpoint: gone.endpoint }]);
  expect(await left()).toEqual({ unsubscribed: 2, expired: 1, gone: 1 });
  expect(await balance()).toEqual({ counted: 0, there: 0, leftView: 4 });
});

test("whom an owner deletes, a merged browser and a new test device have not left", async () => {
  const [refused, stranger, first, second, device] = createSubscriptions(5) as [
    BrowserSubscription,
    BrowserSubscription,
    BrowserSubscription,
    BrowserSubscription,
    BrowserSubscription,
  ];
  await subscribe(app, publisher.siteId, [refused]);
  await changeSubscribers(app, { endpoint: refused.endpoint }, { refusedRuns: 3 });
  await deleteRefused(app, publisher.actor, { siteId: publisher.siteId });
  await reader.subscribe(stranger);
  const body = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
  await deleteRegistered(app, publisher.actor, { siteId: publisher.siteId, body });
  await reader.subscribe(first);
  await reader.subscribe(second);
  await reader.subscribe(second, { replaces: proof(first) });
  await reader.subscribe(device);
  const { link } = await createTestLink(app, publisher.actor, { siteId: publisher.siteId, label: "Desk" });
  await reader.subscribe(device, { testToken: new URL(link).hash.replace("#pressbell-test=", "") });
  expect(await left()).toMatchObject({ unsubscribed: 2, expired: 1, gone: 1, deleted: 4 });
  expect(await balance()).toEqual({ counted: 1, there: 1, leftView: 4 });
});
