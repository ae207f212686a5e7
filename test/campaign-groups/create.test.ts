import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createGroup as createNewGroup } from "../../src/campaign-groups/create-group.ts";
import { maxSitesOfGroup } from "../../src/campaigns/campaign-input.ts";
import { fetchesOfRequester } from "../../src/egress/page/fetch-page.ts";
import { newId } from "../../src/ids.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { atOnce } from "../fixtures/at-once.ts";
import { type FeedServer, startFeedServer } from "../fixtures/feed-server.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { type GroupFixture, openGroupFixture } from "./fixture.ts";

let fixture: GroupFixture;
let server: FeedServer;
let createGroup: GroupFixture["createGroup"];
let sites: string[];

beforeAll(async () => {
  server = await startFeedServer();
  fixture = await openGroupFixture({ ALLOW_HOSTS: server.allowHost });
  ({ createGroup, sites } = fixture);
});

const created = async () => (await sql`select from campaigns`.execute(fixture.app.db)).rows.length;
let before: number;
beforeEach(async () => {
  before = await created();
});

describe("a group", () => {
  test("has a campaign at each site, in the order of the request, with the fields of all", async () => {
    const own = "https://evening.example/bridge";
    const entries = [{ siteId: sites[2] }, { siteId: sites[0]!.toUpperCase() }, { siteId: sites[1], url: own }];
    const { status, body, headers } = await createGroup({ sites: entries, labels: ["Desk"], externalId: "4711" });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/campaign-groups/${body.groupId}`);
    expect(body.campaigns.map(({ siteId }: { siteId: string }) => siteId)).toEqual([sites[2], sites[0], sites[1]]);
    for (const [i, campaign] of body.campaigns.entries()) {
      const url = i === 2 ? own : "https://news.example/bridge";
      const shared = { groupId: body.groupId, labels: ["Desk"], externalId: "4711", title: "Bridge opens" };
      expect(campaign).toMatchObject({ ...shared, url, status: "draft" });
      expect(await fixture.read(campaign.campaignId)).toMatchObject(shared);
    }
  });

  test("takes the topics of a site from the entry of the site", async () => {
    const { topicId } = await addTopic(fixture.app, fixture.publisher.actor, { siteId: sites[1]!, name: "Sport" });
    const { body } = await createGroup({
      sites: [
        { siteId: sites[0], url: null },
        { siteId: sites[1], topicIds: [topicId] },
      ],
    });
    expect(body.campaigns.map(({ topicIds }: { topicIds: string[] }) => topicIds)).toEqual([[], [topicId]]);
  });

  test("reads a page once that several sites name, and decides for each site", async () => {
    const url = server.publish("/stories/shared", "Bridge opens");
    const { body } = await createGroup({ mode: "url", url, title: undefined, body: undefined });
    expect(body.campaigns.map(({ title }: { title: string }) => title)).toEqual(Array(3).fill("Bridge opens"));
    expect(server.asked("/stories/shared")).toHaveLength(1);
  });

  test("reads at most as many pages at the same time as its tenant may", async () => {
    const { app, publisher } = fixture;
    const entries = [];
    for (let n = 0; n < 2 * fetchesOfRequester; n++) {
      const site = { name: `Title ${n}`, url: `https://title-${n}.example` };
      const { siteId } = await createSite(app, publisher.actor, app.db, site);
      entries.push({ siteId, url: server.publish(`/stories/title-${n}`) });
    }
    const running = new Set<string>();
    let most = 0;
    const fetchPage: App["pages"]["fetchPage"] = (url, requester) => {
      running.add(url);
      most = Math.max(most, running.size);
      return app.pages.fetchPage(url, requester).finally(() => running.delete(url));
    };
    const pages = { ...app.pages, fetchPage };
    const body = { mode: "url", sites: entries };
    const group = await createNewGroup({ ...app, pages }, publisher.actor, { body, idempotencyKey: null });
    expect(group.campaigns.map(({ status }) => status)).toEqual(entries.map(() => "draft"));
    expect(most).toBe(fetchesOfRequester);
  });

  test("is no part of a campaign that was created alone", async () => {
    expect((await fixture.create()).body.groupId).toBeNull();
  });
});

const faultsOf = async (fields: Record<string, unknown>) => {
  const { status, body } = await createGroup(fields);
  expect([status, body.code]).toEqual([400, "validation_failed"]);
  expect(await created()).toBe(before);
  return body.errors;
};
const paths = async (fields: Record<string, unknown>) =>
  (await faultsOf(fields)).map(({ path }: { path: string }) => path);
const two = (second: object) => ({ sites: [{ siteId: sites[0] }, second] });

