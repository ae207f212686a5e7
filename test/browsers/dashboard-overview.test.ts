import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ahead, present } from "../fixtures/rows/change.ts";
import {
  addReceiptMinutes,
  addReceipts,
  changeReceiptMinutes,
  changeReceipts,
  insertJoined,
} from "../fixtures/rows/receipts.ts";
import { changeRuns, insertRun, insertTotals } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { kilobytesOf, noteSentAssets } from "./dashboard/sent-assets.ts";
import { owner, setUp, signIn, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const phoneSize = { viewport: { width: 390, height: 844 } };
let site: Awaited<ReturnType<typeof setUp>>;
let campaignId: string;

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
  await fixture.addReaders(site.siteId, 40);
  const api = createApi(fixture.url);
  const create = async (title: string) => {
    const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/a", title, body: "Open." };
    return (await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body })).body.campaignId;
  };
  campaignId = await create("Bridge opens");
  const sent = await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key: site.key });
  const { runId } = sent.body;
  await eventually(
    async () => (await api.call("GET", `/v1/runs/${runId}`, { key: site.key })).body.status === "completed",
  );
  const { db } = fixture.app;
  await addReceipts({ db: db }, runId, { displayed: 30, clicked: 10 }, present);
  await addReceiptMinutes({ db: db }, runId, { displayed: 3, clicked: 1 }, present, 10);
  await insertJoined({ db: db }, site.siteId, {
    [new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 10)]: 20,
  });
  const scheduledAt = new Date(Date.now() + 60_000).toISOString();
  const planned = await create("Ferry is back");
  await api.call("POST", `/v1/campaigns/${planned}/schedule`, { key: site.key, body: { scheduleAt: scheduledAt } });
  await changePlannedSends({ db: db }, { campaignId: planned, waitsFor: "time" }, { startsAt: ahead("90 minutes") });
});

async function openPage(path = "", options: Parameters<typeof fixture.visit>[0] = {}): Promise<Page> {
  const page = await fixture.visit(options);
  await signIn(page, owner);
  await page.goto(`/sites/${site.siteId}${path}`);
  return page;
}

