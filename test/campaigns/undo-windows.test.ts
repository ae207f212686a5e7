import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { addSegment, changeSegment } from "../../src/subscribers/segments/segments.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { signInAs } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(2));
  cookie = await signInAs(app, api, publisher.tenantId, "editor");
});

const root = () => `/dashboard/api/tenants/${publisher.tenantId}`;
const call = (method: string, path: string, body?: unknown, as = cookie) =>
  api.call(method, root() + path, { headers: { cookie: as }, body });

async function draft(title = "T"): Promise<string> {
  const body = { siteId: publisher.siteId, mode: "manual", url: "https://news.example/a", title, body: "B" };
  return (await call("POST", "/campaigns", body)).body.campaignId;
}
const begin = (id: string, as = cookie) => call("POST", `/campaigns/${id}/undo-window`, {}, as);
const takeBack = (id: string, as = cookie) => call("POST", `/campaigns/${id}/undo-window/undo`, undefined, as);
const status = async (id: string) => (await call("GET", `/campaigns/${id}`)).body.status;
const pendingOf = async (id: string) =>
  (await call("GET", "/undo-windows")).body.data.find((send: { campaignId: string }) => send.campaignId === id);

/** Moves all waiting sends into the past by `ms`. Then starts what is due, in two processes at once. */
async function passTime(ms = 10_000): Promise<void> {
  await changePlannedSends(app, { status: "waiting" }, { startsEarlier: `${ms} milliseconds` });
  await Promise.all([startDueSends(app), startDueSends(app)]);
}

test("a confirmed send waits ten seconds at the service, then starts once, without its page", async () => {
  const id = await draft();
  const begun = await begin(id);
  expect(begun).toMatchObject({ status: 201, body: { campaignId: id, status: "waiting", audience: 2 } });
  expect(begun.body.startsInMs).toBeGreaterThan(8_000);
  expect((await begin(id)).body.undoWindowId).toBe(begun.body.undoWindowId);
  await startDueSends(app);
  expect(await status(id)).toBe("draft");
  await passTime();
  expect(await status(id)).toBe("sending");
  expect(await pendingOf(id)).toMatchObject({ status: "sent" });
  const runs = await sql`select from runs where campaign_id = ${id}`.execute(app.db);
  expect(runs.rows.length).toBe(1);
});

test("a send of a text that changed after the member saw it is refused", async () => {
  const id = await draft();
  const { updatedAt } = (await call("GET", `/campaigns/${id}`)).body;
  const beginAs = (seen: unknown) => call("POST", `/campaigns/${id}/undo-window`, { updatedAt: seen });
  await api.call("PATCH", `/v1/campaigns/${id}`, { key: publisher.apiKey, body: { title: "Another text" } });
  expect(await beginAs(updatedAt)).toMatchObject({
    status: 409,
    body: { code: "illegal_transition", from: "draft", meanwhile: "changed" },
  });
  expect(await beginAs("yesterday")).toMatchObject({ status: 400, body: { errors: [{ path: "/updatedAt" }] } });
  expect(await pendingOf(id)).toBeUndefined();
  const seen = (await call("GET", `/campaigns/${id}`)).body.updatedAt;
  expect(await beginAs(seen)).toMatchObject({ status: 201 });
  await takeBack(id);
});

test("the rule of a segment stays until a confirmed send to it starts", async () => {
  const { actor, siteId } = publisher;
  const rule = { subscribedWithinDays: 7 };
  const { segmentId } = await addSegment(app, actor, { siteId, body: { name: "New", rule } });
  const widen = (days: number) =>
    changeSegment(app, actor, { siteId, segmentId, body: { rule: { subscribedWithinDays: days } } });
  const id = await draft();
  await call("PATCH", `/campaigns/${id}`, { segment: segmentId });
  expect(await begin(id)).toMatchObject({ status: 201, body: { audience: 2 } });
  await expect(widen(30)).rejects.toMatchObject({ code: "segment_awaited" });
  await takeBack(id);
  await widen(30);
  expect((await begin(id)).status).toBe(201);
  await expect(widen(60)).rejects.toMatchObject({ code: "segment_awaited" });
  await passTime();
  expect(await status(id)).toBe("sending");
  await widen(60);
});

