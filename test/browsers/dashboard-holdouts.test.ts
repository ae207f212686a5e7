import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { insertHoldoutDay } from "../fixtures/rows/receipts.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
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

const card = (on = page) => on.getByRole("region", { name: "What notifications win and lose" });

test("an owner leaves out one reader in a hundred, and no more than ten", async () => {
  await page.goto(`/sites/${site.siteId}/settings/classes`);
  const form = page.getByRole("region", { name: "Classes of notifications" });
  const field = form.getByRole("group", { name: "Normal", exact: true }).getByLabel("Readers who do not get it");
  await field.fill("11");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Correct what is marked").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await accessibilityFaults(page)).toEqual([]);
  await field.fill("1");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved").first().waitFor();
  await page.reload();
  expect(await field.inputValue()).toBe("1");
  await page.goto(`/sites/${site.siteId}`);
  await card().getByText("Normal: the first figures come within two days").waitFor();
});

test("the overview shows what readers left out did, and what the others did", async () => {
  await insertHoldoutDay(fixture.app, site.siteId, {
    age: 0,
    heldOut: { readers: 1_000, came: 50 },
    others: { readers: 99_000, came: 9_900 },
  });
  await page.reload();
  const row = (name: string) => card().getByRole("row", { name: new RegExp(`^${name}`) });
  await row("Come in a day 100 50 \\+50 \\(\\+3\\d").waitFor();
  await card().getByText("Left out: 1,000 readers. Counted on 1 day. How many leave shows").waitFor();
  expect(await row("Leave").count()).toBe(0);
  const atTheEnd = { heldOut: { readers: 990, came: null }, others: { readers: 97_020, came: null } };
  for (const age of [27, 34]) await insertHoldoutDay(fixture.app, site.siteId, { age, ...atTheEnd });
  await page.reload();
  await row("Leave in four weeks 20 10 \\+10 \\(").waitFor();
  const phone = await fixture.visit({ viewport: { width: 390, height: 844 } });
  await phone.context().addCookies((await page.context().storageState()).cookies);
  await phone.goto(`/sites/${site.siteId}`);
  await card(phone).waitFor();
  expect(await phone.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(fixture.faults).toEqual([]);
});
