import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let page: Page;
let site: Awaited<ReturnType<typeof setUp>>;

/** The next month. All of its days are in the future. */
const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1))
  .toISOString()
  .slice(0, 7);

beforeAll(async () => {
  page = await fixture.visit();
  site = await setUp(page, fixture.app);
  await fixture.addReaders(site.siteId, 5);
  for (let n = 1; n <= 6; n++) await schedule(`Story ${n}`, `${month}-10T0${n}:30:00Z`);
});

async function schedule(title: string, scheduleAt: string): Promise<void> {
  const campaign = { siteId: site.siteId, mode: "manual", url: "https://news.example/", title, body: "What is known." };
  const path = `/v1/tenants/${site.tenantId}/campaigns`;
  const { campaignId } = (await api.call("POST", path, { key: site.key, body: campaign })).body;
  const { status } = await api.call("POST", `/v1/campaigns/${campaignId}/schedule`, {
    key: site.key,
    body: { scheduleAt },
  });
  expect(status).toBe(200);
}

const dayOf = (no: string, on = page) => on.locator(`td[data-day="${month}-${no}"]`);

test("a day shows its first four notifications, and the others when asked", async () => {
  await page.goto(`/sites/${site.siteId}/calendar?month=${month}`);
  await dayOf("10").getByRole("button", { name: "2 more" }).click();
  await dayOf("10").getByText("Story 6").waitFor();
  expect(await dayOf("10").getByRole("listitem").count()).toBe(6);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a planned notification is dragged to another day, and keeps its time", async () => {
  const entry = dayOf("10").getByRole("listitem").filter({ hasText: "Story 2" });
  const time = (await entry.locator("time").innerText()).slice(0, 5);
  await entry.dragTo(dayOf("12"));
  const dialog = page.getByRole("dialog", { name: "Schedule this notification" });
  expect(await dialog.getByLabel(/Day and time/).inputValue()).toBe(`${month}-12T${time}`);
  await dialog.getByRole("button", { name: "Not yet" }).click();
  await dialog.waitFor({ state: "detached" });
  await dayOf("10").getByText("Story 2").waitFor();

  await entry.dragTo(dayOf("13"));
  await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
  await dayOf("13").getByText("Story 2").waitFor();
  const { data } = (await api.call("GET", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key })).body;
  const moved = data.find(({ title }: { title: string }) => title === "Story 2");
  expect(moved.scheduledAt).toBe(`${month}-13T02:30:00.000Z`);
});

test("a click on a day leads to Compose, which schedules for this day", async () => {
  await dayOf("20")
    .getByRole("link", { name: /^Plan for/ })
    .click();
  await page.getByText("“Schedule…” begins with this day.").waitFor();
  const story = fixture.story();
  await composeStory(page, site.siteId, story, `?fresh=yes&day=${month}-20`);
  await page.getByRole("button", { name: "Schedule…" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule this notification" });
  expect(await dialog.getByLabel(/Day and time/).inputValue()).toBe(`${month}-20T08:00`);
  await dialog.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.waitForURL(/campaigns\/[-\w]+$/);
  await page.goto(`/sites/${site.siteId}/calendar?month=${month}`);
  await dayOf("20").getByText("Bridge opens on Saturday").waitFor();
});

test("on a phone the calendar begins with today, and days that are over come last", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/sites/${site.siteId}/calendar`);
  const today = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" }).format();
  const days = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: /^Plan for/ }) });
  expect(await days.first().textContent()).toContain(today);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a viewer sees the calendar, and plans and moves nothing", async () => {
  const viewer = await visitAs(fixture, site.tenantId, "viewer");
  await viewer.goto(`/sites/${site.siteId}/calendar?month=${month}`);
  await dayOf("10", viewer).getByText("Story 1").waitFor();
  expect(await viewer.getByRole("link", { name: /^Plan for/ }).count()).toBe(0);
  expect(await viewer.locator("[draggable=true]").count()).toBe(0);
  expect(fixture.faults).toEqual([]);
});
