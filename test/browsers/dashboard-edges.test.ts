import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sections } from "../../dashboard/src/settings/sections.ts";
import { composeStory } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn, signInToOverview } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const phoneSize = { viewport: { width: 390, height: 844 } };
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
});

async function openPage(): Promise<Page> {
  const page = await fixture.visit();
  await page.clock.install();
  await signInToOverview(page, owner);
  return page;
}

test("addresses that people type by themselves lead to the sign-in and to the overview", async () => {
  const page = await fixture.visit();
  await page.goto("/login");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await signIn(page, owner);
  await page.goto("/dashboard");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test("an unknown page says so and leads on", async () => {
  const page = await openPage();
  await page.goto(`/sites/${site.siteId}/nowhere`);
  await page.getByText("There is no such page").waitFor();
  await page.getByRole("link", { name: "Go to the overview" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

test("a page that is older than the service offers to reload", async () => {
  const page = await openPage();
  let isUpgraded = true;
  await page.route(`${fixture.url}/`, async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    await route.fulfill({
      response: answer,
      body: isUpgraded ? html.replace(/index-[^"]+\.js/, "index-new.js") : html,
    });
  });
  await page.clock.fastForward(130_000);
  await page.getByText("There is a new version").waitFor();
  isUpgraded = false;
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.getByText("There is a new version").waitFor({ state: "detached" });
});

test("a page whose script is gone after an upgrade says what to do", async () => {
  const page = await openPage();
  expect(fixture.faults).toEqual([]);
  await page.route("**/assets/feeds-*.js", (route) => route.abort());
  await page.getByRole("link", { name: "Feeds" }).click();
  await page.getByText("This page could not be loaded").waitFor();
  await page.unroute("**/assets/feeds-*.js");
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { level: 1, name: "Feeds" }).waitFor();
});

test("while the network is away every page says so, and goes on by itself", async () => {
  const page = await openPage();
  await page.context().setOffline(true);
  await page.getByText("Pressbell does not answer").waitFor();
  await page.context().setOffline(false);
  await page.getByText("Pressbell does not answer").waitFor({ state: "detached" });
});

test("on a phone the site is named, the preview is above Save draft, and nothing is cut off", async () => {
  const page = await fixture.visit(phoneSize);
  await signInToOverview(page, owner);
  await page.getByRole("banner").getByText("The Example").waitFor();
  await composeStory(page, site.siteId, fixture.story());
  const top = async (name: string) => (await page.getByRole("region", { name }).boundingBox())!.y;
  const saveDraft = (await page.getByRole("button", { name: "Save draft" }).boundingBox())!;
  expect(await top("Preview")).toBeLessThan(saveDraft.y);
  const ofSettings = sections.map((name) => `settings/${name}`);
  for (const path of ["integrations", "members", "subscribers", "campaigns", ...ofSettings]) {
    await page.goto(`/sites/${site.siteId}/${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
    expect(await page.evaluate(clipped), path).toEqual([]);
  }
});

test("the sign-in has one background down to the end of the window", async () => {
  const page = await fixture.visit({ viewport: { width: 390, height: 1400 } });
  await page.goto("/sign-in");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const colours = await page.evaluate(
    `["html", "body"].map((name) => getComputedStyle(document.querySelector(name)).backgroundColor)`,
  );
  expect(new Set(colours as string[]).size).toBe(1);
  expect(fixture.faults.filter((fault) => !/dynamically imported|ERR_FAILED/.test(fault))).toEqual([]);
});

/**
 * An expression for the cut parts of a page: buttons whose label does not fit, and tables that are wider than the
 * window.
 */
const clipped = `[
  ...[...document.querySelectorAll("main .mantine-Button-label")].filter((label) => label.scrollWidth > label.clientWidth + 1),
  ...[...document.querySelectorAll("main table")].filter((table) => table.getBoundingClientRect().right > innerWidth),
].map((element) => element.textContent)`;
