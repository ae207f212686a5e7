import { beforeAll, expect, test } from "vitest";
import { makeHistory, usualEffects } from "../../bench/forecast-history.ts";
import type { App } from "../../src/app.ts";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { previewContent } from "../../src/campaigns/preview-content.ts";
import { decideStory } from "../../src/decision/decide-story.ts";
import { learn } from "../../src/forecast/forecast.ts";
import { saveLearnt } from "../../src/forecast/queries.ts";
import { sendCampaign } from "../../src/sends/send-campaign.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { randomFrom } from "../faults/random.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";

const url = "https://news.example.com/tram";

let app: App;
let publisher: Publisher;
let sailing: string;
let chess: string;
beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  const { siteId } = publisher;
  sailing = (await addTopic(app, publisher.actor, { siteId, name: "Sailing" })).topicId;
  chess = (await addTopic(app, publisher.actor, { siteId, name: "Chess" })).topicId;
  const readers = createSubscriptions(5).map((reader, i) => (i < 2 ? { ...reader, topics: [sailing] } : reader));
  await subscribe(app, siteId, readers);
  await subscribe(app, siteId, createSubscriptions(1), "desk");
});

/**
 * Returns the app with a fetcher that returns one page for every URL. Its clock is the real one, because runs have the
 * time of the database.
 */
const reading = (html: string): App => {
  const body = Buffer.from(html);
  return {
    ...app,
    pages: {
      ...app.pages,
      fetchPage: async (at) => {
        return { kind: "page", url: at, status: 200, contentType: "text/html", robotsHeader: null, body };
      },
    },
  };
};
const storyOf = (name: string) =>
  `<title>Tram line extended</title><link rel="canonical" href="https://news.example.com/${name}">`;
const codesOf = (reasons: { code: string; effect: string }[]) => reasons.map(({ code, effect }) => `${effect} ${code}`);

async function send(on: App, body: Record<string, unknown>): Promise<void> {
  const created = await createCampaign(on, publisher.actor, {
    body: { siteId: publisher.siteId, ...body },
    idempotencyKey: null,
  });
  await sendCampaign(on, publisher.actor, { campaignId: created.campaignId, idempotencyKey: null });
}

test("a story for a site has an audience: subscribers of its topics, never test subscribers", async () => {
  const web = reading(storyOf("a"));
  const decideFor = (topicIds?: string[], countAtMost?: number) =>
    decideStory(web, { url, site: { siteId: publisher.siteId, topicIds, ...(countAtMost && { countAtMost }) } });
  expect((await decideFor()).audience).toMatchObject({ reachable: 5, reachableExact: true, sentLast24Hours: 0 });
  expect((await decideFor([sailing])).audience).toMatchObject({ reachable: 2 });
  expect((await decideFor([], 4)).audience).toMatchObject({ reachable: 4, reachableExact: false });
  const both = await decideFor([sailing, chess]);
  expect(both).toMatchObject({ decision: "send", audience: { reachable: 2 } });
  expect(both.reasons).toContainEqual({
    code: "empty_topic",
    effect: "informs",
    message: "No reader has subscribed to “Chess”. Leave it out, or choose another topic.",
    messageCode: "topics_empty",
    params: { names: "“Chess”" },
  });
  expect(codesOf((await decideFor([chess])).reasons)).toContain("lowers no_audience");
});

test.each<[what: string, change: () => Record<string, unknown>]>([
  ["nothing", () => ({})],
  ["a title", () => ({ title: "The tram reaches the harbour" })],
  ["a short title", () => ({ title: "Tram" })],
  ["a text", () => ({ body: "Trains run every ten minutes from Saturday." })],
  ["a picture", () => ({ imageUrl: "https://news.example.com/own.jpg" })],
  ["no picture", () => ({ imageUrl: "" })],
  ["a topic without readers", () => ({ topicIds: [chess] })],
  ["followers of what nobody follows", () => ({ followersOf: "nobody" })],
  ["all of it", () => ({ title: "The tram reaches the harbour", body: "From Saturday.", topicIds: [sailing] })],
])("with %s of the editor's own, a preview has the decision of the campaign", async (_, change) => {
  const web = reading(storyOf("previewed"));
  const body = { siteId: publisher.siteId, url: "https://news.example.com/previewed", ...change() };
  const { decision, score, reasons, nudge } = await previewContent(web, publisher.actor, { body });
  const campaign = await createCampaign(web, publisher.actor, { body, idempotencyKey: null });
  expect(campaign.decision).toEqual({ decision, score, reasons });
  expect(campaign).toMatchObject({ title: nudge.title, body: nudge.body ?? "", imageUrl: nudge.imageUrl });
});

