import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { removeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { subscriberIds } from "../runs/fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let client: ReaderClient;
let readers: BrowserSubscription[];

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  client = createReaderClient(api, publisher.siteId);
  readers = createSubscriptions(3);
  await subscribe(app, publisher.siteId, readers);
  await removeSite(app, publisher.actor, { siteId: publisher.siteId });
});

const ask = (path: string, { endpoint, keys }: BrowserSubscription, more: object = {}) =>
  client.post(path, { endpoint, auth: keys.auth, ...more });

test("readers of a removed site read what is stored of them, leave, and have it deleted", async () => {
  const [one, two, three] = readers as [BrowserSubscription, BrowserSubscription, BrowserSubscription];
  expect(await ask("data", one)).toMatchObject({ status: 200, body: { subscription: { endpoint: one.endpoint } } });
  expect(await ask("preferences", one)).toMatchObject({ status: 200, body: { preferences: { maxADay: null } } });
  expect((await ask("erasure", one)).status).toBe(204);
  expect((await client.unsubscribe(two)).status).toBe(204);
  expect(await subscriberIds(app, publisher.siteId)).toHaveLength(1);
  expect((await ask("data", three, { auth: one.keys.auth })).status).toBe(404);
});

test("a removed site takes no new reader, tells no settings, and answers its own pages only", async () => {
  expect((await client.subscribe(createSubscriptions(1)[0]!)).status).toBe(404);
  expect((await api.call("GET", `/sdk/sites/${publisher.siteId}/config?tenant=${publisher.tenantId}`)).status).toBe(
    404,
  );
  const elsewhere = createReaderClient(api, publisher.siteId, "https://evil.example");
  const { endpoint, keys } = readers[2]!;
  expect((await elsewhere.post("erasure", { endpoint, auth: keys.auth })).status).toBe(403);
});
