import { once } from "node:events";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSiteChanges } from "../../src/dashboard-api/site-changes.ts";
import { maxMemberStreams } from "../../src/http/streams.ts";
import { newId } from "../../src/ids.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { openCampaignFixture } from "../campaigns/fixture.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";
import { insertPerson, ownerEmail, signIn } from "../fixtures/sign-in.ts";

const fixture = await openCampaignFixture();
const { app, api, publisher } = fixture;
const cookieOf = (of: Publisher) => signIn(api, ownerEmail(of.tenantId));

/**
 * Opens a stream. `before` has the topics of its first event, for earlier changes. `heard` has the topics of its later
 * events so far. `ended` resolves when the service ends the stream.
 */
async function follow(cookie: string, { tenantId, siteId }: Publisher = publisher) {
  const leaving = new AbortController();
  const answer = await fetch(`${api.url}/dashboard/api/tenants/${tenantId}/sites/${siteId}/changes`, {
    headers: { cookie },
    signal: leaving.signal,
  });
  const heard: string[][] = [];
  let before: string[] | undefined;
  const leave = () => leaving.abort();
  if (answer.status !== 200) return { status: answer.status, heard, body: await answer.json(), leave };
  const read = async () => {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream()))
      for (const [, data] of chunk.matchAll(/^event: changes\ndata: (.*)$/gm)) {
        if (before === undefined) before = JSON.parse(data!);
        else heard.push(JSON.parse(data!));
      }
  };
  const ended = read().catch(() => {});
  afterFile(leave);
  await eventually(async () => before !== undefined);
  return { status: answer.status, type: answer.headers.get("content-type"), before, heard, ended, leave };
}

const hears = (stream: { heard: string[][] }, topic: string) =>
  eventually(async () => stream.heard.some((topics) => topics.includes(topic)));

test("a member's page hears what another member, a key or a command changes of the site", async () => {
  const stream = await follow(await cookieOf(publisher));
  expect(stream.type).toBe("text/event-stream");
  const campaignId = await fixture.draft();
  await hears(stream, "campaigns");
  await fixture.post(campaignId, "send");
  await hears(stream, "sends");
  await changeSites(app, { id: publisher.siteId }, { isPaused: true });
  await hears(stream, "settings");
  await changeSites(app, { id: publisher.siteId }, { isPaused: false });
  stream.heard.length = 0;
  await changeTenants(app, { id: publisher.tenantId }, { confirmAbove: 10 });
  await hears(stream, "settings");
  await changeTenants(app, { id: publisher.tenantId }, { confirmAbove: null });
  await api.call("POST", `/dashboard/api/tenants/${publisher.tenantId}/sites/${publisher.siteId}/topics`, {
    headers: { cookie: await cookieOf(publisher), origin: api.url },
    body: { name: "Sport" },
  });
  await hears(stream, "audience");
  stream.leave();
});

test("a page of one site hears of campaigns and runs of a group at another site", async () => {
  const { tenantId, apiKey: key, actor } = publisher;
  const sister = await createSite(app, actor, app.db, { name: "Sister", url: "https://sister.example" });
  const stream = await follow(await cookieOf(publisher));
  const sites = [{ siteId: publisher.siteId }, { siteId: sister.siteId }];
  const body = { mode: "manual", url: "https://news.example/a", title: "T", body: "B", sites };
  const created = await api.call("POST", `/v1/tenants/${tenantId}/campaign-groups`, { key, body });
  await hears(stream, "groups");
  stream.heard.length = 0;
  await fixture.post(created.body.campaigns[1].campaignId, "send");
  await hears(stream, "groups");
  expect(stream.heard.flat()).toEqual(["groups"]);
  stream.leave();
});

test("many changes within a second are one event, and none is lost", async () => {
  const stream = await follow(await cookieOf(publisher));
  await fixture.draft();
  await hears(stream, "campaigns");
  stream.heard.length = 0;
  const beganMs = performance.now();
  for (let i = 0; i < 10; i++) await fixture.draft();
  await changeSites(app, { id: publisher.siteId }, { name: "Renamed" });
  await hears(stream, "settings");
  const seconds = Math.floor((performance.now() - beganMs) / 1_000);
  expect(stream.heard.length).toBeLessThanOrEqual(3 + seconds);
  expect(stream.heard.flat()).toContain("campaigns");
  stream.leave();
});

test("a change of another publisher is not heard, and its site is not followed", async () => {
  const stranger = await createPublisher(app);
  const cookie = await cookieOf(publisher);
  const [own, foreign] = [await follow(cookie), await follow(await cookieOf(stranger), stranger)];
  await fixture.draft();
  await hears(own, "campaigns");
  await changeSites(app, { id: stranger.siteId }, { name: "Renamed" });
  await hears(foreign, "settings");
  expect(foreign.heard.flat()).not.toContain("campaigns");
  expect((await follow(cookie, stranger)).status).toBe(403);
  expect((await follow(cookie, { ...publisher, siteId: stranger.siteId })).status).toBe(404);
  expect((await follow(cookie, { ...publisher, siteId: newId() })).status).toBe(404);
  expect((await follow("")).status).toBe(401);
  own.leave();
  foreign.leave();
});

