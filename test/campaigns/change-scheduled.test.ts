import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(2));
  await changeSubscribers(app, {}, { createdAt: ago("2 days") });
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
});

const scheduleAt = "2040-01-01T10:00:00.000Z";
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `/dashboard/api/tenants/${publisher.tenantId}${path}`, { headers: { cookie }, body });
const change = (id: string, body: unknown) => call("PATCH", `/campaigns/${id}/scheduled`, body);
const read = async (id: string) => (await call("GET", `/campaigns/${id}`)).body;

async function scheduled(): Promise<string> {
  const body = { siteId: publisher.siteId, mode: "manual", url: "https://news.example/a", title: "Before", body: "B" };
  const { campaignId } = (await call("POST", "/campaigns", body)).body;
  await call("POST", `/campaigns/${campaignId}/schedule`, { scheduleAt });
  return campaignId;
}
const makeDue = (id: string) => changePlannedSends(app, { campaignId: id, waitsFor: "time" }, { startsAt: present });

test("a scheduled campaign changes in the dashboard, stays scheduled and goes out changed", async () => {
  const id = await scheduled();
  const changed = await change(id, { title: "After", url: "https://news.example/b" });
  expect(changed).toMatchObject({
    status: 200,
    body: { title: "After", status: "scheduled", scheduledAt: scheduleAt },
  });
  const log = await call("GET", "/audit-log?limit=1");
  expect(log.body.data[0]).toMatchObject({ event: "campaign.changed", details: { fields: ["title", "url"] } });
  await makeDue(id);
  await startDueSends(app);
  expect((await read(id)).status).toBe("sending");
  const run = await sql<{ text: string }>`select m.message::text as text
    from runs r join run_messages m on m.run_id = r.id where r.campaign_id = ${id}`.execute(app.db);
  expect(run.rows[0]!.text).toContain("After");
});

test("a change is refused when the campaign is due, a draft, or does not fit", async () => {
  const id = await scheduled();
  expect(await change(id, { title: "" })).toMatchObject({ status: 400, body: { errors: [{ path: "/title" }] } });
  await makeDue(id);
  expect(await change(id, { title: "Too late" })).toMatchObject({ status: 409, body: { code: "illegal_transition" } });
  expect((await read(id)).title).toBe("Before");
});

test("where a second person is needed, one member does not change what was scheduled", async () => {
  const id = await scheduled();
  await changeTenants(app, { id: publisher.tenantId }, { confirmAbove: 1 });
  const refused = await change(id, { title: "Alone" });
  await changeTenants(app, { id: publisher.tenantId }, { confirmAbove: null });
  expect(refused).toMatchObject({ status: 409, body: { code: "confirmation_required" } });
  expect((await read(id)).title).toBe("Before");
});

test("an API key still cannot change a scheduled campaign", async () => {
  const id = await scheduled();
  const body = { title: "By key" };
  const refused = await api.call("PATCH", `/v1/campaigns/${id}`, { key: publisher.apiKey, body });
  expect(refused).toMatchObject({ status: 409, body: { code: "illegal_transition" } });
});
