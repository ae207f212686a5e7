import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeSite, createSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";

let app: App;
let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
});

const list = (query = "", { tenantId } = publisher) =>
  api.call("GET", `/v1/tenants/${tenantId}/sites${query}`, { key: publisher.apiKey });

test("lists a tenant's sites with the topics that readers can choose, without secrets", async () => {
  const { siteId } = publisher;
  const { topicId: sport } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
  const { topicId: politics } = await addTopic(app, publisher.actor, { siteId, name: "Politics" });
  const { topicId: retired } = await addTopic(app, publisher.actor, { siteId, name: "Chess" });
  await sql`update topics set retired_at = now() where id = ${retired}`.execute(app.db);
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      {
        siteId,
        tenantId: publisher.tenantId,
        name: "Site",
        url: "https://news.example",
        timeZone: "UTC",
        paused: false,
        vapidPublicKey: publisher.vapidPublicKey,
        topics: [
          { topicId: politics, name: "Politics" },
          { topicId: sport, name: "Sport" },
        ],
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ],
    nextCursor: null,
  });
});

test("shows a paused site as paused, and pages through the sites, oldest first", async () => {
  const { actor, siteId } = publisher;
  const { siteId: second } = await createSite(app, actor, app.db, { name: "Second", url: "https://two.example" });
  await changeSite(app, actor, { siteId: second, paused: true });
  const first = await list("?limit=1");
  expect(first.body).toMatchObject({ data: [{ siteId }], nextCursor: siteId });
  const next = await list(`?limit=1&cursor=${first.body.nextCursor}`);
  expect(next.body).toMatchObject({ data: [{ siteId: second, paused: true, topics: [] }], nextCursor: null });
});

test("an invalid limit, cursor or parameter answers 400", async () => {
  for (const query of ["?limit=0", "?limit=101", "?cursor=x", "?page=2"]) expect((await list(query)).status).toBe(400);
});

test("another tenant's sites answer 403, as do those of a tenant that does not exist", async () => {
  const stranger = await createPublisher(app);
  const [ofStranger, ofUnknown] = [
    await list("", stranger),
    await list("", { ...stranger, tenantId: crypto.randomUUID() }),
  ];
  expect(ofStranger).toMatchObject({ status: 403, body: { code: "tenant_mismatch" } });
  expect(ofUnknown.body.message).toBe(ofStranger.body.message);
});
