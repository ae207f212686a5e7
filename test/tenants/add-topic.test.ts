import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
});

const topics = () => rows(sql<{ name: string }>`select name from topics where site_id = ${publisher.siteId}`, app.db);

test("a topic is added to a site of the actor's tenant, its name trimmed", async () => {
  await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: " Sport " });
  expect(await topics()).toEqual([{ name: "Sport" }]);
});

test("a topic of another tenant's site is refused as if the site did not exist", async () => {
  const stranger = await createPublisher(app);
  const { siteId } = publisher;
  const before = await topics();
  const refusal = { code: "not_found", message: `There is no site ${siteId}.` };
  await expect(addTopic(app, stranger.actor, { siteId, name: "Chess" })).rejects.toMatchObject(refusal);
  expect(await topics()).toEqual(before);
});

test.each(["", " ", "x".repeat(81), "Sport"])("a topic named %j is refused with its field", async (name) => {
  await expect(addTopic(app, publisher.actor, { siteId: publisher.siteId, name })).rejects.toMatchObject({
    code: "validation_failed",
    details: { errors: [{ path: "/name" }] },
  });
});