test("a preview refuses readers of no site, unknown topics, and a text that is too long", async () => {
  const { siteId } = publisher;
  const faultsOf = (body: Record<string, unknown>) =>
    previewContent(app, publisher.actor, { body: { url, ...body } }).catch(({ details }) => details.errors);
  expect(await faultsOf({ topicIds: [chess] })).toMatchObject([{ path: "/siteId", message: "is required" }]);
  expect(await faultsOf({ siteId, topicIds: [siteId] })).toMatchObject([{ path: "/topicIds/0" }]);
  expect(await faultsOf({ siteId, segment: siteId })).toMatchObject([{ path: "/segment" }]);
  expect(await faultsOf({ siteId, topicIds: [chess], followersOf: "tram" })).toMatchObject([{ path: "/followersOf" }]);
  expect(await faultsOf({ siteId, title: "x".repeat(121) })).toMatchObject([{ path: "/title" }]);
});

test("a story is skipped for seven days by its canonical address, and its campaign cancelled", async () => {
  const web = reading(storyOf("sent"));
  const body = { siteId: publisher.siteId, url: "https://news.example.com/amp/sent?utm_source=x" };
  const create = () => createCampaign(web, publisher.actor, { body, idempotencyKey: null });
  const draft = await create();
  expect(draft.status).toBe("draft");
  expect((await create()).status, "a draft is not sent yet").toBe("draft");
  await sendCampaign(web, publisher.actor, { campaignId: draft.campaignId, idempotencyKey: null });

  const again = await previewContent(web, publisher.actor, { body });
  expect(again).toMatchObject({ decision: "skip", score: 0, audience: { sentLast24Hours: 1 } });
  expect(codesOf(again.reasons)).toContain("blocks already_sent");
  expect(await create()).toMatchObject({ status: "cancelled", decision: { decision: "skip" } });
  expect(
    (await createCampaign(web, publisher.actor, { body: { ...body, forceSend: true }, idempotencyKey: null })).status,
  ).toBe("draft");

  await changeRuns(app, { campaignId: draft.campaignId!, status: "queued" }, { status: "sending" });
  await changeRuns(app, { campaignId: draft.campaignId! }, { status: "completed" });
  const correction = { body: { ...body, corrects: draft.campaignId }, idempotencyKey: null };
  const corrected = await createCampaign(web, publisher.actor, correction);
  expect(corrected, "its correction").toMatchObject({ status: "draft", decision: { decision: "send" } });
  const { siteId } = await createPublisher(app);
  const elsewhere = await decideStory(web, { url, site: { siteId } });
  expect(codesOf(elsewhere.reasons), "another site").not.toContain("blocks already_sent");
  const later = { ...web, now: () => Date.now() + 7 * 86_400_000 };
  const { reasons, audience } = await decideStory(later, { url, site: { siteId: publisher.siteId } });
  expect(codesOf(reasons), "a week later").not.toContain("blocks already_sent");
  expect(audience).toMatchObject({ sentLast24Hours: 0, storySentAt: null });
});

test("a campaign in manual mode starts the cooldown of its story as well", async () => {
  await send(app, {
    mode: "manual",
    title: "By hand",
    body: "Now.",
    url: "https://news.example.com/hand?fbclid=1#top",
  });
  const seen = await decideStory(reading(storyOf("hand")), { url, site: { siteId: publisher.siteId } });
  expect(codesOf(seen.reasons)).toContain("blocks already_sent");
});