test("a send that is taken back, on whatever device, never starts; afterwards it is too late", async () => {
  const id = await draft();
  await begin(id);
  expect((await takeBack(id)).body.status).toBe("undone");
  await passTime();
  expect(await status(id)).toBe("draft");
  await begin(id);
  await passTime();
  expect((await takeBack(id)).body.status).toBe("sent");
  expect(await status(id)).toBe("sending");
});

/** Makes a planned send look as if a process whose clock is ahead had planned it. */
const planAhead = (campaignId: string) =>
  changePlannedSends(app, { campaignId }, { id: `ffffffff-ffff-7fff-bfff-${campaignId.slice(-12)}` });

test("a send is undone though a process whose clock is ahead has planned an earlier one", async () => {
  const id = await draft();
  await begin(id);
  await takeBack(id);
  await planAhead(id);
  await begin(id);
  expect(await pendingOf(id)).toMatchObject({ status: "waiting" });
  expect((await takeBack(id)).body.status).toBe("undone");
  await passTime();
  expect(await status(id)).toBe("draft");
});

test("a campaign is rescheduled though a process whose clock is ahead has scheduled it", async () => {
  const id = await draft();
  const schedule = async (hours: number) => {
    const scheduleAt = new Date(Date.now() + hours * 3_600_000).toISOString();
    expect(await call("POST", `/campaigns/${id}/schedule`, { scheduleAt })).toMatchObject({ status: 200 });
    return { status: "scheduled", scheduledAt: scheduleAt };
  };
  await schedule(1);
  await planAhead(id);
  const second = await schedule(2);
  expect((await call("GET", `/campaigns/${id}`)).body).toMatchObject(second);
});

test("only its member sees and takes back a send; a colleague cannot begin it again", async () => {
  const id = await draft();
  await begin(id);
  const colleague = await signInAs(app, api, publisher.tenantId, "editor");
  expect((await call("GET", "/undo-windows", undefined, colleague)).body.data).toEqual([]);
  expect((await takeBack(id, colleague)).status).toBe(404);
  expect(await begin(id, colleague)).toMatchObject({ status: 409, body: { code: "illegal_transition" } });
  await takeBack(id);
});

test("a refusal comes before the ten seconds; one within them ends the send with its reason", async () => {
  const id = await draft();
  const pause = (paused: boolean) => call("PATCH", `/sites/${publisher.siteId}`, { paused });
  await pause(true);
  expect(await begin(id)).toMatchObject({ status: 423, body: { code: "send_paused" } });
  await pause(false);
  await begin(id);
  await pause(true);
  await passTime();
  expect(await pendingOf(id)).toMatchObject({ status: "refused", refusal: "send_paused" });
  await pause(false);

  await begin(id);
  await call("PATCH", `/campaigns/${id}`, { title: "Changed by a colleague" });
  await passTime();
  expect(await pendingOf(id)).toMatchObject({ status: "refused", refusal: "changed" });

  await changeTenants(app, { id: publisher.tenantId }, { confirmAbove: 1 });
  await changeSubscribers(app, {}, { createdAt: ago("2 days") });
  expect(await begin(id)).toMatchObject({ status: 409, body: { code: "confirmation_required" } });
  await changeTenants(app, { id: publisher.tenantId }, { confirmAbove: null });
  expect(await status(id)).toBe("draft");
});

test("a service that was away for minutes does not send late", async () => {
  const id = await draft();
  await begin(id);
  await passTime(10 * 60_000);
  expect(await pendingOf(id)).toMatchObject({ status: "refused", refusal: "late" });
  expect(await status(id)).toBe("draft");
});

test("a send that another member has begun is refused, with what they do", async () => {
  const other = await signInAs(app, api, publisher.tenantId, "editor");
  const id = await draft();
  await begin(id, other);
  expect(await begin(id)).toMatchObject({
    status: 409,
    body: { code: "illegal_transition", from: "draft", meanwhile: "begun" },
  });
  await takeBack(id, other);
  expect((await begin(id)).status).toBe(201);
  await takeBack(id);
});

test("a member who may no longer send does not", async () => {
  const other = await signInAs(app, api, publisher.tenantId, "editor");
  const id = await draft();
  await begin(id, other);
  await sql`update members set role = 'viewer' where user_id = (select user_id from planned_sends
    where campaign_id = ${id})`.execute(app.db);
  await passTime();
  expect(await status(id)).toBe("draft");
});
