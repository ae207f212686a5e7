import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, confirmSend, waitForRun, waitForUndo } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
let page: Page;
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  site = await setUp(page, fixture.app);
  await fixture.addReaders(site.siteId, 3);
});

const form = () => page.getByRole("region", { name: "Classes of notifications" });

test("an owner names a class, and rules who sends it and how often", async () => {
  await page.goto(`/sites/${site.siteId}/settings/classes`);
  const breaking = form().getByRole("group", { name: "Breaking news", exact: true });
  await breaking.getByLabel("What you call it").fill("F".repeat(31));
  await form().getByRole("button", { name: "Save" }).click();
  await form().getByText("Correct what is marked").waitFor();
  await breaking.getByLabel("A reader gets an hour, at most").fill("2");
  await breaking.getByLabel("API keys").uncheck();
  await breaking.getByLabel("What you call it").fill("Flash");
  expect(await accessibilityFaults(page)).toEqual([]);
  await form().getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").first().waitFor();
  await page.reload();
  expect(await breaking.getByLabel("What you call it").inputValue()).toBe("Flash");
  expect(await breaking.getByLabel("A reader gets an hour, at most").inputValue()).toBe("2");
  expect(await breaking.getByLabel("API keys").isChecked()).toBe(false);
});

test("an editor sends a campaign of a class with labels, and finds both in the report", async () => {
  await composeStory(page, site.siteId, fixture.story());
  await page.getByLabel("Class").selectOption({ label: "Flash" });
  await page.getByRole("combobox", { name: "Labels" }).fill("City desk");
  await page.getByRole("combobox", { name: "Labels" }).press("Enter");
  expect(await accessibilityFaults(page)).toEqual([]);
  await confirmSend(page, "3 people");
  await waitForUndo(page, fixture);
  await waitForRun(page, "completed");
  await page.getByText("Flash · Expires after").waitFor();
  await page.getByText("· City desk").waitFor();
  await page.goto(`/sites/${site.siteId}`);
  const report = page.getByRole("region", { name: "Report", exact: true });
  await report.getByRole("row", { name: /^City desk 1/ }).waitFor();
  await report.getByLabel("By").selectOption({ label: "Class" });
  await report.getByRole("row", { name: /^Flash 1/ }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});
