import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { readSubscribers } from "../../src/dashboard-api/audience.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";

/** Tests what the service knows about readers whom it takes over from another push service. */
let app: App;
let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
});

const change = (migrateSubscriptions: { workers: string[]; formerReaders: number | null } | null) =>
  changeSite(app, publisher.actor, { siteId: publisher.siteId, migrateSubscriptions });
const migrateNow = async () => (await readSubscribers(app, publisher.actor, publisher)).migrateSubscriptions;
const configOf = async () =>
  (await api.call("GET", `/sdk/sites/${publisher.siteId}/config?tenant=${publisher.tenantId}`)).body;

test("readers are counted once when they were migrated, and only while the site wants it", async () => {
  const client = createReaderClient(api, publisher.siteId);
  const [first, second, third] = createSubscriptions(3);
  await client.subscribe(first!, { migrated: true });
  expect(await migrateNow()).toBeNull();
  await change({ workers: [], formerReaders: 1_000 });
  expect(await migrateNow()).toEqual({ readers: 0, lastWeek: 0, former: 1_000 });
  await client.subscribe(second!, { migrated: true });
  await client.subscribe(second!, { migrated: true });
  await client.subscribe(third!);
  expect(await migrateNow()).toEqual({ readers: 1, lastWeek: 1, former: 1_000 });
});

test("pages learn which workers are retired, and nothing while the site does not want it", async () => {
  await change({ workers: ["/push/worker.js"], formerReaders: null });
  expect((await configOf()).formerWorkers).toEqual(
    expect.arrayContaining(["/OneSignalSDKWorker.js", "/push/worker.js"]),
  );
  await change(null);
  expect((await configOf()).formerWorkers).toBeNull();
});

test("a worker that is no path, or of another site, is refused", async () => {
  for (const worker of ["worker.js", "https://elsewhere.example/worker.js", "/a b.js"]) {
    await expect(change({ workers: [worker], formerReaders: null })).rejects.toMatchObject({
      code: "validation_failed",
    });
  }
});
