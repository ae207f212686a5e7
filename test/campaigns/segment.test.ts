import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { row, rows } from "../../src/db/pool.ts";
import { readSiteFacts } from "../../src/decision/queries.ts";
import { changePreferences } from "../../src/readers/preferences.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { freezeSegment } from "../../src/subscribers/segments/queries.ts";
import type { SegmentRule } from "../../src/subscribers/segments/segment.ts";
import { addSegment, changeSegment } from "../../src/subscribers/segments/segments.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type BrowserSubscription, createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { planAll, recipientsOf } from "../runs/fixture.ts";
import {
  type CampaignFixture,
  campaignFixtureOf,
  endRuns,
  inSeconds,
  makeDue,
  openCampaignFixture,
} from "./fixture.ts";

/** Tests sends to segments. No worker runs, so the plan shows who would be notified. */
let shared: CampaignFixture;
let fixture: CampaignFixture;
let readers: BrowserSubscription[];

beforeAll(async () => {
  shared = await openCampaignFixture();
});

/** Creates four readers, who were here today and 9, 19 and 29 days ago. */
beforeEach(async () => {
  fixture = campaignFixtureOf(shared.app, shared.api, await createPublisher(shared.app));
  readers = await addReaders(4);
});

/** Adds readers. Each was here ten days before the next. */
async function addReaders(count: number, topics: string[] = []): Promise<BrowserSubscription[]> {
  const { siteId } = fixture.publisher;
  const added = createSubscriptions(count).map((reader) => ({ ...reader, topics }));
  for (const [place, reader] of added.entries()) {
    await subscribe(fixture.app, siteId, [reader]);
    await changeSubscribers(
      fixture.app,
      { siteId, endpoint: reader.endpoint },
      { createdAt: ago("100 days"), seenDaysAgo: place === 0 ? 0 : place * 10 - 1 },
    );
  }
  return added;
}

async function add(rule: SegmentRule, name = "Regulars"): Promise<string> {
  const { actor, siteId } = fixture.publisher;
  return (await addSegment(fixture.app, actor, { siteId, body: { name, rule } })).segmentId;
}

const change = (segmentId: string, body: unknown) =>
  changeSegment(fixture.app, fixture.publisher.actor, { siteId: fixture.publisher.siteId, segmentId, body });
const patch = (campaignId: string, body: unknown) =>
  fixture.api.call("PATCH", `/v1/campaigns/${campaignId}`, { key: fixture.publisher.apiKey, body });

/** Sends a campaign and plans its run. Returns the run with the places of its readers. */
async function send(campaignId: string) {
  const { body } = await fixture.post(campaignId, "send");
  const run = { siteId: fixture.publisher.siteId, runId: body.runId as string };
  return { ...run, audience: body.audience as number, reached: await reachedBy(run) };
}

async function reachedBy(run: { siteId: string; runId: string }): Promise<number[]> {
  await planAll(fixture.app);
  const ids = (await recipientsOf(fixture.app, run)).flat();
  const found = await rows(
    sql<{ endpoint: string }>`select endpoint from subscribers
      where site_id = ${run.siteId} and id = any(${ids}::bigint[])`,
    fixture.app.db,
  );
  return found.map(({ endpoint }) => readers.findIndex((reader) => reader.endpoint === endpoint)).toSorted();
}

async function end({ runId }: { runId: string }): Promise<void> {
  await fixture.api.call("POST", `/v1/runs/${runId}/stop`, { key: fixture.publisher.apiKey });
  await endRuns(fixture.app);
}

test("a campaign goes to the readers of its segment, and to no one else", async () => {
  const segment = await add({ seenWithinDays: 15 });
  const created = await fixture.create({ segment: segment.toUpperCase() });
  expect(created).toMatchObject({ status: 201, body: { segment, topicIds: [] } });
  expect(await fixture.read(created.body.campaignId)).toMatchObject({ segment });
  expect(await send(created.body.campaignId)).toMatchObject({ audience: 2, reached: [0, 1] });
});

test("topics and segment are combined: readers have one of the topics, and are in the segment", async () => {
  const { actor, siteId } = fixture.publisher;
  const { topicId } = await addTopic(fixture.app, actor, { siteId, name: "Sport" });
  readers = [...readers, ...(await addReaders(2, [topicId]))];
  const segment = await add({ seenWithinDays: 5 });
  expect(await send(await fixture.draft({ segment, topicIds: [topicId] }))).toMatchObject({
    audience: 1,
    reached: [4],
  });
});

