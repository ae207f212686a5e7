import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { signInAs } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let neighbour: Publisher;
let other: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  [neighbour, other] = [await createPublisher(app), await createPublisher(app)];
  await subscribe(app, neighbour.siteId, createSubscriptions(3));
});

/** Returns a function that reads a page of the dashboard as a viewer of the publisher. */
async function readerOf({ tenantId, siteId }: Publisher) {
  const cookie = await signInAs(app, api, tenantId, "viewer");
  const site = `/dashboard/api/tenants/${tenantId}/sites/${siteId}`;
  return (path: string) => api.call("GET", `${site}${path}`, { headers: { cookie } });
}

test.each(["/subscribers", "/audience"])(
  "forty reads of %s at once keep no other tenant waiting, and are all answered",
  async (path) => {
    const [read, readOther] = [await readerOf(neighbour), await readerOf(other)];
    const reads = await holdOpen(app, async (tx) => {
      // The reads take as long as the test holds this lock.
      await sql`lock table subscriber_topics, subscribers in access exclusive mode`.execute(tx);
      const forty = Array.from({ length: 40 }, () => read(path));
      await eventually(async () => (await countLockWaits(app.db)) >= 1);
      expect(await readOther("/welcome")).toMatchObject({ status: 200 });
      expect(await countLockWaits(app.db)).toBeLessThanOrEqual(3);
      return forty;
    });
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(40).fill(200));
  },
);
