import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import type { Actor } from "../../src/actor.ts";
import type { App } from "../../src/app.ts";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { scheduleCampaign } from "../../src/sends/schedule-campaign.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { sendCampaign } from "../../src/sends/send-campaign.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, operatorOf, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { present } from "../fixtures/rows/change.ts";
import { ownerEmail } from "../fixtures/sign-in.ts";
import { runHere } from "./run-here.ts";

vi.setConfig({ testTimeout: 60_000 });

let app: App;
let publisher: Publisher;
let member: Actor;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(3));
  const { rows } = await sql<{ id: string }>`select id from users`.execute(app.db);
  member = { kind: "user", tenantId: publisher.tenantId, userId: rows[0]!.id };
});

async function create(actor: Actor, title: string, siteId = publisher.siteId): Promise<string> {
  const url = `https://news.example/${encodeURIComponent(title)}`;
  const body = { siteId, mode: "manual", url, title, body: "Body" };
  return (await createCampaign(app, actor, { body, idempotencyKey: null })).campaignId;
}

async function send(actor: Actor, title: string, siteId?: string): Promise<void> {
  await sendCampaign(app, actor, { campaignId: await create(actor, title, siteId), idempotencyKey: null });
}

type Line = { title: string; by: string | null; at: string; status: string };

async function list(...options: string[]): Promise<Line[]> {
  const { out, err, code } = await runHere(["runs", "list", "--json", ...options], settingsOf(app));
  expect({ err, code }).toEqual({ err: "", code: 0 });
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("runs list says who sent what and when: key, member, operator, and who set a schedule", async () => {
  await send(publisher.actor, "By the CMS");
  await send(member, "By hand");
  await send(operatorOf(publisher.tenantId), "From the shell");
  const campaignId = await create(member, "At noon");
  const scheduleAt = new Date(Date.now() + 60_000).toISOString();
  await scheduleCampaign(app, member, { campaignId, body: { scheduleAt } });
  await changePlannedSends(app, { campaignId: campaignId, waitsFor: "time" }, { startsAt: present });
  await startDueSends(app);

  const email = ownerEmail(publisher.tenantId);
  const lines = await list();
  expect(lines.map(({ title, by }) => [title, by])).toEqual([
    ["At noon", `schedule of member ${email}`],
    ["From the shell", "operator"],
    ["By hand", `member ${email}`],
    ["By the CMS", "key test"],
  ]);
  for (const { at } of lines) expect(Date.now() - Date.parse(at)).toBeLessThan(60_000);
  const { out } = await runHere(["runs", "list"], settingsOf(app));
  expect(out).toContain(` accepted=0 by=key test at=${lines[3]!.at} title=By the CMS\n`);
});

test("--site leaves out other sites, --all adds ended runs; a deleted event hides the sender", async () => {
  const actor = operatorOf(publisher.tenantId);
  const { siteId } = await app.db
    .transaction()
    .execute((tx) => createSite(app, actor, tx, { name: "Sport", url: "https://sport.example" }));
  // The site has no subscribers, so the run ends at once.
  await send(actor, "Goal", siteId);
  expect(await list("--site", siteId, "--all")).toMatchObject([{ title: "Goal", by: "operator", status: "completed" }]);
  await sql`delete from audit_events where site_id = ${siteId}`.execute(app.db);
  const all = await list("--all");
  expect(all).toHaveLength(5);
  expect(all[0]).toMatchObject({ title: "Goal", by: null });
  const of = await runHere(["runs", "list", "--site", siteId], settingsOf(app));
  expect(of).toEqual({ code: 0, out: "", err: "Nothing is being sent.\n" });
});

test("--site that is no site is refused", async () => {
  const unknown = await runHere(["runs", "list", "--site", "x"], settingsOf(app));
  expect(unknown).toEqual({ code: 1, out: "", err: "There is no site x. See pressbell sites list.\n" });
});
