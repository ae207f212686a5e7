import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../client/client.ts";
import { createApiKey } from "../../src/access/api-keys/api-keys.ts";
import type { Scope } from "../../src/scope.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type CampaignFixture, inSeconds, makeDue, openCampaignFixture } from "../campaigns/fixture.ts";
import { setClassRule } from "../fixtures/class-rules.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { addReceipts, insertHoldoutDay, insertLeft } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertRun, insertTotals } from "../fixtures/rows/runs.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

/** A site with four sends on three days. All of their figures are different. */
let fixture: CampaignFixture;
let path: string;
let topicId: string;
const runIds: string[] = [];

const get = (rest: string, key = fixture.publisher.apiKey) => fixture.api.call("GET", `${path}${rest}`, { key });
const client = () => {
  const { api, publisher } = fixture;
  return createClient({ url: api.url, apiKey: publisher.apiKey, tenantId: publisher.tenantId });
};
const period = "from=2026-03-01&to=2026-03-31";
const figures = (query: string) => get(`/sites/${fixture.publisher.siteId}/figures?${period}&${query}`);
/** Returns the groups as `key sends/accepted/clicked`. */
const groups = async (query: string): Promise<string[]> => {
  const { status, body } = await figures(query);
  expect(status).toBe(200);
  return body.data.map(
    ({ key, sends, accepted, clicked }: Record<string, number>) => `${key} ${sends}/${accepted}/${clicked}`,
  );
};

async function sent(day: string, fields: object, accepted: number, clicked: number): Promise<void> {
  const campaignId = await fixture.draft(fields as Record<string, unknown>);
  const { runId } = (await fixture.post(campaignId, "send")).body;
  await changeRuns(fixture.app, { id: runId }, { completedAt: present, createdAt: momentOf(day) });
  await insertTotals(fixture.app, runId, { fcm: { accepted, gone: 1 } });
  await addReceipts(fixture.app, runId, { displayed: 2 * clicked, clicked }, present);
  runIds.push(runId);
}

const momentOf = (day: string) => sql<Date>`${`${day}T12:00:00Z`}::timestamptz`;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { app, publisher } = fixture;
  const { siteId, tenantId } = publisher;
  path = `/v1/tenants/${tenantId}`;
  await subscribe(app, siteId, createSubscriptions(3));
  topicId = (await addTopic(app, publisher.actor, { siteId, name: "Sport" })).topicId;
  await sent("2026-03-01", { labels: ["City", "Front page"], class: "breaking" }, 100, 3);
  await sent("2026-03-01", { labels: ["City"], topicIds: [topicId] }, 200, 5);
  await sent("2026-03-31", { topicIds: [topicId] }, 400, 7);
  await sent("2026-04-01", { labels: ["City"] }, 800, 11);
  await insertRun(app, { siteId, tenantId, kind: "test" });
});

