import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { deleteRegistered, markOutliers } from "../../src/subscribers/delete-registered.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { changeSubscribers, giveTopic, insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { subscriberIds } from "../runs/fixture.ts";

const app = await openTestApp();
const api = await serve(app);
let publisher: Publisher;
let siteId: string;

beforeEach(async () => {
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
});

/** Registers subscribers at a moment. Every second one has accepted a message. Returns their ids. */
function registerAt(moment: string, count: number): Promise<number[]> {
  return insertSubscribers(app, siteId, count, { isRegistered: true, isAccepted: "every second", createdAt: moment });
}

const window = { from: "2026-05-01T10:00:00Z", to: "2026-05-01T13:00:00+02:00" };
const remove = (more: object = {}) => deleteRegistered(app, publisher.actor, { siteId, body: { ...window, ...more } });
const events = async () =>
  (
    await sql<{ details: unknown }>`select details from audit_events
      where site_id = ${siteId} and event = 'subscribers.deleted' order by id`.execute(app.db)
  ).rows.map(({ details }) => details);

test("deletes those registered from a window's beginning to before its end, with an event", async () => {
  const before = await registerAt("2026-05-01T09:59:59.999Z", 1);
  await registerAt("2026-05-01T10:00:00Z", 1);
  await registerAt("2026-05-01T10:59:59.999Z", 2);
  const after = await registerAt("2026-05-01T11:00:00Z", 1);
  expect(await remove({ dryRun: true })).toEqual({ subscribers: 3, hasMore: false });
  expect(await events()).toEqual([]);
  expect(await remove()).toEqual({ subscribers: 3, hasMore: false });
  expect(await subscriberIds(app, siteId)).toEqual([...before, ...after]);
  const [from, to] = ["2026-05-01T10:00:00.000Z", "2026-05-01T11:00:00.000Z"];
  expect(await events()).toEqual([{ subscribers: 3, from, to, neverAccepted: false }]);
  expect(await remove()).toEqual({ subscribers: 0, hasMore: false });
  expect(await events()).toHaveLength(1);
});

test("with `neverAccepted` keeps those to whom a message was accepted", async () => {
  const ids = await registerAt("2026-05-01T10:30:00Z", 6);
  expect(await remove({ neverAccepted: true, dryRun: true })).toMatchObject({ subscribers: 3 });
  expect(await remove({ neverAccepted: true })).toMatchObject({ subscribers: 3 });
  expect(await subscriberIds(app, siteId)).toEqual(ids.filter((_, i) => i % 2 === 1));
});

test("keeps imported subscribers, test devices, and those of other sites", async () => {
  const other = await createPublisher(app);
  await subscribe(app, siteId, createSubscriptions(2));
  await subscribe(app, siteId, createSubscriptions(1), "Phone");
  const registered = await registerAt("2026-05-01T10:30:00Z", 2);
  await changeSubscribers(app, { id: registered[0]! }, { isTest: true });
  await changeSubscribers(app, { siteId }, { createdAt: "2026-05-01T10:30:00Z" });
  await changeSubscribers(app, { id: registered[1]! }, { siteId: other.siteId });
  expect(await remove()).toMatchObject({ subscribers: 0 });
  expect(await subscriberIds(app, siteId)).toHaveLength(4);
});

test("more than 10,000 take several calls, and their topics go with them", async () => {
  const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
  await registerAt("2026-05-01T10:30:00Z", 10_001);
  await giveTopic(app, siteId, topicId);
  expect(await remove()).toEqual({ subscribers: 10_000, hasMore: true });
  expect(await remove()).toEqual({ subscribers: 1, hasMore: false });
  const { rows } = await sql`select 1 from subscriber_topics where topic_id = ${topicId}`.execute(app.db);
  expect(rows).toEqual([]);
});

test("a window without offsets, reversed or incomplete is refused by field", async () => {
  const fault = (body: unknown) =>
    deleteRegistered(app, publisher.actor, { siteId, body }).catch(({ details }) =>
      details.errors.map(({ path }: { path: string }) => path),
    );
  expect(await fault({ from: "2026-05-01T10:00:00", to: "yesterday" })).toEqual(["/from", "/to"]);
  expect(await fault({ from: window.to, to: window.from })).toEqual(["/to"]);
  expect(await fault({ from: window.from })).toEqual(["/to"]);
  expect(await fault({ ...window, all: true })).toEqual(["/all"]);
});

test("an owner sees the hours with an outlier and deletes them; an editor may not", async () => {
  await createReaderClient(api, siteId).subscribe(createSubscriptions(1)[0]!);
  await registerAt(new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 5 * 3_600_000 + 60_000).toISOString(), 60);
  await registerAt(new Date(Date.now() - 8 * 86_400_000).toISOString(), 5);
  const site = `/dashboard/api/tenants/${publisher.tenantId}/sites/${siteId}`;
  const call = (cookie: string, method: string, path: string, body?: unknown) =>
    api.call(method, `${site}/registrations${path}`, { headers: { cookie }, body });
  const owner = await signIn(api, ownerEmail(publisher.tenantId));
  const { hours } = (await call(owner, "GET", "")).body;
  expect(hours).toMatchObject([
    { registered: 60, neverAccepted: 30, isOutlier: true },
    { registered: 1, neverAccepted: 1, isOutlier: false },
  ]);
  const from = hours[0].at;
  const to = new Date(Date.parse(from) + 3_600_000).toISOString();
  const editor = await signInAs(app, api, publisher.tenantId, "editor");
  expect((await call(editor, "GET", "")).status).toBe(403);
  expect((await call(editor, "POST", "/delete", { from, to })).status).toBe(403);
  expect(await call(owner, "POST", "/delete", { from, to })).toMatchObject({ status: 200, body: { subscribers: 60 } });
  expect((await call(owner, "GET", "")).body.hours).toHaveLength(1);
});

test("an hour is an outlier from ten times the median of the week, and from 50", () => {
  const hours = (counts: number[]) =>
    counts.map((registered, n) => ({ at: new Date(n * 3_600_000), registered, neverAccepted: 0 }));
  const outliers = (counts: number[]) =>
    markOutliers(hours(counts)).flatMap(({ isOutlier, registered }) => (isOutlier ? [registered] : []));
  expect(outliers([49, 50, 51])).toEqual([50, 51]);
  expect(outliers([...Array(167).fill(20), 200])).toEqual([200]);
  expect(outliers([...Array(167).fill(20), 199])).toEqual([]);
});
