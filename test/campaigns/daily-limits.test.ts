import { beforeAll, beforeEach, expect, test } from "vitest";
import { createPublisher } from "../fixtures/publisher.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { changeRateLimits } from "../fixtures/rows/people.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { type CampaignFixture, campaignFixtureOf, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;
let other: CampaignFixture;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { app, api } = fixture;
  other = campaignFixtureOf(app, api, await createPublisher(app));
});

beforeEach(() => changeRateLimits(fixture.app, {}, { used: 0 }));

/** Sets the count of all buckets of a limit. */
const use = (limit: string, used: number) =>
  changeRateLimits(fixture.app, { kind: limit }, { used, resetsAt: ahead("1 hour") });
const over = (limit: string) => ({ status: 429, body: { code: "rate_limited", limit } });

test("a tenant creates 10,000 campaigns in a day, and a replay is answered after that", async () => {
  const first = await fixture.create({}, { "idempotency-key": "first" });
  await use("campaigns", 9_999);
  expect((await fixture.create()).status).toBe(201);
  const refused = await fixture.create();
  expect(refused).toMatchObject(over("campaigns"));
  expect(Number(refused.headers.get("retry-after"))).toBe(refused.body.retryAfterSeconds);
  const again = await fixture.create({}, { "idempotency-key": "first" });
  expect([again.status, again.body.campaignId]).toEqual([201, first.body.campaignId]);
  expect((await other.create()).status).toBe(201);
});

test("a body that is refused does not count as a campaign", async () => {
  await fixture.create();
  await use("campaigns", 9_999);
  expect((await fixture.create({ title: "" })).status).toBe(400);
  expect((await fixture.create()).status).toBe(201);
});

test("test sends and updates of a tenant have a limit in a day, together", async () => {
  const { campaignId } = await fixture.campaignThatIs("sent");
  const draft = await fixture.draft();
  const update = () => fixture.post(campaignId, "updates", { title: "Changed" });
  expect((await fixture.post(draft, "test")).status).toBe(409);
  await use("runs", 9_998);
  expect((await fixture.post(draft, "test")).status).toBe(409);
  expect((await update()).status).not.toBe(429);
  expect(await update()).toMatchObject(over("runs"));
  expect(await fixture.post(draft, "test")).toMatchObject(over("runs"));
});

test("a member asks for approval sixty times in an hour, and another member may ask on", async () => {
  const { app, api, publisher } = fixture;
  const cookies = [
    await signInAs(app, api, publisher.tenantId, "editor"),
    await signInAs(app, api, publisher.tenantId, "editor"),
  ];
  const path = `/dashboard/api/tenants/${publisher.tenantId}/campaigns/${await fixture.draft()}/approval-request`;
  const ask = (by: number) => api.call("POST", path, { headers: { cookie: cookies[by]! }, body: {} });
  expect((await ask(0)).status).not.toBe(429);
  await use("approval_requests", 60);
  expect(await ask(0)).toMatchObject(over("approval_requests"));
  expect((await ask(1)).status).not.toBe(429);
});
