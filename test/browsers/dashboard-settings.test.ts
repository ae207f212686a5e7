import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
let page: Page;
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  site = await setUp(page, fixture.app);
});

const address = (section: string) => `/sites/${site.siteId}/settings/${section}`;
const sections = () => page.getByRole("navigation", { name: "Section" });
const open = (name: string) => sections().getByRole("link", { name, exact: true }).click();

test("each section of the settings has its own address, for links and for the way back", async () => {
  await page.goto(`/sites/${site.siteId}/settings`);
  await page.getByLabel("Name of the site").waitFor();
  expect(new URL(page.url()).pathname).toBe(address("site"));
  await open("Prompt");
  await page.getByLabel("Question").waitFor();
  expect(await page.title()).toBe("Prompt, settings · Pressbell");
  await open("Win-back");
  await page.waitForURL(`**${address("win-back")}`);
  await page.goBack();
  await page.getByLabel("Question").waitFor();
  await page.goBack();
  await page.getByLabel("Name of the site").waitFor();
  await page.goto(address("readers"));
  await page.getByLabel("Further addresses, one a line").waitFor();
  expect(await sections().locator("[aria-current=page]").allInnerTexts()).toEqual(["Readers"]);
  await page.goto(address("colours"));
  await page.getByText("There is no such page").waitFor();
});

test("a section with unsaved edits asks before another one opens, by a link or the way back", async () => {
  await page.goto(address("site"));
  await open("Stories");
  const perDay = page.getByLabel("Sends in 24 hours, at most");
  await perDay.fill("7");
  const asks = page.getByText("You have changed settings on this page and not saved them.");
  await open("Classes");
  await asks.waitFor();
  await page.getByRole("button", { name: "Stay here" }).click();
  await asks.waitFor({ state: "detached" });
  await page.goBack();
  await asks.waitFor();
  await page.getByRole("button", { name: "Stay here" }).click();
  expect(await perDay.inputValue()).toBe("7");
  await page.getByRole("link", { name: "Feeds" }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByText("No feed yet").waitFor();
});

test("saving one form of a section leaves what is typed in the others", async () => {
  await page.goto(address("publisher"));
  await page.getByLabel("Large sends need a second person").check();
  await page.getByLabel("Above so many people").fill("5,000");
  await page.getByLabel("Name of the publisher").fill("Example Press");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByText("The Example, and Example Press as a whole").waitFor();
  expect(await page.getByLabel("Above so many people").inputValue()).toBe("5000");
  await page.getByRole("button", { name: "Save this" }).click();
  await page.getByText("Saved.").first().waitFor();
});

test("on a phone a list names the sections, and the page is no wider than the screen", async () => {
  const { cookies } = await page.context().storageState();
  const phone = await fixture.visit({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await phone.context().addCookies(cookies);
  await phone.goto(address("site"));
  await phone.getByRole("combobox", { name: "Section" }).selectOption("Notifications");
  await phone.waitForURL(`**${address("notifications")}`);
  await phone.getByLabel("Icon", { exact: true }).waitFor();
  expect(await accessibilityFaults(phone)).toEqual([]);
  expect(await phone.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
});

test("of 300 topics a few are listed, and the others are found by a part of their name", async () => {
  const operator = operatorOf(site.tenantId);
  await changeTenant(fixture.app, operator, { topicLimit: 300 });
  for (let n = 1; n <= 300; n++) await addTopic(fixture.app, operator, { siteId: site.siteId, name: `Village ${n}` });
  const choose = async (name: string, path: string) => {
    await page.goto(path);
    const field = page.getByRole("combobox", { name });
    await field.click();
    const options = page.getByRole("listbox").getByRole("option");
    await expect.poll(() => options.count()).toBe(12);
    await field.fill("ge 299");
    await options.filter({ hasText: "Village 299" }).click();
    await page.keyboard.press("Escape");
    expect(await accessibilityFaults(page)).toEqual([]);
  };
  await choose("Topics that readers can tick", address("prompt"));
  await page.getByTestId("prompt-preview").getByText("Village 299").waitFor();
  await page.getByRole("button", { name: "Save: What readers are asked" }).click();
  await page.getByText("Saved.").first().waitFor();
  await choose("Topics, any of them", `/sites/${site.siteId}/compose`);
  await page.getByRole("region", { name: "Audience" }).getByText("Village 299 · 0").first().waitFor();

  await page.goto(`/sites/${site.siteId}/subscribers`);
  const topics = page.getByRole("region", { name: "Topics" });
  await topics.getByText("288 more").waitFor();
  await topics.getByLabel("Find a topic").fill("ge 299");
  await topics.getByRole("button", { name: "Rename the topic Village 299" }).waitFor();
  expect(await topics.getByRole("listitem").count()).toBe(1);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(fixture.faults).toEqual([]);
});