test("a story is checked by the site's own limits, and they block a feed", async () => {
  const { siteId } = publisher;
  const web = reading(
    `${storyOf("old")}<meta name="date" content="${new Date(Date.now() - 30 * 3_600_000).toISOString()}">`,
  );
  const decideIt = (strict: boolean) => decideStory(web, { url, site: { siteId }, strict });
  expect(await decideIt(true)).toMatchObject({ decision: "send" });
  await send(app, { mode: "manual", title: "Something else", body: "Now.", url: "https://news.example.com/else" });
  await changeSite(app, publisher.actor, {
    siteId,
    dailyLimit: 1,
    minGapMinutes: 30,
    quietHours: { from: "00:00", until: "23:59" },
  });
  const { decision, reasons, audience } = await decideIt(false);
  expect(decision).toBe("send");
  expect(codesOf(reasons)).toEqual(expect.arrayContaining(["lowers daily_limit", "lowers min_gap"]));
  expect(audience).toMatchObject({ dailyLimit: 1, minGapMinutes: 30, quietHours: { from: "00:00", until: "23:59" } });
  expect(Date.now() - Date.parse(audience!.lastSentAt!)).toBeLessThan(60_000);
  expect(codesOf((await decideIt(true)).reasons)).toEqual(
    expect.arrayContaining(["blocks daily_limit", "blocks min_gap"]),
  );
  await changeSite(app, publisher.actor, {
    siteId,
    dailyLimit: null,
    minGapMinutes: null,
    quietHours: null,
    freshnessHours: 24,
  });
  expect(codesOf((await decideIt(false)).reasons)).toContain("blocks too_old");
});

test("a test send, or a send without an audience, starts no cooldown", async () => {
  const { siteId, actor } = await createPublisher(app);
  const web = reading(storyOf("nobody"));
  const { campaignId } = await createCampaign(web, actor, { body: { siteId, url }, idempotencyKey: null });
  await sendCampaign(web, actor, { campaignId, idempotencyKey: null });
  expect((await decideStory(web, { url, site: { siteId } })).audience).toMatchObject({ storySentAt: null });
  await changeRuns(app, { siteId }, { kind: "test", expectedAudience: 3 });
  expect((await decideStory(web, { url, site: { siteId } })).audience).toMatchObject({
    storySentAt: null,
    lastSentAt: null,
    sentLast24Hours: 0,
  });
});

test("a picture of three other stories is the site's default, and a fourth story has none", async () => {
  const { siteId, tenantId, actor } = await createPublisher(app);
  const pictured = (name: string, picture: string) =>
    reading(`${storyOf(name)}<meta property="og:image" content="https://news.example.com/${picture}.jpg">`);
  const decide = (name: string, picture: string, strict = true) => {
    const story = { url: `https://news.example.com/${name}`, tenantId, site: { siteId }, strict };
    return decideStory(pictured(name, picture), story);
  };
  for (const name of ["one", "two", "three"]) {
    expect((await decide(name, "skyline")).nudge.imageUrl).toBe("https://news.example.com/skyline.jpg");
    const body = { siteId, mode: "url", url: `https://news.example.com/${name}` };
    await createCampaign(pictured(name, "skyline"), actor, { body, idempotencyKey: null });
  }
  const fourth = await decide("four", "skyline");
  expect(fourth.nudge.imageUrl).toBeNull();
  // An editor sees the picture and may keep it.
  expect((await decide("four", "skyline", false)).nudge.imageUrl).toBe("https://news.example.com/skyline.jpg");
  expect((await decide("four", "own")).nudge.imageUrl).toBe("https://news.example.com/own.jpg");
  // For the first story there are still only two other stories with the picture.
  expect((await decide("one", "skyline")).nudge.imageUrl).toBe("https://news.example.com/skyline.jpg");
});

test("the site's own history is among the reasons, but not for a correction or another site", async () => {
  const { siteId } = await createPublisher(app);
  await saveLearnt(app.db, siteId, learn(makeHistory(400, usualEffects, randomFrom(2).unit)));
  const web = reading(storyOf("ferry"));
  const isNamed = async (site: { siteId: string; isCorrection?: boolean }) =>
    (await decideStory(web, { url, site })).reasons.some(({ code }) => code === "own_history");
  expect(await isNamed({ siteId })).toBe(true);
  expect(await isNamed({ siteId, isCorrection: true })).toBe(false);
  expect(await isNamed({ siteId: publisher.siteId })).toBe(false);
});
