import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { siteById } from "../../src/tenants/sites/queries.ts";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import type { PlayedReaders, ReaderEvent } from "../fixtures/push-service/played-readers.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { asksAlone } from "./dashboard/asks-alone.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

/** What the subscribers page shows about readers who see nothing, and about readers of another push service. */
const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let page: Page;
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  site = await setUp(page, fixture.app);
});

const openSubscribers = (on = page) => on.goto(`/sites/${site.siteId}/subscribers`);
const region = (name: string, on = page) => on.getByRole("region", { name });

/** Adds three readers whose browsers display their notifications and report it. */
async function addSeeingReaders(): Promise<PlayedReaders> {
  const applicationServerKey = (await siteById(fixture.app.db, site.siteId))!.vapidPublicKey.toString("base64url");
  const report = (events: ReaderEvent[], userAgent: string) =>
    api.call("POST", "/sdk/events", { body: { events }, headers: { "user-agent": userAgent } });
  const readers = fixture.pushService.playReaders({ count: 3, applicationServerKey, clickShare: 0, report });
  await subscribe(fixture.app, site.siteId, readers.subscriptions);
  return readers;
}

async function send(readers: PlayedReaders): Promise<void> {
  const body = {
    siteId: site.siteId,
    mode: "manual",
    url: "https://news.example/a",
    title: "Bridge opens",
    body: "Now.",
  };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  const sent = await api.call("POST", `/v1/campaigns/${made.body.campaignId}/send`, { key: site.key });
  await eventually(async () => {
    await readers.whenReported();
    const run = (await api.call("GET", `/v1/runs/${sent.body.runId}`, { key: site.key })).body;
    return run.status === "completed" && run.displayed === 3;
  });
}

test("an owner sees how many readers get every notification and show none, once there are any", async () => {
  await fixture.addReaders(site.siteId, 2);
  const readers = await addSeeingReaders();
  for (let sent = 0; sent < 4; sent++) await send(readers);
  await asksAlone(page);
  const counted = page.waitForResponse((answer) => answer.url().endsWith("/unseen-subscribers"));
  await openSubscribers();
  expect(await (await counted).json()).toMatchObject({ pushServices: [{ reached: 5, unseen: 0 }] });
  expect(await region("Readers who see nothing").count()).toBe(0);

  await send(readers);
  await openSubscribers();
  const row = region("Readers who see nothing").getByRole("row").nth(1);
  await row.waitFor();
  expect(await row.getByRole("cell").allInnerTexts()).toEqual([
    new URL(fixture.pushService.origin).origin,
    "5",
    "2 (40%)",
  ]);
  expect(await accessibilityFaults(page)).toEqual([]);

  const editor = await visitAs(fixture, site.tenantId, "editor");
  await openSubscribers(editor);
  await editor.getByLabel("Name of a new test device").waitFor();
  expect(await region("Readers who see nothing", editor).count()).toBe(0);
});

test("of many readers they are counted when an owner asks", async () => {
  const subscribers = /\/dashboard\/api\/.*\/subscribers$/;
  await asksAlone(page);
  await page.route(subscribers, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), reachable: 100_001 } });
  });
  await openSubscribers();
  await region("Readers who see nothing").getByRole("button", { name: "Count them" }).click();
  await region("Readers who see nothing").getByRole("cell", { name: "2 (40%)" }).waitFor();
  await page.unrouteAll();
});

test("an export of another service is counted, and the page says who is still to come", async () => {
  await page.goto(`/sites/${site.siteId}/settings/readers`);
  const form = page.getByRole("region", { name: "Readers of another push service" });
  await form.getByLabel("Migrate them").check();
  const chooser = page.waitForEvent("filechooser");
  await form.getByRole("button", { name: "Count its export (CSV)" }).click();
  const csv = `"id","note"\r\n${Array.from({ length: 8 }, (_, n) => `${n},"line\none"\r\n`).join("")}`;
  await (await chooser).setFiles({ name: "export.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await eventually(async () => (await form.getByLabel("How many readers it had").inputValue()) === "8");
  await form.getByRole("button", { name: /^Save/ }).click();
  await page.getByText("Saved.").first().waitFor();

  const reader = createReaderClient(api, site.siteId);
  for (const subscription of createSubscriptions(2))
    expect(await reader.subscribe(subscription, { migrated: true })).toMatchObject({ status: 201 });
  await openSubscribers();
  const funnel = region("Migrated from another service");
  await funnel.getByText("2 readers have come, 2 of them in the last seven days.").waitFor();
  await funnel.getByText("6 of its 8 readers have not visited yet, or have left.").waitFor();
  expect(await funnel.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25");
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(fixture.faults).toEqual([]);
});
