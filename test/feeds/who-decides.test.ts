import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { sendCampaign } from "../../src/sends/send-campaign.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { type Api, serve } from "../fixtures/app.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { countRuns, type FeedFixture, makeItemsDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;
let api: Api;
let root: string;
const cookies = {} as Record<"owner" | "editor", string>;
type Member = keyof typeof cookies;

const as = (member: Member, method: string, path: string, body?: unknown) =>
  api.call(method, root + path, { headers: { cookie: cookies[member] }, body });
const add = (member: Member, name: string, more: Record<string, unknown> = {}) =>
  as(member, "POST", `/sites/${fixture.publisher.siteId}/feeds`, { url: `${fixture.server.origin}/${name}`, ...more });
const change = (member: Member, feedId: string, body: unknown) => as(member, "PATCH", `/feeds/${feedId}`, body);
const refused = { status: 403, body: { code: "forbidden", message: expect.stringContaining("Ask an owner") } };

beforeAll(async () => {
  fixture = await openFeedFixture();
  const { tenantId } = fixture.publisher;
  api = await serve(fixture.app);
  root = `/dashboard/api/tenants/${tenantId}`;
  cookies.owner = await signIn(api, ownerEmail(tenantId));
  cookies.editor = await signInAs(fixture.app, api, tenantId, "editor");
});

beforeEach(async () => {
  await as("owner", "PATCH", "", { confirmAbove: 1 });
});

test("where large sends need a second person, an editor cannot give a feed the override", async () => {
  expect(await add("editor", "forced.xml", { override: true })).toMatchObject(refused);
  const { feedId } = (await add("editor", "checked.xml")).body;
  expect(await change("editor", feedId, { override: true })).toMatchObject(refused);
  expect(
    await change("editor", feedId, { hourlyLimit: 5, url: `${fixture.server.origin}/checked-2.xml` }),
  ).toMatchObject({
    status: 200,
    body: { override: false, hourlyLimit: 5 },
  });
  expect(await change("owner", feedId, { override: true })).toMatchObject({ status: 200, body: { override: true } });
  expect(await add("owner", "forced.xml", { override: true })).toMatchObject({ status: 201 });
});

test("an editor changes nothing of what a feed with the override sends, and can only stop it", async () => {
  const { feedId } = (await add("owner", "chosen.xml", { override: true })).body;
  const changes = [
    { url: `${fixture.server.origin}/mine.xml` },
    { topics: [] },
    { unmatched: "everyone" },
    { hourlyLimit: 100 },
    { dailyLimit: 1_000 },
    { newItems: "send" },
    { enabled: false, url: `${fixture.server.origin}/mine.xml` },
  ];
  for (const body of changes) expect(await change("editor", feedId, body), JSON.stringify(body)).toMatchObject(refused);
  for (const body of [{ newItems: "skip" }, { enabled: false }]) {
    expect((await change("editor", feedId, body)).status).toBe(200);
  }
  expect(await change("editor", feedId, { enabled: true })).toMatchObject(refused);
  expect((await change("owner", feedId, { enabled: true })).status).toBe(200);
  const off = await change("editor", feedId, { override: false, hourlyLimit: 9 });
  expect(off).toMatchObject({ status: 200, body: { override: false, hourlyLimit: 9 } });
  expect((await as("editor", "DELETE", `/feeds/${feedId}`)).status).toBe(204);
});

test("an editor changes the name, not the rule, of a segment of a feed with the override", async () => {
  const { siteId } = fixture.publisher;
  const body = { name: "Lately", rule: { seenWithinDays: 7 } };
  const { segmentId } = (await as("owner", "POST", `/sites/${siteId}/segments`, body)).body;
  const widen = (member: Member, seenWithinDays: number) =>
    as(member, "PATCH", `/sites/${siteId}/segments/${segmentId}`, { rule: { seenWithinDays } });
  const { feedId } = (await add("owner", "to-segment.xml", { segment: segmentId })).body;
  expect((await widen("editor", 8)).status).toBe(204);
  await change("owner", feedId, { override: true });
  expect(await widen("editor", 3_000)).toMatchObject({
    status: 403,
    body: { code: "forbidden", message: expect.stringContaining("an owner") },
  });
  const renamed = { name: "Regulars", rule: { seenWithinDays: 8 } };
  expect((await as("editor", "PATCH", `/sites/${siteId}/segments/${segmentId}`, renamed)).status).toBe(204);
  await change("editor", feedId, { enabled: false });
  expect((await widen("editor", 3_000)).status).toBe(403);
  expect((await widen("owner", 9)).status).toBe(204);
  await as("owner", "PATCH", "", { confirmAbove: null });
  expect((await widen("editor", 10)).status).toBe(204);
});

test("without that limit an editor may force a feed; only an owner sets or removes it", async () => {
  expect(await as("editor", "PATCH", "", { confirmAbove: null })).toMatchObject({ status: 403 });
  await as("owner", "PATCH", "", { confirmAbove: null });
  expect(await add("editor", "free.xml", { override: true })).toMatchObject({ status: 201 });
});

describe("other hosts than the site's", () => {
  const elsewhere = { allowedHosts: ["blog.example"] };

  test("are allowed to a feed's items by an owner only, who may also take them back", async () => {
    expect(await add("editor", "led.xml", elsewhere)).toMatchObject(refused);
    const { feedId } = (await add("editor", "led.xml")).body;
    expect(await change("editor", feedId, elsewhere)).toMatchObject(refused);
    const allowed = await change("owner", feedId, {
      allowedHosts: [" Blog.Example ", "blog.example", "bücher.example"],
    });
    expect(allowed).toMatchObject({ status: 200, body: { allowedHosts: ["blog.example", "xn--bcher-kva.example"] } });
    expect(await change("editor", feedId, { allowedHosts: ["blog.example", "evil.example"] })).toMatchObject(refused);
    expect(await change("editor", feedId, elsewhere)).toMatchObject({ status: 200, body: elsewhere });
    expect((await change("owner", feedId, { allowedHosts: [] })).body).toMatchObject({ allowedHosts: [] });
    expect(await add("owner", "led-2.xml", elsewhere)).toMatchObject({ status: 201, body: elsewhere });
  });

  test("include the host of a feed that an owner adds, and not of one that an editor adds", async () => {
    const at = (path: string) => ({ url: `https://feeds.example/${path}` });
    expect((await add("owner", "", at("of-an-owner"))).body).toMatchObject({ allowedHosts: ["feeds.example"] });
    expect((await add("editor", "", at("of-an-editor"))).body).toMatchObject({ allowedHosts: [] });
    expect((await add("owner", "of-the-site.xml")).body).toMatchObject({ allowedHosts: [] });
  });

  test("stay with the address for which an owner allowed them: an editor changes everything else", async () => {
    const { feedId, url } = (await add("owner", "stays.xml", elsewhere)).body;
    expect(await change("editor", feedId, { url: `${fixture.server.origin}/mine-2.xml` })).toMatchObject(refused);
    expect(await change("editor", feedId, { url, hourlyLimit: 9 })).toMatchObject({
      status: 200,
      body: { hourlyLimit: 9 },
    });
    expect((await change("owner", feedId, { url: `${fixture.server.origin}/moved.xml` })).status).toBe(200);
  });

  test.each(["https://blog.example", "blog.example/path", "blog.example:8443", "a@blog.example", "example", "", 7])(
    "are refused as %j, which is no name of a host",
    async (host) => {
      const { feedId } = (await add("owner", `wrong-${host}.xml`.replaceAll(/[^a-z0-9.]/g, "-"))).body;
      const answer = await change("owner", feedId, { allowedHosts: [host] });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/allowedHosts/0" }] } });
    },
  );
});

test("a feed is polled more often than it asks if an owner says so, up to every 30 seconds", async () => {
  expect(await add("editor", "hurried.xml", { pollSeconds: 30 })).toMatchObject(refused);
  const { feedId } = (await add("editor", "hurried.xml")).body;
  expect(await change("editor", feedId, { pollSeconds: 300 })).toMatchObject(refused);
  await changeFeeds(fixture.app, { id: feedId }, { nextPollAt: ahead("6 hours") });
  const hurried = await change("owner", feedId, { pollSeconds: 60 });
  expect(hurried).toMatchObject({ status: 200, body: { pollSeconds: 60 } });
  expect(Date.parse(hurried.body.nextPollAt)).toBeLessThan(Date.now() + 90_000);
  expect(await change("editor", feedId, { pollSeconds: 30 })).toMatchObject(refused);
  expect(await change("editor", feedId, { hourlyLimit: 2, pollSeconds: 60 })).toMatchObject({ status: 200 });
  expect(await change("editor", feedId, { hourlyLimit: 3 })).toMatchObject({ body: { pollSeconds: 60 } });
  expect(await change("editor", feedId, { pollSeconds: 21_600 })).toMatchObject({ body: { pollSeconds: 21_600 } });
  for (const pollSeconds of [29, 21_601, 45.5, "30"]) {
    const answer = await change("owner", feedId, { pollSeconds });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/pollSeconds" }] } });
  }
});

test("a feed does not send the text of an editor who has changed its waiting campaign", async () => {
  const { app, publisher } = fixture;
  const feed = await fixture.feedWith(publisher, []);
  await changeTenant(app, publisher.actor, { paused: true });
  feed.put([story(fixture, "waiting")]);
  const [item] = await feed.pollAndSend();
  const actor = { kind: "feed", tenantId: publisher.tenantId, feedId: feed.feedId } as const;
  const idempotencyKey = `feed:${item!.itemId}`;
  const texts = { mode: "manual", url: item!.url, title: "The story", body: "Text." };
  const body = { siteId: publisher.siteId, ...texts };
  const { campaignId } = await createCampaign(app, actor, { body, idempotencyKey });
  const edited = await as("editor", "PATCH", `/campaigns/${campaignId}`, { title: "Buy this" });
  expect(edited).toMatchObject({ status: 200 });
  await changeTenant(app, publisher.actor, { paused: false });
  await expect(sendCampaign(app, actor, { campaignId, idempotencyKey })).rejects.toThrow("changed by hand");
  await makeItemsDue(app);
  await itemWork(app).untilIdle();
  expect(await feed.items()).toMatchObject([{ status: "skipped", campaignId, reasons: [{ code: "campaign_left" }] }]);
  expect(await countRuns(app, publisher.siteId)).toBe(0);
});
