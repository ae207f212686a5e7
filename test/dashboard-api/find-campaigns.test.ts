import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { campaignsOfTenant } from "../../src/campaigns/queries.ts";
import { conditionsOf, mostClicked } from "../../src/dashboard-api/campaign-queries.ts";
import type { CampaignRow } from "../../src/dashboard-api/find-campaigns.ts";
import { addSegment } from "../../src/subscribers/segments/segments.ts";
import { siteById } from "../../src/tenants/sites/queries.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type CampaignFixture, openCampaignFixture, validFields } from "../campaigns/fixture.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertSentCampaigns, insertUpdates } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { signInAs } from "../fixtures/sign-in.ts";

/** A site in Berlin with a draft and three sends on two days. The key has sent two, and a member one. */
let fixture: CampaignFixture;
let cookie: string;
let topicId: string;
let root: string;
const sender = { key: "", member: "" };

const get = (path: string) => fixture.api.call("GET", `${root}/${path}`, { headers: { cookie } });
const ofThis = () => `siteId=${fixture.publisher.siteId}&`;
const ofSite = (query: string) => get(`campaigns?${ofThis()}${query}`);
/** Returns the titles of a page, in the order of the page. */
const titles = async (query: string): Promise<string[]> => {
  const { status, body } = await ofSite(query);
  expect(status).toBe(200);
  return body.data.map(({ title }: { title: string }) => title);
};
const lines = async (query: string): Promise<string[]> => {
  const address = `${fixture.api.url}${root}/campaigns.csv?${ofThis()}${query}`;
  const file = await fetch(address, { headers: { cookie } });
  expect(file.status).toBe(200);
  return (await file.text()).trim().split("\r\n");
};

async function send(campaignId: string, at: string, clicked: number): Promise<void> {
  const { runId } = (await fixture.post(campaignId, "send")).body;
  await changeRuns(fixture.app, { id: runId }, { completedAt: present, createdAt: sql<Date>`${at}::timestamptz` });
  await addReceipts(fixture.app, runId, { clicked }, present);
}

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { app, publisher } = fixture;
  const { siteId, tenantId, actor } = publisher;
  root = `/dashboard/api/tenants/${tenantId}`;
  await changeSites(app, { id: siteId }, { timeZone: "Europe/Berlin" });
  await subscribe(app, siteId, createSubscriptions(2));
  topicId = (await addTopic(app, actor, { siteId, name: "Sport" })).topicId;
  const other = (await addTopic(app, actor, { siteId, name: "City, and lake" })).topicId;
  // If a member creates a campaign and a key sends it, the member is its sender.
  cookie = await signInAs(app, fixture.api, tenantId, "editor");
  await send(await fixture.draft({ title: "Ferry", topicIds: [topicId, other] }), "2026-03-01T22:59:00Z", 5);
  await send(await fixture.draft({ title: "Bridge" }), "2026-03-01T23:01:00Z", 9);
  const body = { siteId, ...validFields, title: "Lake", topicIds: [topicId] };
  const { campaignId } = (await fixture.api.call("POST", `${root}/campaigns`, { headers: { cookie }, body })).body;
  await send(campaignId, "2026-03-03T12:00:00Z", 7);
  await fixture.draft({ title: "Draft", topicIds: [topicId] });
  const members = (await get("members")).body.members as { userId: string; email: string }[];
  sender.member = `user:${members.find(({ email }) => email.startsWith("editor"))!.userId}`;
  sender.key = actor.kind === "key" ? `key:${actor.keyId}` : "";
});

