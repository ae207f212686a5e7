import { Readable } from "node:stream";
import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import { auditEventsOfKind } from "../../src/audit/events.ts";
import { expireAuditEvents } from "../../src/audit/expire-events.ts";
import { auditEventsOfTenant, type Person, peopleOfLog } from "../../src/audit/queries.ts";
import { row } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { importChunks } from "../../src/subscribers/import/import-subscribers.ts";
import { type CampaignFixture, inSeconds, makeDue, openCampaignFixture, validFields } from "../campaigns/fixture.ts";
import { runHere } from "../cli/run-here.ts";
import { settingsOf } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { createPublisher, createSubscriptions, operatorOf, subscribe } from "../fixtures/publisher.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";

vi.setConfig({ testTimeout: 60_000 });

let fixture: CampaignFixture;
let cookie: string;
const root = () => `/dashboard/api/tenants/${fixture.publisher.tenantId}`;
const site = () => `${root()}/sites/${fixture.publisher.siteId}`;
const asOwner = (method: string, path: string, body?: unknown) =>
  fixture.api.call(method, path, { headers: { cookie }, body });
const log = async (query = "") => (await asOwner("GET", `${root()}/audit-log${query}`)).body;
/** Returns the newest event without its id and time. With `kind`, the newest event of that kind. */
const newest = async (kind = "") => {
  const { eventId: _, at: __, ...event } = (await log(`?limit=1${kind && `&kind=${kind}`}`)).data[0];
  return event;
};

beforeAll(async () => {
  fixture = await openCampaignFixture();
  cookie = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(2));
});

const owner = () => ({ kind: "user", name: ownerEmail(fixture.publisher.tenantId) });

test("records a send by an API key once, also when it is replayed, and its stop by a member", async () => {
  const campaignId = await fixture.draft();
  const send = () => fixture.post(campaignId, "send", undefined, { "idempotency-key": "again" });
  const { runId } = (await send()).body;
  await send();
  expect(await newest()).toMatchObject({
    by: { kind: "key", name: "test" },
    event: "campaign.sent",
    siteName: "Site",
    subjectId: campaignId,
    subjectName: "Bridge opens",
    details: { audience: 2, audienceExact: true },
  });
  expect((await log("?kind=sends")).data).toHaveLength(1);
  await asOwner("POST", `${root()}/runs/${runId}/stop`);
  await asOwner("POST", `${root()}/runs/${runId}/stop`);
  expect(await newest()).toMatchObject({ by: owner(), event: "run.stopped", subjectName: "Bridge opens" });
  expect((await log("?kind=sends")).data).toHaveLength(2);
});

test("records a schedule, the send by the scheduler, and the reason of a failed one", async () => {
  const { campaignId } = await fixture.campaignThatIs("scheduled");
  expect(await newest()).toMatchObject({ event: "campaign.scheduled", details: { scheduledAt: expect.any(String) } });
  await makeDue(fixture.app, campaignId, 1);
  await startDueSends(fixture.app);
  expect(await newest()).toMatchObject({ by: { kind: "schedule", name: null }, event: "campaign.sent" });
  await fixture.campaignThatIs("failed");
  expect(await newest()).toMatchObject({ event: "campaign.failed", details: { code: "missed" } });
  await fixture.campaignThatIs("cancelled");
  expect(await newest()).toMatchObject({ event: "campaign.cancelled", by: { kind: "key" } });
});

test("records changed settings with old and new values, and nothing when nothing changed", async () => {
  await asOwner("PATCH", site(), { dailyLimit: 5, freshnessHours: 48 });
  expect(await newest()).toMatchObject({
    by: owner(),
    event: "site.changed",
    siteName: "Site",
    details: { changes: { dailyLimit: { from: null, to: 5 } } },
  });
  const before = await log("?kind=settings");
  await asOwner("PATCH", site(), { dailyLimit: 5, freshnessHours: 48 });
  expect(await log("?kind=settings")).toEqual(before);
  await asOwner("PATCH", site(), { paused: true });
  expect(await newest()).toMatchObject({ event: "site.paused" });
  await asOwner("PATCH", root(), { paused: true });
  await asOwner("PATCH", root(), { paused: true });
  await asOwner("PATCH", root(), { paused: false });
  await asOwner("PATCH", site(), { paused: false });
  const pauses = (await log("?kind=pauses")).data.map(({ event }: { event: string }) => event);
  expect(pauses).toEqual(["site.resumed", "tenant.resumed", "tenant.paused", "site.paused"]);
});