test("a segment that changes after the send, or whose readers do, changes nothing of the run", async () => {
  const segment = await add({ seenWithinDays: 15 });
  const campaignId = await fixture.draft({ segment });
  const { body } = await fixture.post(campaignId, "send");
  await change(segment, { rule: { notSeenForDays: 15 } });
  await change(segment, { retired: true });
  expect(await reachedBy({ siteId: fixture.publisher.siteId, runId: body.runId })).toEqual([0, 1]);
  expect(await fixture.read(campaignId)).toMatchObject({ segment });
});

test("a draft goes to its segment as that is at the send, also to one that is retired", async () => {
  const segment = await add({ seenWithinDays: 15 });
  const campaignId = await fixture.draft({ segment });
  await change(segment, { rule: { notSeenForDays: 15 } });
  await change(segment, { retired: true });
  expect(await send(campaignId)).toMatchObject({ audience: 2, reached: [2, 3] });
});

test("a scheduled campaign goes to its segment when it is due", async () => {
  const segment = await add({ notSeenForDays: 15 });
  const campaignId = await fixture.draft({ segment });
  await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(3_600) });
  await makeDue(fixture.app, campaignId);
  await startDueSends(fixture.app);
  const { runId } = await fixture.read(campaignId);
  expect(await reachedBy({ siteId: fixture.publisher.siteId, runId })).toEqual([2, 3]);
});

test("a segment of a campaign that waits keeps its rule, not its name", async () => {
  const { tenantId } = fixture.publisher;
  const segment = await add({ seenWithinDays: 15 });
  const campaignId = await fixture.draft({ segment });
  const rule = { seenWithinDays: 3_000 };
  const awaited = { code: "segment_awaited" };
  await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(3_600) });
  await expect(change(segment, { rule })).rejects.toMatchObject(awaited);
  await change(segment, { name: "Fans", rule: { seenWithinDays: 15 } });
  await fixture.post(campaignId, "cancel");
  await change(segment, { rule });

  const asked = await fixture.draft({ segment });
  const cookie = await signInAs(fixture.app, fixture.api, tenantId, "editor");
  const request = `/dashboard/api/tenants/${tenantId}/campaigns/${asked}/approval-request`;
  const { status, body } = await fixture.api.call("POST", request, { headers: { cookie }, body: {} });
  expect([status, body.audience]).toEqual([201, 4]);
  await expect(change(segment, { rule: { seenWithinDays: 1 } })).rejects.toMatchObject(awaited);
  await fixture.api.call("POST", `${request}/refuse`, { headers: { cookie }, body: { requestId: body.requestId } });
  await change(segment, { rule: { seenWithinDays: 1 } });
});

test("a segment is given to a draft, changed and taken away; no other field touches it", async () => {
  const segment = await add({ seenWithinDays: 15 });
  const other = await add({ seenWithinDays: 1 }, "Today");
  const campaignId = await fixture.draft();
  expect((await patch(campaignId, { segment })).body).toMatchObject({ segment });
  expect((await patch(campaignId, { title: "Other" })).body).toMatchObject({ segment });
  expect((await patch(campaignId, { segment: other })).body).toMatchObject({ segment: other });
  await change(other, { retired: true });
  expect(await patch(campaignId, { segment: other, title: "Same" })).toMatchObject({ status: 200 });
  expect((await patch(campaignId, { segment: null })).body).toMatchObject({ segment: other });
  expect((await patch(campaignId, { segment: "" })).body).toMatchObject({ segment: null });
  expect((await fixture.create({ segment: "" })).body).toMatchObject({ segment: null });
});