describe("the list of campaigns", () => {
  test.for([
    ["from and to, by the site's calendar", "from=2026-03-01&to=2026-03-01", ["Ferry"]],
    ["from", "from=2026-03-02", ["Lake", "Bridge"]],
    ["to", "to=2026-03-02", ["Bridge", "Ferry"]],
    ["days and a status", "from=2026-03-01&status=draft", []],
    ["days and a search", "from=2026-03-01&search=LAKE", ["Lake"]],
  ] as const)("is filtered by %s", async ([_, query, expected]) => {
    expect(await titles(query)).toEqual(expected);
  });

  test("is filtered by topic, drafts with it, and by sender, of whom a draft has none", async () => {
    expect(await titles(`topicId=${topicId}`)).toEqual(["Draft", "Lake", "Ferry"]);
    expect(await titles(`sender=${sender.key}`)).toEqual(["Bridge", "Ferry"]);
    expect(await titles(`sender=${sender.member}&topicId=${topicId}`)).toEqual(["Lake"]);
    expect(await titles("sender=operator")).toEqual([]);
  });

  test("is sorted by clicks in pages, each campaign once", async () => {
    const query = "sort=clicks&from=2026-03-01&to=2026-12-31&limit=1";
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const { data, nextCursor } = (await ofSite(`${query}${cursor}`)).body;
      found.push(...data.map((row: CampaignRow) => `${row.title} ${row.run!.clicked}`));
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    expect(found).toEqual(["Bridge 9", "Lake 7", "Ferry 5"]);
    expect(await titles(`sort=clicks&from=2026-03-01&to=2026-03-31&topicId=${topicId}`)).toEqual(["Lake", "Ferry"]);
  });

  test.for([
    [["/from"], "from=2026-02-30"],
    [["/to"], "to=soon"],
    [["/to"], "from=2026-03-02&to=2026-03-01"],
    [["/topicId"], "topicId=sport"],
    [["/sender"], "sender=reader"],
    [["/sender"], "sender=operator&sender=operator"],
    [["/sort"], "sort=title"],
    [["/from", "/to"], "sort=clicks"],
    [["/to"], "sort=clicks&from=2025-01-01&to=2026-01-02"],
    [["/cursor"], "sort=clicks&from=2026-03-01&to=2026-03-31&cursor=018f0000-0000-7000-8000-000000000000"],
    [["/cursor"], "cursor=9.018f0000-0000-7000-8000-000000000000"],
    [["/siteId", "/cursor"], "siteId=site&cursor=first"],
  ] as const)("refuses %s of a wrong query: %s", async ([paths, query]) => {
    const { status, body } = await get(`campaigns?${query.includes("siteId") ? "" : ofThis()}${query}`);
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test("refuses days without a site, whose calendar they are of, and another tenant's site", async () => {
    expect((await get("campaigns?from=2026-03-01")).body.errors).toMatchObject([{ path: "/siteId" }]);
    const { siteId } = await createPublisher(fixture.app);
    expect((await get(`campaigns?siteId=${siteId}`)).body.errors).toMatchObject([{ path: "/siteId" }]);
    expect((await get(`sites/${siteId}/campaign-choices`)).status).toBe(404);
  });
});

test("the choices are the topics, also a retired one, and the senders, the last one first", async () => {
  const { siteId } = fixture.publisher;
  await fixture.api.call("PATCH", `${root}/sites/${siteId}/topics/${topicId}`, {
    headers: { cookie },
    body: { retired: true },
  });
  const { topics, senders } = (await get(`sites/${siteId}/campaign-choices`)).body;
  expect(topics).toMatchObject([
    { name: "City, and lake", isRetired: false },
    { topicId, name: "Sport", isRetired: true },
  ]);
  expect(senders).toMatchObject([{ key: sender.member }, { key: sender.key, name: "test" }]);
});

test("the CSV has when each was sent, its topics, segment and sender, of what the filter finds", async () => {
  const { app, publisher } = fixture;
  const body = { name: "New readers", rule: { subscribedWithinDays: 7 } };
  const { segmentId: segment } = await addSegment(app, publisher.actor, { siteId: publisher.siteId, body });
  await fixture.draft({ title: "To some", segment });
  const ends = async (query: string) =>
    (await lines(query)).slice(1).map((line) => line.replace(/^[^,]+,[^,]+,([^,]+),.*,normal,,/, "$1: "));
  expect(await ends("from=2026-03-01&to=2026-03-02")).toEqual([
    "Bridge: 2026-03-01T23:01:00.000Z,,,test,",
    'Ferry: 2026-03-01T22:59:00.000Z,"City, and lake; Sport",,test,',
  ]);
  expect(await ends("search=to%20some")).toEqual(["To some: ,,New readers,,"]);
  const refused = await get(`campaigns.csv?${ofThis()}sort=clicks&from=2026-03-01&to=2026-03-31`);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/sort" }] } });
});

test("with 3,000 campaigns, filters and order read each run a few times, not each other's", async () => {
  const { app } = fixture;
  const busy = await createPublisher(app);
  await insertSentCampaigns(app, 3_000, busy);
  await insertUpdates(app, busy.siteId);
  await sql`analyze campaigns, runs, planned_sends`.execute(app.db);
  const site = (await siteById(app.db, busy.siteId))!;
  const filters = [{ from: "2026-01-01" }, { to: "2026-01-01" }, { topicId }, { sender: "key:none" }];
  for (const filter of filters) {
    const read = await countRowsRead(app, "any", (tx) =>
      campaignsOfTenant(tx, busy.tenantId, { siteId: busy.siteId, where: conditionsOf(filter, site), limit: 26 }),
    );
    expect(read, JSON.stringify(filter)).toBeLessThan(6 * 3_000);
  }
  const sorted = await countRowsRead(app, "any", async (tx) => {
    expect(await mostClicked(tx, busy.tenantId, { siteId: busy.siteId, after: undefined, limit: 26 })).toHaveLength(26);
  });
  expect(sorted).toBeLessThan(10 * 3_000);
});
