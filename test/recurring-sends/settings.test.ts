import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { newId } from "../../src/ids.ts";
import { addRecurringSend, changeRecurringSend } from "../../src/recurring-sends/change-recurring-sends.ts";
import { readRecurringSends } from "../../src/recurring-sends/read-recurring-sends.ts";
import { maxRecurringSends } from "../../src/recurring-sends/recurring-send.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { type FeedFixture, openFeedFixture } from "../feeds/fixture.ts";
import { type Api, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { addDaily, everyDay, occur } from "./fixture.ts";

let fixture: FeedFixture;
let api: Api;
let publisher: Publisher;
let feedId: string;

beforeAll(async () => {
  fixture = await openFeedFixture({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(fixture.app);
});

beforeEach(async () => {
  publisher = await createPublisher(fixture.app);
  const url = "https://news.example/rss.xml";
  ({ feedId } = await addFeed(fixture.app, publisher.actor, { siteId: publisher.siteId, url }));
});

const pathOf = ({ tenantId, siteId }: Publisher) =>
  `/dashboard/api/tenants/${tenantId}/sites/${siteId}/recurring-sends`;
const input = (change: object = {}) => ({ days: everyDay, time: "07:00", feedId, ...change });

async function as(role: "viewer" | "editor" | "owner", of = publisher) {
  const cookie = await signInAs(fixture.app, api, of.tenantId, role);
  return (method: string, path: string, body?: unknown) => api.call(method, path, { headers: { cookie }, body });
}

test("an editor adds, changes, switches off and removes one; a viewer reads; all is logged", async () => {
  const editor = await as("editor");
  const path = pathOf(publisher);
  const added = await editor("POST", path, input({ days: [5, 1, 1] }));
  expect(added).toMatchObject({
    status: 201,
    body: { days: [1, 5], time: "07:00", enabled: true, feedId, topicId: null },
  });
  const { recurringSendId: id, nextAt } = added.body;
  expect(Date.parse(nextAt)).toBeGreaterThan(Date.now());
  expect(await editor("PATCH", `${path}/${id}`, { time: "18:30" })).toMatchObject({
    status: 200,
    body: { time: "18:30", days: [1, 5] },
  });
  expect((await editor("PATCH", `${path}/${id}`, { enabled: false })).body).toMatchObject({
    enabled: false,
    nextAt: null,
  });
  const viewer = await as("viewer");
  expect((await viewer("GET", path)).body.data).toMatchObject([
    { recurringSendId: id, sourceName: expect.any(String) },
  ]);
  expect((await viewer("POST", path, input())).status).toBe(403);
  expect((await viewer("PATCH", `${path}/${id}`, { enabled: true })).status).toBe(403);
  expect((await viewer("DELETE", `${path}/${id}`)).status).toBe(403);
  expect((await editor("DELETE", `${path}/${id}`)).status).toBe(204);
  expect((await viewer("GET", path)).body).toMatchObject({ data: [], occurrences: [] });
  const events = await sql<{ event: string }>`select event from audit_events
    where subject_id = ${id} order by id`.execute(fixture.app.db);
  expect(events.rows.map(({ event }) => event)).toEqual([
    ...["recurring_send.added", "recurring_send.changed", "recurring_send.changed", "recurring_send.removed"],
  ]);
});

test("a change to a topic takes the place of the feed, and no other field moves", async () => {
  const { app } = fixture;
  const { actor, siteId } = publisher;
  const { topicId } = await addTopic(app, actor, { siteId, name: "Sport" });
  const recurringSendId = await addDaily(app, publisher, { feedId });
  const changed = await changeRecurringSend(app, actor, { siteId, recurringSendId, body: { topicId } });
  expect(changed).toMatchObject({ feedId: null, topicId, sourceName: "Sport", isSourceOff: false, time: "07:00" });
  await changeTopic(app, actor, { siteId, topicId, body: { retired: true } });
  expect((await readRecurringSends(app, actor, { siteId, query: {} })).data).toMatchObject([{ isSourceOff: true }]);
});

test("all faults of a body come at once, with those of its source", async () => {
  const editor = await as("editor");
  const other = await createPublisher(fixture.app);
  const { topicId } = await addTopic(fixture.app, other.actor, { siteId: other.siteId, name: "Foreign" });
  const refused = await editor("POST", pathOf(publisher), { days: [0, 8], time: "7:00", topicId, tone: "loud" });
  expect(refused.status).toBe(400);
  expect(refused.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    ...["/days/0", "/days/1", "/time", "/tone", "/topicId"],
  ]);
  const both = await editor("POST", pathOf(publisher), input({ topicId: newId(), days: [] }));
  expect(both.body.errors).toMatchObject([{ path: "/days" }, { path: "/topicId" }, { path: "/topicId" }]);
  const none = await editor("POST", pathOf(publisher), { days: [1], time: "07:00" });
  expect(none.body.errors).toMatchObject([{ path: "/feedId", message: "is required" }]);
  for (const body of [null, [], "text"]) expect((await editor("POST", pathOf(publisher), body)).status).toBe(400);
});

test("a month shows what became of its days, and what is to come", async () => {
  const { app } = fixture;
  const { actor, siteId } = publisher;
  const id = await addDaily(app, publisher, { feedId });
  await occur(app, id, "2099-03-03");
  const { occurrences, month } = await readRecurringSends(app, actor, { siteId, query: { month: "2099-03" } });
  expect(month).toBe("2099-03");
  expect(occurrences.map(({ day, outcome }) => [day, outcome]).slice(0, 2)).toEqual([
    ["2099-03-03", "nothing_new"],
    ["2099-03-04", null],
  ]);
  expect(occurrences).toHaveLength(29);
  expect((await readRecurringSends(app, actor, { siteId, query: { month: "2099-02" } })).occurrences).toEqual([]);
  const query = { month: "2099-13" };
  await expect(readRecurringSends(app, actor, { siteId, query })).rejects.toMatchObject({ code: "validation_failed" });
});

test("a day that has had its occurrence gets no second one by a later time", async () => {
  const { app } = fixture;
  const { actor, siteId } = publisher;
  const id = await addDaily(app, publisher, { feedId });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await occur(app, id, tomorrow);
  const changed = await changeRecurringSend(app, actor, { siteId, recurringSendId: id, body: { time: "23:59" } });
  expect(changed.nextAt!.slice(0, 10) > tomorrow).toBe(true);
});

test("a site has at most so many, also if they are added at the same time", async () => {
  const { app } = fixture;
  for (let n = 1; n < maxRecurringSends; n += 1) await addDaily(app, publisher, { feedId });
  const two = await Promise.allSettled([addDaily(app, publisher, { feedId }), addDaily(app, publisher, { feedId })]);
  expect(two.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const { actor, siteId } = publisher;
  await expect(addRecurringSend(app, actor, { siteId, body: input() })).rejects.toMatchObject({
    code: "recurring_send_limit",
  });
});

test("a tenant sees, changes and removes nothing of another, nor takes its feed", async () => {
  const { app } = fixture;
  const id = await addDaily(app, publisher, { feedId });
  const other = await createPublisher(app);
  const stranger = await as("owner", other);
  expect((await stranger("GET", pathOf(publisher))).status).toBe(403);
  const crossed = `${pathOf(other)}/${id}`;
  for (const [method, body] of [
    ["PATCH", { time: "08:00" }],
    ["DELETE", undefined],
  ] as const) {
    expect((await stranger(method, `${pathOf(publisher)}/${id}`, body)).status).toBe(403);
    expect((await stranger(method, crossed, body)).status).toBe(404);
  }
  expect((await stranger("POST", pathOf(other), input())).body.errors).toMatchObject([{ path: "/feedId" }]);
  const { data } = await readRecurringSends(app, publisher.actor, { siteId: publisher.siteId, query: {} });
  expect(data).toMatchObject([{ recurringSendId: id, time: "07:00" }]);
});