test("a retired segment, and another site's or tenant's, are as unknown as none", async () => {
  const stranger = campaignFixtureOf(shared.app, shared.api, await createPublisher(shared.app));
  const body = { name: "Theirs", rule: { seenWithinDays: 1 } };
  const theirs = await addSegment(shared.app, stranger.publisher.actor, { siteId: stranger.publisher.siteId, body });
  const retired = await add({ seenWithinDays: 1 });
  await change(retired, { retired: true });
  const campaignId = await fixture.draft();
  const fault = { path: "/segment", message: "is no segment of this site" };
  for (const segment of [theirs.segmentId, retired, fixture.publisher.siteId]) {
    expect(await fixture.create({ segment })).toMatchObject({ status: 400, body: { errors: [fault] } });
    expect(await patch(campaignId, { segment })).toMatchObject({ status: 400, body: { errors: [fault] } });
  }
  const { body: all } = await fixture.create({ segment: theirs.segmentId, title: "" });
  expect(all.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(["/segment", "/title"]);
});

describe("a correction of what was for a segment", () => {
  test("goes to the same readers, also after they left the segment, and to no new ones", async () => {
    const segment = await add({ notSeenForDays: 15 });
    const wrong = await fixture.draft({ segment });
    const first = await send(wrong);
    expect(first.reached).toEqual([2, 3]);
    // The notification has brought one of the readers back. Another reader has not been here for 20 days now.
    await changeSubscribers(fixture.app, { endpoint: readers[2]!.endpoint }, { seenDaysAgo: 0 });
    await changeSubscribers(fixture.app, { endpoint: readers[1]!.endpoint }, { seenDaysAgo: 20 });
    await end(first);
    const correction = await fixture.create({ title: "Right", corrects: wrong });
    expect(correction).toMatchObject({ status: 201, body: { segment } });
    const corrected = await send(correction.body.campaignId);
    expect(corrected).toMatchObject({ audience: 2, reached: [2, 3] });
    await end(corrected);
    const again = await send((await fixture.create({ corrects: correction.body.campaignId })).body.campaignId);
    expect(again).toMatchObject({ audience: 2, reached: [2, 3] });
  });

  test("has the same segment, and cannot be written once its readers are forgotten", async () => {
    const segment = await add({ seenWithinDays: 15 });
    const other = await add({ seenWithinDays: 1 }, "Today");
    const wrong = await fixture.draft({ segment });
    const run = await send(wrong);
    await end(run);
    const fault = (path: string) => ({ status: 400, body: { errors: [{ path }] } });
    expect(await fixture.create({ corrects: wrong, segment: other })).toMatchObject(fault("/segment"));
    expect(await fixture.create({ corrects: wrong, segment: "" })).toMatchObject(fault("/segment"));
    const { campaignId } = (await fixture.create({ corrects: wrong, segment })).body;
    expect(await patch(campaignId, { segment: "" })).toMatchObject(fault("/segment"));
    expect(await patch(campaignId, { segment, title: "Right" })).toMatchObject({ status: 200 });
    await changeRuns(fixture.app, { id: run.runId }, { prunedAt: present });
    const { status, body } = await fixture.create({ corrects: wrong });
    expect([status, body.errors]).toMatchObject([
      400,
      [{ path: "/corrects", message: expect.stringContaining("are not stored any more") }],
    ]);
  });
});

describe("the limit of one person", () => {
  let cookie: string;
  let root: string;
  const as = (method: string, path: string, body?: unknown) =>
    fixture.api.call(method, root + path, { headers: { cookie }, body });

  beforeEach(async () => {
    const { tenantId } = fixture.publisher;
    root = `/dashboard/api/tenants/${tenantId}`;
    cookie = await signIn(fixture.api, ownerEmail(tenantId));
    await as("PATCH", "", { confirmAbove: 2 });
    cookie = await signInAs(fixture.app, fixture.api, tenantId, "editor");
  });

  test("counts the proven readers of a segment, and those of segments within an hour together", async () => {
    const seen = await add({ seenWithinDays: 15 }, "Seen");
    const asleep = await add({ notSeenForDays: 15 }, "Asleep");
    const all = await add({ seenWithinDays: 365 }, "All");
    const sendAs = async (segment: string) => as("POST", `/campaigns/${await fixture.draft({ segment })}/send`);
    const refused = { status: 409, body: { code: "confirmation_required", confirmAbove: 2 } };
    expect(await sendAs(all)).toMatchObject(refused);
    expect(await sendAs(seen)).toMatchObject({ status: 202, body: { audience: 2 } });
    const { siteId } = fixture.publisher;
    const size = (await as("GET", `/sites/${siteId}/audience?segment=${asleep}`)).body;
    expect(size).toEqual({ audience: 2, exact: true, proven: 2, alone: 4, shut: [] });
    expect(await sendAs(asleep)).toMatchObject(refused);
    expect(await sendAs(seen)).toMatchObject({ status: 202 });
    await changeSubscribers(fixture.app, { siteId }, { isRegistered: true, createdAt: present });
    expect((await as("GET", `/sites/${siteId}/audience?segment=${all}`)).body).toMatchObject({
      audience: 4,
      proven: 0,
    });
  });

  test("counts a schedule by its segment", async () => {
    const seen = await add({ seenWithinDays: 15 }, "Seen");
    const asleep = await add({ notSeenForDays: 15 }, "Asleep");
    const schedule = async (segment: string) =>
      as("POST", `/campaigns/${await fixture.draft({ segment })}/schedule`, { scheduleAt: inSeconds(7_200) });
    expect(await schedule(seen)).toMatchObject({ status: 200 });
    expect(await schedule(asleep)).toMatchObject({ status: 409, body: { code: "confirmation_required" } });
  });
});

test("the cap of a plan counts the segment", async () => {
  const plans = { PLANS: JSON.stringify({ standard: { audienceCap: 3 } }) };
  const rateLimited = await openCampaignFixture(plans);
  fixture = campaignFixtureOf(rateLimited.app, rateLimited.api, rateLimited.publisher);
  readers = await addReaders(4);
  const segment = await add({ seenWithinDays: 15 });
  expect(await fixture.post(await fixture.draft(), "send")).toMatchObject({ status: 402, body: { code: "billing" } });
  expect(await fixture.post(await fixture.draft({ segment }), "send")).toMatchObject({ status: 202 });
});

test("the decision counts the readers of the segment", async () => {
  const { siteId } = fixture.publisher;
  const facts = {
    siteId,
    topicIds: [],
    followersOf: null,
    addresses: [],
    imageUrl: null,
    countAtMost: 10,
    now: Date.now(),
  };
  const reachable = async (id: string) => {
    const segment = await freezeSegment(fixture.app.db, siteId, id);
    return (await readSiteFacts(fixture.app.db, { ...facts, segment }))!.reachable;
  };
  expect(await reachable(await add({ seenWithinDays: 15 }))).toBe(2);
  expect(await reachable(await add({ clickedWithinDays: 15 }, "Clicked"))).toBe(0);
});

test("a reader finds the notifications of segments that they were in, and no others", async () => {
  const segment = await add({ notSeenForDays: 15 });
  const { runId } = await send(await fixture.draft({ segment }));
  const recentOf = async ({ endpoint, keys }: BrowserSubscription) => {
    const body = { endpoint, auth: keys.auth };
    return (await changePreferences(fixture.app, { siteId: fixture.publisher.siteId, body })).recent;
  };
  expect(await recentOf(readers[0]!)).toEqual([]);
  await changeSubscribers(fixture.app, { endpoint: readers[2]!.endpoint }, { seenDaysAgo: 0 });
  expect(await recentOf(readers[2]!)).toMatchObject([{ runId }]);
});

test("a run keeps the readers whose time zone is not known when the site moves to another", async () => {
  const { actor, siteId } = fixture.publisher;
  await changeSite(fixture.app, actor, { siteId, timeZone: "Europe/Berlin" });
  await changeSubscribers(fixture.app, { endpoint: readers[2]!.endpoint }, { timeZone: "Asia/Tokyo" });
  const campaignId = await fixture.draft({ segment: await add({ timeZones: ["Europe/Berlin"] }) });
  const { body } = await fixture.post(campaignId, "send");
  await changeSite(fixture.app, actor, { siteId, timeZone: "Asia/Tokyo" });
  expect(await reachedBy({ siteId, runId: body.runId })).toEqual([0, 1, 3]);
});

test("a run keeps the segment at the dates of its send; a click moves a reader to another", async () => {
  const segment = await add({ seenWithinDays: 15 });
  const clicked = await add({ clickedWithinDays: 7 }, "Clicked");
  const run = await send(await fixture.draft({ segment }));
  expect((await send(await fixture.draft({ segment: clicked }))).audience).toBe(0);
  await changeSubscribers(fixture.app, { endpoint: readers[1]!.endpoint }, { clickedDaysAgo: 0 });
  expect(await send(await fixture.draft({ segment: clicked }))).toMatchObject({ audience: 1, reached: [1] });
  const stored = await row(
    sql<{ segment: object }>`select audience->'segment' as segment from runs where id = ${run.runId}`,
    fixture.app.db,
  );
  expect(stored!.segment).toEqual({ seenWithinDays: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
});
