import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { campaignsOfTenant } from "../../src/campaigns/queries.ts";
import { type CampaignStatus, shownMoves } from "../../src/campaigns/states.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { insertSentCampaigns } from "../fixtures/rows/runs.ts";
import { type CampaignFixture, campaignFixtureOf, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;
let second: string;
const ids: string[] = [];
const byStatus: Partial<Record<CampaignStatus, string>> = {};

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { app, publisher } = fixture;
  const { siteId } = await createSite(app, publisher.actor, app.db, { name: "Second", url: "https://two.example" });
  second = siteId;
  // `sent` comes first, because it ends all open runs. The runs of the other campaigns must not exist yet.
  for (const status of ["sent", "draft", "scheduled", "sending", "stopped", "cancelled", "failed"] as const) {
    const { campaignId } = await fixture.campaignThatIs(status);
    byStatus[status] = campaignId;
    ids.unshift(campaignId);
  }
  for (const externalId of ["a", "b", "b"]) ids.unshift(await fixture.draft({ siteId: second, externalId }));
});

const list = (query = "", of: CampaignFixture = fixture) =>
  of.api.call("GET", `/v1/tenants/${of.publisher.tenantId}/campaigns${query}`, { key: of.publisher.apiKey });

const idsOf = (answer: { body: { data: { campaignId: string }[] } }) =>
  answer.body.data.map(({ campaignId }) => campaignId);

test("the list has every campaign, newest first, with the same fields as a single campaign", async () => {
  const answer = await list();
  expect(answer.status).toBe(200);
  expect(idsOf(answer)).toEqual(ids);
  expect(answer.body.nextCursor).toBeNull();
  for (const campaign of answer.body.data) expect(campaign).toEqual(await fixture.read(campaign.campaignId));
});

test.for(Object.keys(shownMoves) as CampaignStatus[])(
  "?status=%s finds the campaigns that show this status",
  async (status) => {
    const found = (await list(`?status=${status}`)).body.data;
    expect(found.length).toBeGreaterThan(0);
    for (const campaign of found) expect(campaign.status).toBe(status);
    expect(found.map(({ campaignId }: { campaignId: string }) => campaignId)).toContain(byStatus[status]);
  },
);

test("?siteId and ?externalId filter the list, alone and together", async () => {
  expect(idsOf(await list(`?siteId=${second}`))).toEqual(ids.slice(0, 3));
  expect(idsOf(await list(`?siteId=${second.toUpperCase()}&externalId=b`))).toEqual(ids.slice(0, 2));
  expect(idsOf(await list("?externalId=a&status=draft"))).toEqual([ids[2]]);
  expect(idsOf(await list("?externalId=nobody"))).toEqual([]);
});

test("pages have no gap and no duplicate, even if campaigns are created meanwhile", async () => {
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; page < 4; page++) {
    const answer = await list(`?limit=3${cursor}`);
    seen.push(...idsOf(answer));
    cursor = `&cursor=${answer.body.nextCursor}`;
    if (page === 0) await fixture.draft();
    if (answer.body.nextCursor === null) break;
  }
  expect(seen).toEqual(ids);
  ids.unshift(idsOf(await list("?limit=1"))[0]!);
});

test("a last page that is exactly full has no next cursor", async () => {
  expect((await list(`?limit=3&siteId=${second}`)).body.nextCursor).toBeNull();
  expect((await list(`?limit=2&siteId=${second}`)).body.nextCursor).toBe(ids.at(-9));
});

test.for([
  ["?status=started", "/status"],
  ["?status=", "/status"],
  ["?status=draft&status=sent", "/status"],
  ["?siteId=site", "/siteId"],
  ["?siteId=018f0000-0000-7000-8000-000000000000", "/siteId"],
  ["?externalId=", "/externalId"],
  [`?externalId=${"x".repeat(201)}`, "/externalId"],
  ["?limit=0", "/limit"],
  ["?limit=101", "/limit"],
  ["?limit=ten", "/limit"],
  ["?limit=1e1", "/limit"],
  ["?limit=-1", "/limit"],
  ["?limit=5&limit=6", "/limit"],
  ["?cursor=x", "/cursor"],
  ["?staus=draft", "/staus"],
] as const)("%s answers 400", async ([query, path]) => {
  const { status, body } = await list(query);
  expect({ status, code: body.code, path: body.errors?.[0]?.path }).toEqual({
    status: 400,
    code: "validation_failed",
    path,
  });
});

test("NUL in a parameter answers 400", async () => {
  expect((await list("?externalId=a%00b")).status).toBe(400);
});

describe("after a year of sends", () => {
  beforeAll(async () => {
    const { tenantId, siteId } = fixture.publisher;
    await fixture.app.db.transaction().execute(async (tx) => {
      await insertSentCampaigns({ db: tx }, 3_000, { siteId, tenantId });
      await sql`analyze campaigns, runs, planned_sends`.execute(tx);
    });
  });

  test.for(["draft", "scheduled", "sending", "stopped", "cancelled", "failed"] as const)(
    "the few that are %s are found without reading the others",
    async (status) => {
      const { tenantId, siteId } = fixture.publisher;
      const read = await countRowsRead(fixture.app, "any", (tx) =>
        campaignsOfTenant(tx, tenantId, { status, siteId, limit: 21 }),
      );
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(100);
    },
  );

  test("a page of those that are sent reads its own rows only", async () => {
    const { tenantId, siteId } = fixture.publisher;
    const read = await countRowsRead(fixture.app, "any", (tx) =>
      campaignsOfTenant(tx, tenantId, { status: "sent", siteId, limit: 21 }),
    );
    expect(read).toBeLessThan(200);
  });
});

test("a tenant lists its own campaigns only: 403 for another's path, 400 for another's site", async () => {
  const stranger = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
  expect((await list("", stranger)).body).toEqual({ data: [], nextCursor: null });
  const answer = await fixture.api.call("GET", `/v1/tenants/${fixture.publisher.tenantId}/campaigns`, {
    key: stranger.publisher.apiKey,
  });
  expect(answer).toMatchObject({ status: 403, body: { code: "tenant_mismatch" } });
  expect((await list(`?siteId=${second}`, stranger)).status).toBe(400);
  expect(idsOf(await list(`?cursor=${ids[0]}`, stranger))).toEqual([]);
});