test("the overview compares a period with the one before, and keeps the choice in its address", async () => {
  const page = await openPage();
  await page.getByText("Joined in 30 days").waitFor();
  await page.getByText("+100% against the 30 days before").waitFor();
  await page.getByText("25% of those reached", { exact: true }).waitFor();
  await page.getByText("33.3% of those shown were clicked").waitFor();
  await page.getByText("0.1 notifications a day for each reader").waitFor();
  await page.getByRole("region", { name: "Readers in all" }).getByText("From 20 readers to 60.").waitFor();
  const clicks = page.getByRole("region", { name: "Clicks and click rate" });
  await clicks.getByText("10 clicks, 25% of those reached.").waitFor();
  expect(await clicks.locator(".recharts-surface").count()).toBe(2);
  await page.getByText("7 days", { exact: true }).click();
  await page.getByText("Joined in 7 days").waitFor();
  await page.waitForURL(/\?days=7$/);
  await page.reload();
  await page.getByText("Joined in 7 days").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("the calendar shows what was sent and is planned, and turns to other months", async () => {
  const page = await openPage("/calendar");
  const table = page.getByRole("table");
  await table.getByRole("link", { name: "Bridge opens" }).waitFor();
  await page.getByRole("link", { name: "Earlier" }).click();
  await page.getByRole("link", { name: "This month" }).waitFor();
  expect(await table.getByRole("link").count()).toBe(0);
  await page.getByRole("link", { name: "This month" }).click();
  await table.getByRole("link", { name: "Bridge opens" }).click();
  await page.getByRole("heading", { level: 1, name: "Bridge opens" }).waitFor();

  const phone = await openPage("/calendar", phoneSize);
  await phone.getByRole("listitem").filter({ hasText: "Bridge opens" }).first().waitFor();
  expect(await phone.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
});

test("the newsroom screen shows readers, today's notifications and clicks, without navigation", async () => {
  const page = await openPage("/screen");
  await eventually(async () => (await page.locator('[data-screen="reachable"]').innerText()) === "40");
  await page.getByText("Bridge opens").waitFor();
  await page.getByText("40 of 40 people · 10 clicks (25%)").waitFor();
  await changeReceiptMinutes(fixture.app, { siteId: site.siteId }, { clicked: 7 });
  await page.getByText(/^\d+ clicks? in the last hour$/).waitFor();
  await page.getByRole("button", { name: "Full screen" }).click();
  await page.getByRole("button", { name: "Leave full screen" }).click();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFaults(page)).toEqual([]);
  }
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test("the palette opens by its key, and finds pages, notifications, other sites and the colours", async () => {
  const { siteId } = await createSite(fixture.app, operatorOf(site.tenantId), fixture.app.db, {
    name: "The Evening Post",
    url: "https://evening.example",
  });
  const page = await openPage("/members");
  const search = page.getByPlaceholder("A page, an action or a notification");
  const find = async (text: string) => {
    await page.keyboard.press("Control+k");
    await search.fill(text);
  };
  await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
  await find("calen");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Calendar" }).waitFor();
  await find("bridge");
  await page.getByRole("button", { name: /Bridge opens/ }).click();
  await page.getByRole("heading", { level: 1, name: "Bridge opens" }).waitFor();
  await find("there is no such thing");
  await page.getByText("Nothing has this name.").waitFor();
  await page.keyboard.press("Escape");
  await search.waitFor({ state: "detached" });
  await find("evening");
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(siteId));
  await page.getByRole("button", { name: "Find" }).click();
  await search.fill("dark");
  await page.keyboard.press("Enter");
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
});

test("keys open pages and the list of them, not while somebody writes, and can be switched off", async () => {
  const page = await openPage("/members");
  await page.getByLabel("E-mail address").fill("");
  await page.getByLabel("E-mail address").pressSequentially("gc?");
  expect(await page.getByLabel("E-mail address").inputValue()).toBe("gc?");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.getByRole("heading", { level: 1, name: "Calendar" }).waitFor();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await list.getByText("Newsroom screen").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await list.getByRole("switch", { name: /are shortcuts/ }).click();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await page.keyboard.press("c");
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("A page, an action or a notification").fill("keyboard");
  await page.keyboard.press("Enter");
  await list.getByText("Newsroom screen").waitFor();
  expect(page.url()).toMatch(/calendar$/);
});

test("a viewer finds no Compose, and the pages work for them", async () => {
  const page = await visitAs(fixture, site.tenantId, "viewer");
  await page.goto(`/sites/${site.siteId}/calendar`);
  await page.getByRole("table").getByRole("link", { name: "Bridge opens" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("A page, an action or a notification").fill("comp");
  await page.getByText("Nothing has this name.").waitFor();
});

test("the first page is sent in less than 225 KB, without charts and palette", async () => {
  const page = await openPage("/account");
  await page.goto("about:blank");
  const sentAssets = noteSentAssets(page);
  await page.goto(`/sites/${site.siteId}`);
  await page.getByText("Joined in 30 days").waitFor();
  await page.locator(".recharts-surface").first().waitFor();
  const isChart = (name: string) => /charts?(-|$)/i.test(name.replace(/\.js$/, ""));
  const sent = await sentAssets();
  expect(kilobytesOf([...sent].filter(([name]) => !isChart(name)).map(([, size]) => size))).toBeLessThan(225);
  expect([...sent.keys()].some(isChart)).toBe(true);
  expect([...sent.keys()].filter((name) => /^(palette|shortcut-list|calendar)-/.test(name))).toEqual([]);
});

test.each(["en-GB", "de-DE"])("the sign-in page is sent in less than 120 KB, in %s", async (locale) => {
  const page = await fixture.visit({ locale });
  const sentAssets = noteSentAssets(page);
  await page.goto("/sign-in", { waitUntil: "networkidle" });
  await page.locator("input[type=password]").waitFor();
  expect(kilobytesOf((await sentAssets()).values())).toBeLessThan(120);
});

test("a page shows something after less than 10 KB, before any script is there", async () => {
  const page = await fixture.visit();
  const sentAssets = noteSentAssets(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js", (route) => released.then(() => route.continue()));
  await page.goto("/sign-in", { waitUntil: "commit" });
  await page.getByRole("status").getByText("Pressbell").waitFor();
  const painted = () => page.evaluate("performance.getEntriesByType('paint').length > 0");
  await eventually(painted);
  expect(kilobytesOf((await sentAssets()).values())).toBeLessThan(10);
  release();
  await page.getByLabel("E-mail address").waitFor();
});

test("all this leaves no error in the console", () => {
  expect(fixture.faults).toEqual([]);
});

/** The runs of earlier days, with clicks of readers. */
const old: { id: string; day: Date }[] = [];

async function addOld(daysAgo: number, clicked: number): Promise<void> {
  const { app } = fixture;
  const day = new Date(Date.now() - daysAgo * 86_400_000);
  const { siteId, tenantId } = site;
  const { runId } = await insertRun(app, { siteId, tenantId, createdAt: day, audience: 1_000 });
  await insertTotals(app, runId, { fcm: { accepted: 1_000, gone: 1 + (daysAgo % 3) } });
  await addReceipts(app, runId, { displayed: 800, clicked }, day);
  old.push({ id: runId, day });
}

test("the overview adds up gains and losses by week, and advises fewer notifications", async () => {
  // For four weeks there are one and three notifications on alternate days. Both kinds of days bring about the same
  // number of clicks.
  for (let daysAgo = 2; daysAgo <= 29; daysAgo++) {
    const isBusy = daysAgo % 2 === 0;
    for (let n = 0; n < (isBusy ? 3 : 1); n++) await addOld(daysAgo, (isBusy ? 10 : 30) + (daysAgo % 3) - 1);
  }
  const page = await openPage();
  const worth = page.getByRole("region", { name: "How often to send" });
  await worth.getByRole("columnheader", { name: "Clicks per notification" }).waitFor();
  expect(await worth.getByRole("table").first().getByRole("row").count()).toBe(6);
  await worth.getByText("Of 1,000 readers, days with up to 1 notification brought", { exact: false }).waitFor();
  await worth.getByText("Send at most 1 a day: more costs you, and brings no more clicks.").waitFor();
  const phone = await openPage("", phoneSize);
  await phone.getByRole("region", { name: "How often to send" }).waitFor();
  expect(await phone.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("the schedule dialog offers the hours at which the site's notifications were clicked most", async () => {
  for (const { id, day } of old) {
    const [hour, clicked] = day.getUTCDate() % 2 === 1 ? [19, 40] : [6, 8];
    await changeRuns(fixture.app, { id }, { createdAt: new Date(day.setUTCHours(hour, 0, 0, 0)) });
    await changeReceipts(fixture.app, { runId: id }, { clicked });
  }
  await changeSites(fixture.app, { id: site.siteId }, { timeZone: "UTC" });
  const page = await openPage("/compose");
  await page.getByRole("button", { name: "Write it by hand" }).click();
  await page.getByLabel(/^Address/).fill("https://news.example/lake");
  await page.getByLabel(/^Title/).fill("The lake is clean");
  await page.getByLabel(/^Text/).fill("Again.");
  await page.getByRole("button", { name: "Schedule…" }).click();
  const hours = page.getByRole("group", { name: "Most clicked here:" });
  await hours.getByRole("button", { name: "19:00 · 3." }).click();
  expect(await page.getByLabel(/^Day and time in/).inputValue()).toMatch(/T19:00$/);
  await page.getByText("The first hour is clearly better than the others.", { exact: false }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Not yet" }).click();
  await page.getByRole("button", { name: "Send now…" }).click();
  const dialog = page.getByRole("dialog", { name: "Send this notification?" });
  await dialog
    .getByText(/^In four of five cases, \d+–\d+ of 40 readers see it, \d+–\d+ click it and \d+–\d+ leave/)
    .waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a notification is updated from its page after a question; an update is undone", async () => {
  const page = await openPage(`/campaigns/${campaignId}`);
  const updates = page.getByRole("region", { name: "Updates on the screen" });
  for (const title of ["Bridge closed", "Bridge open", "Bridge open for cars"]) {
    await updates.getByLabel("Title").fill(title);
    await updates.getByRole("button", { name: "Update the notification" }).click();
    await page.getByRole("dialog").getByText(`${title} · Open.`).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Update it" }).click();
    await updates.getByText(/^Starts in \d+ s$/).waitFor();
    if (title !== "Bridge closed") continue;
    await updates.getByRole("button", { name: "Undo" }).click();
    await updates.getByText(/Bridge closed · Open\. \((Stopping|Stopped)\)/).waitFor();
  }
  expect(await accessibilityFaults(page)).toEqual([]);
});
