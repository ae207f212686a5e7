import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createSite, removeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSites } from "../fixtures/rows/sites.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
});

const addedAtOnce = 5;
const allow = (limits: { siteLimit?: number; topicLimit?: number }) => changeTenant(app, publisher.actor, limits);
const topic = (name: string) => addTopic(app, publisher.actor, { siteId: publisher.siteId, name });
const retire = (topicId: string) =>
  changeTopic(app, publisher.actor, { siteId: publisher.siteId, topicId, body: { retired: true } });
const site = (no: number) =>
  app.db
    .transaction()
    .execute((tx) => createSite(app, publisher.actor, tx, { name: `Site ${no}`, url: `https://site-${no}.example` }));

/** Adds several records at once. Returns how many were created, and the codes of the refusals. */
async function addAtOnce(add: (no: number) => Promise<unknown>) {
  const results = await Promise.allSettled(Array.from({ length: addedAtOnce }, (_, no) => add(no)));
  const codes = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
  return { added: addedAtOnce - codes.length, codes: [...new Set(codes)] };
}

test("of topics added at once, a site gets as many as its limit", async () => {
  await allow({ topicLimit: 2 });
  expect(await addAtOnce((no) => topic(`Topic ${no}`))).toEqual({ added: 2, codes: ["topic_limit"] });
});

test("a retired topic frees its place, until there are ten times as many as the limit", async () => {
  await allow({ topicLimit: 1 });
  for (let no = 0; no < 10; no++) await retire((await topic(`Topic ${no}`)).topicId);
  await expect(topic("One more")).rejects.toMatchObject({ code: "topic_limit" });
  await topic("Topic 3");
});

test("of sites added at once, a tenant gets as many as its limit", async () => {
  await allow({ siteLimit: 3 });
  expect(await addAtOnce(site)).toEqual({ added: 2, codes: ["site_limit"] });
});

test("a removed site frees its place once it cannot be restored", async () => {
  await allow({ siteLimit: 1 });
  const { actor, siteId } = publisher;
  await removeSite(app, actor, { siteId });
  await changeSites(app, { id: siteId }, { removedAt: ago("6 days") });
  await expect(site(1)).rejects.toMatchObject({ code: "site_limit" });
  await changeSites(app, { id: siteId }, { removedAt: ago("8 days") });
  await site(1);
});

test.each([0, 10_001, 1.5, Number.NaN])("a limit of %s is refused", async (limit) => {
  await expect(allow({ topicLimit: limit })).rejects.toMatchObject({ code: "validation_failed" });
  await expect(allow({ siteLimit: limit })).rejects.toMatchObject({ code: "validation_failed" });
});
