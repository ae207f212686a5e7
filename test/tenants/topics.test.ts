import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { topicIdsOfSite } from "../../src/subscribers/queries.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";

let app: App;
let publisher: Publisher;
let topicId: string;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
  topicId = (await add("Sport")).topicId;
});

const add = (name: string) => addTopic(app, publisher.actor, { siteId: publisher.siteId, name });
const change = (what: { name?: string; retired?: true }, id = topicId, of = publisher) =>
  changeTopic(app, of.actor, { siteId: publisher.siteId, topicId: id, body: what });

test("a topic is renamed, and another can take its old name", async () => {
  await change({ name: "  Football " });
  expect((await add("Sport")).topicId).not.toBe(topicId);
  await expect(add("Football")).rejects.toMatchObject({ code: "validation_failed" });
});

test("a name that is empty, too long, or another topic's is refused", async () => {
  await add("Weather");
  for (const name of [" ", "x".repeat(81), "Weather"]) {
    await expect(change({ name })).rejects.toMatchObject({ code: "validation_failed" });
  }
  await change({ name: "Sport" });
});

test("a retired topic cannot be chosen, and comes back with its id when its name is added again", async () => {
  await change({ retired: true });
  expect(await topicIdsOfSite(app.db, publisher.siteId)).toEqual(new Set());
  await expect(change({ name: "Football" })).rejects.toMatchObject({ code: "not_found" });
  expect(await add("Sport")).toEqual({ topicId });
  expect(await topicIdsOfSite(app.db, publisher.siteId)).toEqual(new Set([topicId]));
});

test("another tenant learns neither of the topic nor whether a name is taken", async () => {
  const other = await createPublisher(app);
  await add("Weather");
  for (const name of ["Weather", "Free"]) {
    await expect(change({ name }, topicId, other)).rejects.toMatchObject({ code: "not_found" });
  }
  await expect(change({ name: "Free" }, newId())).rejects.toMatchObject({ code: "not_found" });
  await expect(change({ name: "Free" }, "no-id")).rejects.toMatchObject({ code: "not_found" });
});

test("of a rename and an addition of one name at once, one is refused", async () => {
  const results = await Promise.allSettled([change({ name: "Weather" }), add("Weather")]);
  const refused = results.filter((result) => result.status === "rejected");
  expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(["validation_failed"]);
});