describe("figures of a period", () => {
  test.for([
    ["day", ["2026-03-01 2/300/8", "2026-03-31 1/400/7"]],
    ["class", ["breaking 1/100/3", "normal 2/600/12"]],
    ["label", ["City 2/300/8", "Front page 1/100/3", "null 1/400/7"]],
  ] as const)("by %s are the sums of its sends", async ([by, expected]) => {
    expect(await groups(`by=${by}`)).toEqual(expected);
  });

  test("by topic and by sender have the names of these", async () => {
    expect(await groups("by=topic")).toEqual([`${topicId} 2/600/12`, "null 1/100/3"]);
    expect((await figures("by=topic")).body.data[0].name).toBe("Sport");
    const { actor } = fixture.publisher;
    const key = actor.kind === "key" ? `key:${actor.keyId}` : "";
    expect((await figures("by=sender")).body.data).toMatchObject([
      { key, name: "test", sends: 3, accepted: 700, gone: 3 },
    ]);
  });

  test("name the member who has scheduled a campaign of a key as its sender", async () => {
    const cookie = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
    const campaignId = await fixture.draft();
    const mine = `/dashboard/api/tenants/${fixture.publisher.tenantId}`;
    await fixture.api.call("POST", `${mine}/campaigns/${campaignId}/schedule`, {
      headers: { cookie },
      body: { scheduleAt: inSeconds(600) },
    });
    await makeDue(fixture.app, campaignId);
    await startDueSends(fixture.app);
    const { runId } = await fixture.read(campaignId);
    await changeRuns(fixture.app, { id: runId }, { completedAt: present, createdAt: momentOf("2026-05-01") });
    const query = "from=2026-05-01&to=2026-05-01&by=sender";
    const { data } = (await get(`/sites/${fixture.publisher.siteId}/figures?${query}`)).body;
    expect(data).toMatchObject([{ key: expect.stringMatching(/^user:/), sends: 1 }]);
  });

  test("come in pages, and the last group is what has none", async () => {
    const first = (await figures("by=label&limit=2")).body;
    expect(first).toMatchObject({ data: [{ key: "City" }, { key: "Front page" }], nextCursor: "Front page" });
    const last = (await figures("by=label&limit=2&cursor=Front%20page")).body;
    expect(last).toMatchObject({ data: [{ key: null }], nextCursor: null });
  });

  test.for([
    ["an unknown grouping", "/by", `${period}&by=reader`],
    ["no grouping", "/by", period],
    ["a day that does not exist", "/from", "from=2026-02-30&to=2026-03-31&by=day"],
    ["an end before its beginning", "/to", "from=2026-03-02&to=2026-03-01&by=day"],
    ["more than 366 days", "/to", "from=2025-01-01&to=2026-01-02&by=day"],
  ] as const)("of %s are refused", async ([_, at, query]) => {
    const refused = await get(`/sites/${fixture.publisher.siteId}/figures?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: at }] } });
  });
});

describe("the list of runs", () => {
  test("has each with the figures of the run itself, the newest first and without tests", async () => {
    const { data } = (await get(`/runs?siteId=${fixture.publisher.siteId}`)).body;
    const known = data.filter(({ runId }: { runId: string }) => runIds.includes(runId));
    expect(known.map(({ runId }: { runId: string }) => runId)).toEqual(runIds.toReversed());
    expect(data.some(({ kind }: { kind: string }) => kind === "test")).toBe(false);
    expect(known.at(-1)).toMatchObject({
      class: "breaking",
      labels: ["City", "Front page"],
      accepted: 100,
      clicked: 3,
    });
    for (const run of known) {
      const { accepted, gone, audience, displayed, clicked } = await fixture.run(run.runId);
      expect(run).toMatchObject({ accepted, gone, audience, displayed, clicked });
    }
  });

  test("comes in pages, of runs since a moment", async () => {
    const since = "since=2026-03-31T00%3A00%3A00Z";
    const all = (await get(`/runs?${since}`)).body.data.map(({ runId }: { runId: string }) => runId);
    expect(all).toContain(runIds[2]);
    expect(all).not.toContain(runIds[1]);
    const first = (await get(`/runs?${since}&limit=1`)).body;
    expect(first.nextCursor).toBe(first.data[0].runId);
    const second = (await get(`/runs?${since}&limit=1&cursor=${first.nextCursor}`)).body;
    expect([first.data[0].runId, second.data[0].runId]).toEqual(all.slice(0, 2));
  });

  test.for([
    ["/since", "since=yesterday"],
    ["/siteId", "siteId=0199c0de-0000-7000-8000-000000000000"],
    ["/cursor", "cursor=1"],
  ])("refuses a wrong %s", async ([at, query]) => {
    expect(await get(`/runs?${query}`)).toMatchObject({ status: 400, body: { errors: [{ path: at }] } });
  });
});

test("a summary says who can be reached now, and who joined and left on each day", async () => {
  const { app, publisher } = fixture;
  await insertLeft(app, publisher.siteId, 1, { unsubscribed: 2, deleted: 5 });
  const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const { body } = await get(`/sites/${publisher.siteId}/subscribers/summary?from=${dayOf(2)}&to=${dayOf(0)}`);
  expect(body).toMatchObject({ siteId: publisher.siteId, timeZone: "UTC", reachable: 3, reachableExact: true });
  expect(body.days).toMatchObject([
    { day: dayOf(2), joined: 0, left: 0 },
    { day: dayOf(1), joined: 0, left: 2 },
    { day: dayOf(0), joined: 3, left: 0 },
  ]);
});

test("holdouts say what a class wins and loses, once it leaves readers out", async () => {
  const { app, publisher } = fixture;
  const { siteId } = publisher;
  const read = () => get(`/sites/${siteId}/holdouts`);
  expect((await read()).body).toEqual({ siteId, classes: [] });
  const leaveOut = (holdoutPercent: number) => setClassRule(app, publisher, { holdoutPercent }, "low");
  await expect(leaveOut(11)).rejects.toMatchObject({ code: "validation_failed" });
  await leaveOut(1);
  const nothing = { days: 0, heldOut: 0, visits: null, left: null };
  expect((await read()).body.classes).toEqual([{ class: "low", ...nothing }]);
  await insertHoldoutDay(app, siteId, {
    age: 0,
    heldOut: { readers: 100, came: 10 },
    others: { readers: 900, came: 180 },
  });
  const atTheEnd = { heldOut: { readers: 98, came: null }, others: { readers: 864, came: null } };
  for (const age of [27, 34]) await insertHoldoutDay(app, siteId, { age, ...atTheEnd });
  const { classes } = await client().sites.holdouts(siteId);
  expect(classes).toEqual([
    {
      class: "normal",
      days: 1,
      heldOut: 98,
      visits: { heldOut: 100, others: 200, difference: around(100) },
      left: { heldOut: 20, others: 40, difference: around(20) },
    },
    { class: "low", ...nothing },
  ]);
});

const around = (middle: number) => ({ low: expect.any(Number), middle, high: expect.any(Number) });

test("a key with the scope report reads figures and nothing else, and others do not", async () => {
  const { app, publisher } = fixture;
  const keyWith = async (scopes: Scope[]) =>
    (await createApiKey(app.db, { tenantId: publisher.tenantId, name: "extract", createdBy: null, scopes })).secret;
  const [report, read] = [await keyWith(["report"]), await keyWith(["read"])];
  expect((await get("/runs", report)).status).toBe(200);
  expect(await get("/campaigns", report)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  expect(await get("/runs", read)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
});

test("the client reads runs, figures and summary", async () => {
  const { publisher } = fixture;
  const { runs, sites } = client();
  const found = [];
  for await (const { runId } of runs.list({ siteId: publisher.siteId, limit: 2 })) found.push(runId);
  expect(found).toEqual(expect.arrayContaining(runIds));
  const labels = [];
  const query = { from: "2026-03-01", to: "2026-03-31", by: "label", limit: 1 } as const;
  for await (const { key } of sites.figures(publisher.siteId, query)) labels.push(key);
  expect(labels).toEqual(["City", "Front page", null]);
  const summary = await sites.subscribersSummary(publisher.siteId, { from: "2026-03-01", to: "2026-03-02" });
  expect(summary.days).toHaveLength(2);
});