describe("nothing is created, and each fault is named,", () => {
  test("for another publisher's site as for an unknown one", async () => {
    const { siteId } = await createPublisher(fixture.app);
    const refusal = [{ path: "/sites/1/siteId", message: "is no site of this tenant" }];
    expect(await faultsOf(two({ siteId }))).toMatchObject(refusal);
    expect(await faultsOf(two({ siteId: newId() }))).toMatchObject(refusal);
  });

  test("where it stands: at a site, or at what all sites share", async () => {
    expect(await paths(two({ siteId: sites[1], url: "ftp://news.example/" }))).toEqual(["/sites/1/url"]);
    expect(await paths({ url: "ftp://news.example/" })).toEqual(["/url"]);
    expect(await paths({ title: "" })).toEqual(["/title"]);
    expect(await paths(two({ siteId: sites[1], topicIds: [newId()] }))).toEqual(["/sites/1/topicIds/0"]);
    expect(await paths(two({ siteId: "x", url: "" }))).toEqual(["/sites/1/siteId", "/sites/1/url"]);
    expect(await paths(two({}))).toEqual(["/sites/1/siteId"]);
    expect(await paths(two({ siteId: newId(), title: "T" }))).toEqual(["/sites/1/title"]);
  });

  test("for what belongs to one site and stands beside the sites", async () => {
    for (const field of ["siteId", "topicIds", "segment", "followersOf", "corrects"]) {
      expect(await paths({ [field]: newId() })).toEqual([`/${field}`]);
    }
  });

  test("for too few sites, too many sites, and a site that is named twice", async () => {
    expect(await paths({ sites: [{ siteId: sites[0] }] })).toEqual(["/sites"]);
    expect(await paths({ sites: undefined })).toEqual(["/sites"]);
    expect(await paths({ sites: Array.from({ length: maxSitesOfGroup + 1 }, () => ({ siteId: newId() })) })).toEqual([
      "/sites",
    ]);
    expect(await paths(two({ siteId: sites[0]!.toUpperCase() }))).toEqual(["/sites/1/siteId"]);
  });

  test("for a message that is too large at one site", async () => {
    const imageUrl = `https://images.example/${"i".repeat(2_000)}`;
    const url = `https://news.example/${"u".repeat(1_990)}`;
    expect(await paths({ imageUrl, ...two({ siteId: sites[1], url }) })).toEqual(["/imageUrl"]);
  });

  test("for the address of one site that must not be fetched", async () => {
    const url = server.publish("/stories/of-one", "Bridge opens");
    const story = { mode: "url", url, title: undefined, body: undefined };
    const { status, body } = await createGroup({ ...story, ...two({ siteId: sites[1], url: "https://127.0.0.1/" }) });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "url_not_allowed", errors: [{ path: "/sites/1/url" }] });
    expect(await created()).toBe(before);
  });

  test("for a page of one site that is forced and gives no title", async () => {
    const story = {
      mode: "url",
      url: server.publish("/stories/of-two"),
      title: undefined,
      body: undefined,
      forceSend: true,
    };
    const missing = `${server.origin}/stories/missing`;
    const { status, body } = await createGroup({ ...story, ...two({ siteId: sites[1], url: missing }) });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: "fetch_failed", errors: [{ path: "/sites/1/url" }] });
    expect(await created()).toBe(before);
  });
});

describe("an Idempotency-Key", () => {
  const withKey = (key: string) => ({ "idempotency-key": key });

  test("gives one group, also to twenty requests at the same time", async () => {
    const answers = await atOnce(20, () => createGroup({}, withKey("group-1")));
    expect(new Set(answers.map(({ body }) => body.groupId)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
    expect(await created()).toBe(before + 3);
    const again = await createGroup({}, withKey("group-1"));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body.campaigns).toHaveLength(3);
  });

  test("is refused for another body, and for a single campaign", async () => {
    await createGroup({}, withKey("group-2"));
    const reused = { status: 422, body: { code: "idempotency_key_reused" } };
    expect(await createGroup({ title: "Bridge closes" }, withKey("group-2"))).toMatchObject(reused);
    expect(await fixture.create({}, withKey("group-2"))).toMatchObject(reused);
    await fixture.create({}, withKey("single-2"));
    expect(await createGroup({}, withKey("single-2"))).toMatchObject(reused);
  });

  test("stays free while no page of the group answers", async () => {
    const url = `${server.origin}/stories/late`;
    const story = { mode: "url", url, title: undefined, body: undefined };
    const unread = await createGroup(story, withKey("group-3"));
    expect(unread.body.campaigns.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill("cancelled"));
    server.publish("/stories/late", "Bridge opens late");
    const read = await createGroup(story, withKey("group-3"));
    expect(read.body).toMatchObject({ duplicate: false, campaigns: [{ status: "draft" }, {}, {}] });
    expect((await createGroup(story, withKey("group-3"))).body.groupId).toBe(read.body.groupId);
  });

  test("belongs to a group of which some pages have answered", async () => {
    const url = server.publish("/stories/some", "Bridge opens");
    const entries = [{ siteId: sites[0] }, { siteId: sites[1], url: `${server.origin}/stories/none` }];
    const story = { mode: "url", url, title: undefined, body: undefined, sites: entries };
    const first = await createGroup(story, withKey("group-4"));
    expect(first.body.campaigns).toMatchObject([{ status: "draft" }, { status: "cancelled" }]);
    expect((await createGroup(story, withKey("group-4"))).body).toMatchObject({
      groupId: first.body.groupId,
      duplicate: true,
    });
  });
});
