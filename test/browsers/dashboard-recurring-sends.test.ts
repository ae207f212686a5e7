import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { sendDueRecurringSends } from "../../src/recurring-sends/recurring-send-poller.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRecurringSends } from "../fixtures/rows/recurring.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
  const url = "https://news.example/rss.xml";
  await addFeed(fixture.app, operatorOf(ids.tenantId), { siteId: ids.siteId, url });
});

const listOn = (on: Page) => on.getByRole("region", { name: "Recurring sends" });
const nextMonth = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7);
};

test("an owner adds a recurring send, sees its days in the calendar, and changes it there", async () => {
  await page.goto(`/sites/${ids.siteId}/calendar?month=${nextMonth()}`);
  await listOn(page).getByText("There is none yet.").waitFor();
  await listOn(page).getByRole("button", { name: "New recurring send" }).click();
  const form = page.getByRole("dialog", { name: "New recurring send" });
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("This must not be empty.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByLabel("Time", { exact: true }).fill("06:30");
  await form.getByLabel("The newest story of").selectOption({ label: "news.example/rss.xml" });
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form.png` });
  await form.getByRole("button", { name: "Save" }).click();
  await listOn(page).getByText("Every weekday at 06:30").waitFor();
  const days = page.getByRole("table").getByRole("button", { name: /^The newest story of/ });
  expect(await days.count()).toBeGreaterThan(19);
  await days.first().click();
  const change = page.getByRole("dialog", { name: "Change this recurring send" });
  await change.getByText("Sat", { exact: true }).click();
  await change.getByText("Sun", { exact: true }).click();
  await change.getByRole("button", { name: "Save" }).click();
  await listOn(page).getByText("Every day at 06:30").waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/calendar.png`, fullPage: true });
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a day on which nothing went out says why, also to a viewer on a phone", async () => {
  const { app } = fixture;
  const { tenantId, siteId } = ids;
  const today = new Date().toISOString().slice(0, 10);
  await changeRecurringSends(app, { siteId }, { nextDay: today, nextAt: ago("1 minute") });
  await sendDueRecurringSends(app);
  const viewer = await visitAs(fixture, tenantId, "viewer");
  await viewer.setViewportSize({ width: 390, height: 844 });
  await viewer.goto(`/sites/${siteId}/calendar`);
  await viewer.getByText("No new story").filter({ visible: true }).waitFor();
  await viewer
    .getByRole("button", { name: /^The newest story of/ })
    .filter({ visible: true })
    .click();
  await viewer.getByText("There was no new story at this time, so nothing was sent.").waitFor();
  if (process.env.SHOTS) await viewer.screenshot({ path: `${process.env.SHOTS}/why-390.png` });
  await viewer.keyboard.press("Escape");
  if (process.env.SHOTS) await viewer.screenshot({ path: `${process.env.SHOTS}/calendar-390.png`, fullPage: true });
  expect(await listOn(viewer).getByRole("button").count()).toBe(0);
  expect(await accessibilityFaults(viewer)).toEqual([]);
});

test("it is switched off, which leaves the calendar, and removed", async () => {
  await page.goto(`/sites/${ids.siteId}/calendar?month=${nextMonth()}`);
  const days = page.getByRole("table").getByRole("button", { name: /^The newest story of/ });
  await days.first().waitFor();
  await listOn(page).getByRole("switch").press("Space");
  await listOn(page).getByText("Switched off").waitFor();
  await days.first().waitFor({ state: "detached" });
  await listOn(page)
    .getByRole("button", { name: /^Remove:/ })
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove it" }).click();
  await listOn(page).getByText("There is none yet.").waitFor();
  expect(fixture.faults).toEqual([]);
});
