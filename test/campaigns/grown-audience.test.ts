import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { addSegment } from "../../src/subscribers/segments/segments.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

/**
 * One member may send alone to at most three readers. The site has two readers. It gains more, or the service does not
 * know whether it has them.
 */
let shared: CampaignFixture;
let fixture: CampaignFixture;
const cookies = {} as Record<"owner" | "editor", string>;
type Member = keyof typeof cookies;

const as = (member: Member, method: string, path: string, body?: unknown) => {
  const root = `/dashboard/api/tenants/${fixture.publisher.tenantId}`;
  return fixture.api.call(method, `${root}${path}`, { headers: { cookie: cookies[member] }, body });
};
const schedule = (member: Member, campaignId: string) =>
  as(member, "POST", `/campaigns/${campaignId}/schedule`, { scheduleAt: inSeconds(60) });
const refused = { status: 409, body: { code: "confirmation_required", confirmAbove: 3 } };

async function addReaders(count: number): Promise<void> {
  const { siteId } = fixture.publisher;
  await subscribe(fixture.app, siteId, createSubscriptions(count));
  await changeSubscribers(fixture.app, { siteId }, { createdAt: ago("100 days") });
}

/** Makes a schedule due. Returns its campaign. */
async function startWhenDue(campaignId: string) {
  await makeDue(fixture.app, campaignId);
  await startDueSends(fixture.app);
  return fixture.read(campaignId);
}

beforeEach(async () => {
  shared ??= await openCampaignFixture();
  fixture = campaignFixtureOf(shared.app, shared.api, await createPublisher(shared.app));
  const { tenantId } = fixture.publisher;
  cookies.owner = await signIn(fixture.api, ownerEmail(tenantId));
  cookies.editor = await signInAs(fixture.app, fixture.api, tenantId, "editor");
  await as("owner", "PATCH", "", { confirmAbove: 3 });
  await addReaders(2);
});

describe("a schedule that one member decided alone", () => {
  test("fails when it has too many readers at its time", async () => {
    const campaignId = await fixture.draft();
    expect((await schedule("editor", campaignId)).status).toBe(200);
    await addReaders(2);
    expect(await startWhenDue(campaignId)).toMatchObject({
      status: "failed",
      runId: null,
      failure: { code: "confirmation_required", message: expect.stringContaining("Ask for a second person's yes") },
    });
  });

  test("fails so also if its member's account is deleted", async () => {
    const campaignId = await fixture.draft();
    expect((await schedule("editor", campaignId)).status).toBe(200);
    await sql`update planned_sends set user_id = null where campaign_id = ${campaignId}`.execute(fixture.app.db);
    await addReaders(2);
    expect(await startWhenDue(campaignId)).toMatchObject({ status: "failed" });
  });

  test("is sent up to the limit", async () => {
    const campaignId = await fixture.draft();
    expect((await schedule("editor", campaignId)).status).toBe(200);
    await addReaders(1);
    expect(await startWhenDue(campaignId)).toMatchObject({ status: "sending" });
  });
});

test("a schedule that a second person approved, or of an API key, is sent to more readers", async () => {
  const [approved, ofKey] = [await fixture.draft(), await fixture.draft()];
  const path = `/campaigns/${approved}/approval-request`;
  const { requestId } = (await as("editor", "POST", path, { scheduleAt: inSeconds(60) })).body;
  expect((await as("owner", "POST", `${path}/approve`, { requestId })).status).toBe(200);
  expect((await fixture.post(ofKey, "schedule", { scheduleAt: inSeconds(60) })).status).toBe(200);
  await addReaders(2);
  for (const campaignId of [approved, ofKey])
    expect(await startWhenDue(campaignId)).toMatchObject({ status: "sending" });
});

describe.each([
  ["who clicked within 30 days", { clickedWithinDays: 30 }],
  ["who did not click for 30 days", { notClickedForDays: 30 }],
])("a segment of those %s, at a site that counts sums only,", (_name, rule) => {
  test("counts as all readers for the second person, and is sent to none", async () => {
    const { actor, siteId } = fixture.publisher;
    await addReaders(2);
    const { segmentId } = await addSegment(fixture.app, actor, { siteId, body: { name: "By clicks", rule } });
    await changeSite(fixture.app, actor, { siteId, receipts: "aggregate" });
    const campaignId = await fixture.draft({ segment: segmentId });
    expect(await as("editor", "POST", `/campaigns/${campaignId}/send`)).toMatchObject(refused);
    expect(await schedule("editor", campaignId)).toMatchObject(refused);
    expect(await fixture.post(campaignId, "send")).toMatchObject({ status: 202, body: { audience: 0 } });
  });
});
