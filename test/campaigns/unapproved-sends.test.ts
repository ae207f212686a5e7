import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { type CampaignFixture, endRuns, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;
let tenant: string;
/** Topics with two readers each. A third reader has chosen both. */
let rowing: string;
let sailing: string;
const cookies = {} as Record<"owner" | "editor", string>;
type Member = keyof typeof cookies;

const as = (member: Member, method: string, path: string, body?: unknown) =>
  fixture.api.call(method, `${tenant}${path}`, { headers: { cookie: cookies[member] }, body });
const send = (member: Member, campaignId: string) => as(member, "POST", `/campaigns/${campaignId}/send`);
const schedule = (member: Member, campaignId: string, seconds: number) =>
  as(member, "POST", `/campaigns/${campaignId}/schedule`, { scheduleAt: inSeconds(seconds) });
/** Returns the local time this many hours from now, without seconds. The site's time zone is UTC. */
const hourIn = (hours: number) => {
  const iso = inSeconds(hours * 3_600);
  return { localTime: { date: iso.slice(0, 10), time: iso.slice(11, 16) } };
};
const scheduleAtHour = (campaignId: string, hours: number) =>
  as("editor", "POST", `/campaigns/${campaignId}/schedule`, hourIn(hours));
const draft = (topicId: string, more: Record<string, unknown> = {}) => fixture.draft({ topicIds: [topicId], ...more });
/** Ends the run of a campaign, so that it can be corrected. No worker runs here. */
async function end(campaignId: string): Promise<void> {
  const { runId } = await fixture.read(campaignId);
  await as("owner", "POST", `/runs/${runId}/stop`);
  await endRuns(fixture.app);
}
const refused = { status: 409, body: { code: "confirmation_required", confirmAbove: 3 } };
const sent = { status: 202 };

beforeAll(async () => {
  fixture = await openCampaignFixture();
  const { actor, siteId, tenantId } = fixture.publisher;
  tenant = `/dashboard/api/tenants/${tenantId}`;
  cookies.owner = await signIn(fixture.api, ownerEmail(tenantId));
  rowing = (await addTopic(fixture.app, actor, { siteId, name: "Rowing" })).topicId;
  sailing = (await addTopic(fixture.app, actor, { siteId, name: "Sailing" })).topicId;
  const topics = [[rowing], [rowing], [sailing], [sailing], [rowing, sailing]];
  const readers = createSubscriptions(5).map((reader, at) => ({ ...reader, topics: topics[at]! }));
  await subscribe(fixture.app, siteId, readers);
  await as("owner", "PATCH", "", { confirmAbove: 3 });
});

/** Each test has a new editor, who has not sent anything yet. */
beforeEach(async () => {
  cookies.editor = await signInAs(fixture.app, fixture.api, fixture.publisher.tenantId, "editor");
});

describe("the splits of a send by topics, each within the limit", () => {
  test("count together: the one over the limit needs a second person, with any text and address", async () => {
    expect(await send("editor", await draft(rowing))).toMatchObject(sent);
    expect(await send("editor", await draft(sailing))).toMatchObject(refused);
    const copy = await draft(sailing, { url: "https://news.example/other?a=1", title: "Other", body: "Words." });
    const answer = await send("editor", copy);
    expect(answer).toMatchObject(refused);
    expect(answer.body.message).toContain("within an hour");
    expect((await fixture.read(copy)).status).toBe("draft");
    expect(await as("editor", "POST", `/campaigns/${copy}/approval-request`, {})).toMatchObject({ status: 201 });
  });

  test("count together when they are sent at the same moment: one of them starts", async () => {
    const drafts = [await draft(rowing), await draft(sailing)];
    const answers = await Promise.all(drafts.map((campaignId) => send("editor", campaignId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  });

  test("count together when scheduled, or sent beside a schedule, within an hour", async () => {
    expect(await schedule("editor", await draft(rowing), 7_200)).toMatchObject({ status: 200 });
    const split = await draft(sailing);
    expect(await schedule("editor", split, 7_200 + 3_000)).toMatchObject(refused);
    expect(await schedule("editor", split, 7_200 - 3_000)).toMatchObject(refused);
    expect(await schedule("editor", split, 7_200 + 3_700)).toMatchObject({ status: 200 });
    expect(await schedule("editor", split, 7_300)).toMatchObject(refused);
    expect(await schedule("editor", await draft(rowing), 1_800)).toMatchObject({ status: 200 });
    expect(await send("editor", await draft(sailing))).toMatchObject(refused);
  });

  test("count at the time at which a pause let them go", async () => {
    const held = await draft(rowing);
    await schedule("editor", held, 7_200);
    await makeDue(fixture.app, held);
    const split = await draft(sailing);
    await startDueSends(fixture.app);
    expect((await fixture.read(held)).status).toBe("sending");
    await changePlannedSends(fixture.app, { campaignId: held }, { startsAt: ago("2 hours") });
    expect(await send("editor", split)).toMatchObject(refused);
  });

  test("count for the correction of another person's send, too", async () => {
    const first = await draft(rowing);
    await fixture.post(first, "send");
    await end(first);
    const correction = await fixture.draft({ corrects: first, title: "Mine" });
    expect(await send("editor", correction)).toMatchObject(sent);
    expect(await send("editor", await draft(sailing))).toMatchObject(refused);
  });
});

describe("the splits of a send at the hour of the readers", () => {
  test("count at the local time of the site, not half a day before, when the run began", async () => {
    const morning = await draft(rowing);
    expect(await scheduleAtHour(morning, 0.5)).toMatchObject({ status: 200 });
    await makeDue(fixture.app, morning);
    await startDueSends(fixture.app);
    expect((await fixture.read(morning)).status).toBe("sending");
    await changeRuns(fixture.app, { campaignId: morning }, { beganEarlier: "13 hours" });
    expect(await send("editor", await draft(sailing))).toMatchObject(refused);
  });

  test("do not count when the run at a later hour of the readers begins", async () => {
    const later = await draft(rowing);
    expect(await scheduleAtHour(later, 5)).toMatchObject({ status: 200 });
    await makeDue(fixture.app, later);
    await startDueSends(fixture.app);
    expect((await fixture.read(later)).status).toBe("sending");
    expect(await send("editor", await draft(sailing))).toMatchObject(sent);
    expect(await schedule("editor", await draft(sailing), 5 * 3_600)).toMatchObject(refused);
  });

  test("count at the local time of the site after a change of the schedule, too", async () => {
    const morning = await draft(rowing);
    expect(await scheduleAtHour(morning, 20)).toMatchObject({ status: 200 });
    // Six hours from now is the time at which the run begins.
    expect(await schedule("editor", await draft(sailing), 6 * 3_600)).toMatchObject({ status: 200 });
    const changed = await as("editor", "PATCH", `/campaigns/${morning}/scheduled`, { title: "Other" });
    expect(changed).toMatchObject({ status: 200 });
    expect(await schedule("editor", await draft(sailing), 20 * 3_600)).toMatchObject(refused);
  });
});

test("sends at two sites of the publisher count together", async () => {
  const { app, publisher } = fixture;
  const other = await createSite(app, publisher.actor, app.db, { name: "Other", url: "https://other.example" });
  await subscribe(app, other.siteId, createSubscriptions(2));
  expect(await send("editor", await fixture.draft({ siteId: other.siteId }))).toMatchObject(sent);
  expect(await send("editor", await draft(rowing))).toMatchObject(refused);
  expect(await send("owner", await draft(rowing))).toMatchObject(sent);
});

test("a reader counts once: more sends to the same readers need no second person", async () => {
  const first = await draft(rowing);
  expect(await send("editor", first)).toMatchObject(sent);
  expect(await send("editor", await draft(rowing, { url: "https://news.example/second" }))).toMatchObject(sent);
  await end(first);
  expect(await send("editor", await fixture.draft({ corrects: first }))).toMatchObject(sent);
});

test("sends of others, keys, approvals, an hour ago and cancelled schedules do not count", async () => {
  expect(await send("owner", await draft(rowing))).toMatchObject(sent);
  expect(await fixture.post(await draft(rowing), "send")).toMatchObject(sent);

  const approved = await draft(rowing);
  expect(await schedule("editor", approved, 600)).toMatchObject({ status: 200 });
  const { requestId } = (await as("editor", "POST", `/campaigns/${approved}/approval-request`, {})).body;
  expect(await as("owner", "POST", `/campaigns/${approved}/approval-request/approve`, { requestId })).toMatchObject({
    status: 200,
  });

  const cancelled = await draft(rowing);
  expect(await schedule("editor", cancelled, 600)).toMatchObject({ status: 200 });
  await as("editor", "POST", `/campaigns/${cancelled}/cancel`);

  const old = await draft(rowing);
  expect(await send("editor", old)).toMatchObject(sent);
  await changeRuns(fixture.app, { campaignId: old }, { createdEarlier: "61 minutes" });
  expect(await send("editor", await draft(sailing))).toMatchObject(sent);
});

test("without a limit splits are sent; sends from before a limit do not count when it is set", async () => {
  await as("owner", "PATCH", "", { confirmAbove: null });
  expect(await send("editor", await draft(rowing))).toMatchObject(sent);
  await as("owner", "PATCH", "", { confirmAbove: 3 });
  expect(await send("editor", await draft(sailing))).toMatchObject(sent);
});

test("the size of an audience says how many the member would reach alone", async () => {
  const size = async (member: Member, topicId: string) =>
    (await as(member, "GET", `/sites/${fixture.publisher.siteId}/audience?topicIds=${topicId}`)).body;
  expect(await size("editor", sailing)).toEqual({ audience: 3, exact: true, proven: 3, shut: [] });
  await send("editor", await draft(rowing));
  expect(await size("editor", sailing)).toEqual({ audience: 3, exact: true, proven: 3, alone: 5, shut: [] });
  expect(await size("editor", rowing)).toMatchObject({ proven: 3, alone: 3 });
});

test("rows that count no more are deleted with the member's next send", async () => {
  const old = await draft(rowing);
  await send("editor", old);
  await changePlannedSends(fixture.app, { campaignId: old }, { endedEarlier: "9 days" });
  expect(await send("editor", await draft(rowing))).toMatchObject(sent);
  const left = await sql`select from planned_sends where campaign_id = ${old}`.execute(fixture.app.db);
  expect(left.rows).toEqual([]);
});