test("shows keys by name, also deleted ones, and never their secrets", async () => {
  const keys = `/v1/tenants/${fixture.publisher.tenantId}/api-keys`;
  const { keyId, secret, prefix } = (await asOwner("POST", keys, { name: "Our CMS" })).body;
  expect(await newest()).toMatchObject({ event: "key.made", subjectId: keyId, details: { name: "Our CMS", prefix } });
  const campaignId = await fixture.draft();
  await fixture.api.call("POST", `/v1/campaigns/${campaignId}/cancel`, { key: secret });
  await asOwner("DELETE", `${keys}/${keyId}`);
  const [deleted, cancelled] = (await log()).data;
  expect(deleted).toMatchObject({ event: "key.deleted", details: { name: "Our CMS" } });
  expect(cancelled).toMatchObject({ event: "campaign.cancelled", by: { kind: "key", name: "Our CMS" } });
  const { rows } = await sql`select * from audit_events`.execute(fixture.app.db);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test("shows members by their present address: the table itself holds no address and no token", async () => {
  const { token } = (await asOwner("POST", `${root()}/invitations`, { email: "new@example.org", role: "editor" })).body;
  expect(await newest()).toMatchObject({ by: owner(), event: "member.invited", details: { role: "editor" } });
  await fixture.api.call("POST", "/dashboard/api/invitations/accept", { body: { token, password: "long enough" } });
  const joined = await newest("members");
  expect(joined).toMatchObject({ by: { kind: "user", name: "new@example.org" }, event: "member.joined" });
  await asOwner("PATCH", `${root()}/members/${joined.subjectId}`, { role: "viewer" });
  expect(await newest()).toMatchObject({ event: "member.role_changed", subjectName: "new@example.org" });
  await asOwner("DELETE", `${root()}/members/${joined.subjectId}`);
  expect(await newest()).toMatchObject({ event: "member.removed" });
  const { rows } = await sql`select * from audit_events`.execute(fixture.app.db);
  expect(JSON.stringify(rows)).not.toMatch(/@example\.org/);
  expect(JSON.stringify(rows)).not.toContain(token);
  await sql`delete from users where email = 'new@example.org'`.execute(fixture.app.db);
  const [, , , gone] = (await log("?kind=members")).data.toReversed();
  expect(gone).toMatchObject({ event: "member.removed", subjectName: null });
});

test("records exports and imports", async () => {
  await fetch(`${fixture.api.url}${site()}/subscribers.ndjson`, { headers: { cookie } }).then((file) => file.text());
  expect(await newest()).toMatchObject({ by: owner(), event: "subscribers.exported", siteName: "Site" });
  const { siteId, tenantId } = fixture.publisher;
  const lines = createSubscriptions(3).map((subscription) => `${JSON.stringify(subscription)}\n`);
  const open = () => ({ chunks: Readable.from([Buffer.from(lines.join(""))]) });
  const input = { siteId, open, hasMore: false, onWrongLine: () => {} };
  await importChunks(fixture.app, operatorOf(tenantId), input);
  const imported = { lines: 3, added: 3, changed: 0, unchanged: 0, wrong: 0 };
  expect(await newest()).toMatchObject({ by: { kind: "operator" }, event: "subscribers.imported", details: imported });
});

test("records actions of the command line as the operator's", async () => {
  const words = ["tenant", "set", "--tenant", fixture.publisher.tenantId, "--dpa", "off"];
  expect((await runHere(words, settingsOf(fixture.app))).code).toBe(0);
  expect(await newest()).toMatchObject({ by: { kind: "operator", name: null }, event: "agreement.withdrawn" });
  await asOwner("PATCH", root(), { dpaAccepted: true });
  const accepted = { event: "agreement.accepted", details: { version: expect.any(String) } };
  expect(await newest()).toMatchObject({ by: owner(), ...accepted });
});

test("records nothing for an action that is refused or rolled back", async () => {
  const before = await log();
  await asOwner("PATCH", site(), { dailyLimit: 0 });
  await asOwner("DELETE", `/v1/tenants/${fixture.publisher.tenantId}/api-keys/${fixture.publisher.siteId}`);
  await fixture.post((await fixture.campaignThatIs("draft")).campaignId, "schedule", { scheduleAt: inSeconds(-5) });
  expect(await log()).toEqual(before);
});

test("pages through the log with each event once, and filters by kind", async () => {
  const all = (await log("?limit=100")).data;
  const paged: unknown[] = [];
  for (let cursor = ""; ; ) {
    const page = await log(`?limit=3${cursor && `&cursor=${cursor}`}`);
    paged.push(...page.data);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(all);
  const keys = (await log("?kind=keys")).data;
  expect(new Set(keys.map(({ event }: { event: string }) => event))).toEqual(new Set(["key.made", "key.deleted"]));
  for (const wrong of ["?kind=all", "?limit=0", "?cursor=first", "?other=1"]) {
    expect((await asOwner("GET", `${root()}/audit-log${wrong}`)).status).toBe(400);
  }
});

test("each event name has one kind", () => {
  const names = Object.values(auditEventsOfKind).flat();
  expect(new Set(names).size).toBe(names.length);
});

test("the maintenance deletes events older than AUDIT_DAYS, and no others", async () => {
  const { length } = (await log("?limit=100")).data;
  await sql`update audit_events set at = now() - interval '31 days'
    where id in (select id from audit_events order by id limit 2)`.execute(fixture.app.db);
  expect(await runMaintenance(fixture.app.db, [expireAuditEvents(32)])).toEqual({ "old audit events": 0 });
  expect(await runMaintenance(fixture.app.db, [expireAuditEvents(30)])).toEqual({ "old audit events": 2 });
  expect((await log("?limit=100")).data).toHaveLength(length - 2);
});

test("filters by person and by days of a time zone, also what a former member did", async () => {
  const { app, publisher } = fixture;
  const people = async () => (await asOwner("GET", `${root()}/audit-log/people`)).body.data;
  const { userId } = (await people()).find(({ label }: Person) => label === ownerEmail(publisher.tenantId))!;
  const editor = await signInAs(app, fixture.api, publisher.tenantId, "editor");
  const headers = { cookie: editor };
  const { campaignId } = (
    await fixture.api.call("POST", `${root()}/campaigns`, {
      headers,
      body: { ...validFields, siteId: publisher.siteId },
    })
  ).body;
  await fixture.api.call("POST", `${root()}/campaigns/${campaignId}/cancel`, { headers });
  const { actor } = (await row(
    sql<{ actor: string }>`select actor from audit_events order by id desc limit 1`,
    app.db,
  ))!;
  const theirs = actor.split(":")[1]!;
  await sql`update audit_events set at = '2026-03-01T23:30:00Z' where actor = ${actor}`.execute(app.db);
  await asOwner("DELETE", `${root()}/members/${theirs}`);
  expect((await people()).map((one: Person) => one.userId)).toEqual(expect.arrayContaining([userId, theirs]));
  const events = async (query: string) => (await log(query)).data.map(({ event }: { event: string }) => event);
  expect(await events(`?userId=${theirs}`)).toContain("campaign.cancelled");
  expect(await events(`?userId=${theirs}`)).toEqual(await events("?from=2026-03-01&to=2026-03-01"));
  expect(await events(`?userId=${theirs}&kind=keys`)).toEqual([]);
  expect(await events("?from=2026-03-01&to=2026-03-01&timeZone=Europe/Berlin")).toEqual([]);
  expect(await events("?from=2026-03-02&to=2026-03-02&timeZone=Europe/Berlin&limit=1")).toEqual(["campaign.cancelled"]);
  expect(await events(`?userId=${userId}&to=2026-03-31`)).toEqual([]);
  const { data } = await log(`?userId=${userId}&limit=100`);
  expect(new Set(data.map(({ by }: { by: { name: string } }) => by.name))).toEqual(
    new Set([ownerEmail(publisher.tenantId)]),
  );
});

test.for([
  ["/userId", "?userId=owner"],
  ["/from", "?from=2026-02-30"],
  ["/to", "?from=2026-03-02&to=2026-03-01"],
  ["/timeZone", "?timeZone=Bern"],
])("refuses a wrong %s", async ([path, query]) => {
  const refused = await asOwner("GET", `${root()}/audit-log${query}`);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});

test("what one person did is paged through without reading the log of the others", async () => {
  const { app } = fixture;
  const { tenantId } = await createPublisher(app);
  await sql`insert into audit_events (tenant_id, actor, event, at)
    select ${tenantId}, 'user:' || case when n % 100 = 0 then '018f0000-0000-7000-8000-000000000001'
      else '018f0000-0000-7000-8000-000000000002' end, 'campaign.sent', now() - n * interval '10 minutes'
    from generate_series(20000, 1, -1) n`.execute(app.db);
  await sql`analyze audit_events`.execute(app.db);
  const filter = { userId: "018f0000-0000-7000-8000-000000000001", timeZone: "UTC" };
  const read = await countRowsRead(app, "audit_events", async (tx) => {
    expect(await auditEventsOfTenant(tx, tenantId, filter, { before: undefined, limit: 51 })).toHaveLength(51);
  });
  expect(read).toBeLessThan(100);
  expect(await countRowsRead(app, "audit_events", (tx) => peopleOfLog(tx, tenantId, 200))).toBeLessThan(10);
});