test("a stream ends at the sign-out, and the next one is refused", async () => {
  const cookie = await cookieOf(publisher);
  const stream = await follow(cookie);
  await api.call("POST", "/dashboard/api/auth/sign-out", { headers: { cookie, origin: api.url } });
  await stream.ended;
  expect((await follow(cookie)).status).toBe(401);
});

test("a stream ends when the member is removed, and the next one is refused", async () => {
  const userId = await insertPerson(app.db, publisher.tenantId, "leaves@example.org", "viewer");
  const cookie = await signIn(api, "leaves@example.org");
  const stream = await follow(cookie);
  await sql`delete from members where user_id = ${userId}`.execute(app.db);
  await stream.ended;
  expect((await follow(cookie)).status).toBe(403);
});

test("a stream ends when its site is removed, and the next one is refused", async () => {
  const leaving = await createPublisher(app);
  const cookie = await cookieOf(leaving);
  const stream = await follow(cookie, leaving);
  await changeSites(app, { id: leaving.siteId }, { removedAt: new Date() });
  await stream.ended;
  expect((await follow(cookie, leaving)).status).toBe(404);
});

test("a stream whose service has lost its connection ends, so that the page reads again", async () => {
  const stream = await follow(await cookieOf(publisher));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'pressbell notices'`.execute(app.db);
  await stream.ended;
  const next = await follow(await cookieOf(publisher));
  await fixture.draft();
  await hears(next, "campaigns");
  next.leave();
});

test("a member has twenty streams at most, and another member is not affected", async () => {
  const cookie = await cookieOf(publisher);
  const streams = await Promise.all(Array.from({ length: maxMemberStreams }, () => follow(cookie)));
  expect(await follow(cookie)).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "streams" } });
  await insertPerson(app.db, publisher.tenantId, "other@example.org", "viewer");
  const other = await follow(await signIn(api, "other@example.org"));
  expect(other.status).toBe(200);
  for (const { leave } of [...streams, other]) leave();
});

test("a stream that its client closes leaves no follower", async () => {
  const changes = createSiteChanges();
  const stream = await changes.follow(app, [publisher.siteId]);
  expect(changes.followed()).toBe(1);
  stream.destroy();
  await once(stream, "close");
  expect(changes.followed()).toBe(0);
  await changes.stop();
});

test("a stream begins with what has changed just before, of its own site only", async () => {
  const first = await follow(await cookieOf(publisher));
  // A process that has not listened long enough reports all topics.
  expect(first.before).toContain("feeds");
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 16_000);
  onTestFinished(() => clock.mockRestore());
  const late = await createPublisher(app);
  await changeSites(app, { id: late.siteId }, { name: "Renamed" });
  await fixture.draft();
  await hears(first, "campaigns");
  const { before } = await follow(await cookieOf(late), late);
  expect(before).toContain("settings");
  expect(before).not.toContain("campaigns");
  expect(before).not.toContain("feeds");
  first.leave();
});

test("what pages do not show is not told: readers who are seen, and the claim of a feed's poll", async () => {
  const { id: feedId } = (
    await sql<{ id: string }>`insert into feeds (id, tenant_id, site_id, url, created_by)
    values (${newId()}, ${publisher.tenantId}, ${publisher.siteId}, 'https://news.example/rss.xml', 'operator')
    returning id`.execute(app.db)
  ).rows[0]!;
  const stream = await follow(await cookieOf(publisher));
  await sql`update sites set readers_seen_on = '2020-01-01' where id = ${publisher.siteId}`.execute(app.db);
  await sql`update feeds set poll_attempt = poll_attempt + 1, poll_lease_until = now() where id = ${feedId}`.execute(
    app.db,
  );
  await fixture.draft();
  await hears(stream, "campaigns");
  expect(stream.heard.flat().filter((topic) => topic === "settings" || topic === "feeds")).toEqual([]);
  await sql`update feeds set polled_at = now() where id = ${feedId}`.execute(app.db);
  await hears(stream, "feeds");
  stream.leave();
});

test("invitations and the welcome are told", async () => {
  const stream = await follow(await cookieOf(publisher));
  const userId = await insertPerson(app.db, publisher.tenantId, "invites@example.org", "owner");
  await hears(stream, "members");
  stream.heard.length = 0;
  await sql`insert into invitations (id, tenant_id, email, role, token_hash, invited_by, expires_at)
    values (${newId()}, ${publisher.tenantId}, 'new@example.org', 'editor', sha256('token'), ${userId},
      now() + interval '1 day')`.execute(app.db);
  await hears(stream, "members");
  await sql`insert into welcomes (site_id, enabled, steps) values (${publisher.siteId}, false, '[]')`.execute(app.db);
  await hears(stream, "settings");
  stream.leave();
});
