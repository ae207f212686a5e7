import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { expireAutosavedDrafts } from "../../src/dashboard-api/autosaved-drafts.ts";
import { newId } from "../../src/ids.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { signInAs } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
  cookie = await signInAs(app, api, publisher.tenantId, "editor");
});

const content = (change: Record<string, unknown> = {}) => ({
  mode: "url",
  url: "https://",
  title: "",
  body: "",
  imageUrl: "",
  topicIds: [],
  ttlSeconds: 60,
  urgency: "normal",
  isEdited: false,
  ...change,
});

const path = (id = "") =>
  `/dashboard/api/tenants/${publisher.tenantId}/sites/${publisher.siteId}/autosaved-drafts${id && `/${id}`}`;
const save = (id: string, body: Record<string, unknown>, as = cookie) =>
  api.call("POST", path(id), { headers: { cookie: as }, body: { page: newId(), ...body } });
const list = async (as = cookie) => (await api.call("GET", path(), { headers: { cookie: as } })).body.data;
const v1 = (method: string, rest: string, body?: unknown) =>
  api.call(method, `/v1${rest}`, { key: publisher.apiKey, body });

test("a draft is kept as typed, incomplete, too long, with any character, and is no campaign", async () => {
  const id = newId();
  const typed = content({ title: `\u202e<b>\u0001 ${"long ".repeat(60)}`, isEdited: true });
  expect(await save(id, { content: typed, revision: 0 })).toMatchObject({
    status: 200,
    body: { autosavedDraftId: id, revision: 1, isCopy: false },
  });
  expect((await list())[0]).toMatchObject({
    autosavedDraftId: id,
    campaignId: null,
    content: typed,
    inCampaign: false,
    isKept: false,
  });
  const campaigns = await v1("GET", `/tenants/${publisher.tenantId}/campaigns`);
  expect(campaigns.body.data).toEqual([]);
});

test("a page that does not know the last save replaces nothing: its text becomes another draft", async () => {
  const id = newId();
  await save(id, { content: content({ title: "First" }), revision: 0 });
  await save(id, { content: content({ title: "From the one tab" }), revision: 1 });
  const other = await save(id, { content: content({ title: "From the other tab" }), revision: 1 });
  expect(other.body).toMatchObject({ revision: 1, isCopy: true });
  expect(other.body.autosavedDraftId).not.toBe(id);
  const titles = (await list()).map((autosavedDraft: { content: { title: string } }) => autosavedDraft.content.title);
  expect(titles).toEqual(expect.arrayContaining(["From the one tab", "From the other tab"]));
});

test("a page whose answer was lost goes on with its own draft", async () => {
  const id = newId();
  const page = newId();
  await save(id, { content: content({ title: "Onc" }), revision: 0, page });
  const next = await save(id, { content: content({ title: "Once" }), revision: 0, page });
  expect(next.body).toMatchObject({ autosavedDraftId: id, isCopy: false });
});

test("a draft belongs to its member: another editor neither reads, changes nor deletes it", async () => {
  const id = newId();
  await save(id, { content: content({ title: "Mine" }), revision: 0 });
  const colleague = await signInAs(app, api, publisher.tenantId, "editor");
  expect(await list(colleague)).toEqual([]);
  expect((await save(id, { content: content(), revision: 1 }, colleague)).status).toBe(404);
  expect((await api.call("DELETE", path(id), { headers: { cookie: colleague } })).status).toBe(404);
  expect((await list())[0].content.title).toBe("Mine");
  expect((await api.call("DELETE", path(id), { headers: { cookie } })).status).toBe(204);
  expect((await api.call("DELETE", path(id), { headers: { cookie } })).status).toBe(404);
});

test("a send ends a draft that the campaign has whole, and keeps one that was edited since", async () => {
  const campaign = { siteId: publisher.siteId, mode: "manual", url: "https://news.example/a", title: "T", body: "B" };
  const { campaignId } = (await v1("POST", `/tenants/${publisher.tenantId}/campaigns`, campaign)).body;
  const [whole, edited] = [newId(), newId()];
  await save(whole, { content: content({ title: "T" }), revision: 0, campaignId, inCampaign: true, isKept: true });
  await save(edited, { content: content({ title: "T2" }), revision: 0, campaignId });
  const shown = async () =>
    Object.fromEntries(
      (await list()).map((autosavedDraft: { autosavedDraftId: string }) => [
        autosavedDraft.autosavedDraftId,
        autosavedDraft,
      ]),
    );
  expect((await shown())[whole]).toMatchObject({ campaignId, inCampaign: true, isKept: true });
  await v1("POST", `/campaigns/${campaignId}/send`);
  expect((await shown())[whole]).toBeUndefined();
  expect((await shown())[edited]).toMatchObject({ campaignId: null, content: { title: "T2" } });
});

test("another tenant's campaign is refused like one that does not exist", async () => {
  const theirs = await createPublisher(app);
  const body = { siteId: theirs.siteId, mode: "manual", url: "https://news.example/a", title: "T", body: "B" };
  const made = await api.call("POST", `/v1/tenants/${theirs.tenantId}/campaigns`, { key: theirs.apiKey, body });
  for (const campaignId of [made.body.campaignId, newId()]) {
    const refused = await save(newId(), { content: content(), revision: 0, campaignId });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/campaignId" }] } });
  }
});

test("the last fifty of a member are kept, for ninety days", async () => {
  await sql`insert into autosaved_drafts (id, tenant_id, site_id, user_id, content, page, saved_at)
    select gen_random_uuid(), tenant_id, site_id, user_id, content, gen_random_uuid(), now() - interval '91 days'
    from autosaved_drafts, generate_series(1, 60) where id = (select id from autosaved_drafts limit 1)`.execute(app.db);
  await save(newId(), { content: content(), revision: 0 });
  expect(
    (await sql`select from autosaved_drafts where tenant_id = ${publisher.tenantId}`.execute(app.db)).rows.length,
  ).toBe(50);
  await runMaintenance(app.db, [expireAutosavedDrafts(app.config.AUTOSAVED_DRAFT_DAYS)]);
  const old = await sql`select from autosaved_drafts where saved_at < now() - interval '90 days'`.execute(app.db);
  expect(old.rows).toEqual([]);
  await sql`update autosaved_drafts set saved_at = now() - interval '2 days'`.execute(app.db);
  await runMaintenance(app.db, [expireAutosavedDrafts(1)]);
  expect((await sql`select from autosaved_drafts`.execute(app.db)).rows).toEqual([]);
});
