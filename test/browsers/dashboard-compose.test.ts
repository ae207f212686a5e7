import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { story } from "../feeds/fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { rss } from "../fixtures/feed-server.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { asksAlone } from "./dashboard/asks-alone.ts";
import { composeStory } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
let first: Page;
let site: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  first = await fixture.visit();
  site = await setUp(first, fixture.app);
  await fixture.addReaders(site.siteId, 40);
  const operator = operatorOf(site.tenantId);
  await addTopic(fixture.app, operator, { siteId: site.siteId, name: "Rowing" });
  const url = `${fixture.feeds.origin}/news.xml`;
  fixture.feeds.serve("/news.xml", rss([story({ server: fixture.feeds }, "yesterday")]));
  await addFeed(fixture.app, operator, { siteId: site.siteId, url, override: false });
  const stories = `/dashboard/api/tenants/${site.tenantId}/sites/${site.siteId}/newest-stories`;
  await eventually(async () => (await (await first.request.get(stories)).json()).data.length > 0);
});

async function openPage(options: Parameters<typeof fixture.visit>[0]): Promise<Page> {
  const page = await fixture.visit(options);
  await page.context().addCookies((await first.context().storageState()).cookies);
  return page;
}

/** A script that adds up the layout shifts that no person has caused (CLS). */
const noteShifts = `window.shifted = 0; new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
}).observe({ type: "layout-shift", buffered: true })`;

test.each([1440, 390])(
  "at %i pixels nothing on Compose moves while it loads, and the address is first",
  async (width) => {
    const page = await openPage({ viewport: { width, height: 900 } });
    await page.addInitScript(noteShifts);
    // The newest stories come last.
    const { promise: others, resolve: haveCome } = Promise.withResolvers<void>();
    await asksAlone(page);
    await page.route("**/newest-stories*", async (route) => {
      await others;
      await route.continue();
    });
    const counted = page.waitForResponse(/\/audience/);
    await page.goto(`/sites/${site.siteId}/compose?fresh=yes`);
    await counted;
    haveCome();
    await page.getByLabel("Address of the story").waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate<number>("window.shifted")).toBeLessThan(0.05);
    const regions = await page.getByRole("main").getByRole("region").all();
    expect(await regions[0]!.getAttribute("aria-label")).toBe("Story");
  },
);

test.each([
  [1440, "light"],
  [1280, "dark"],
  [390, "light"],
  [390, "dark"],
] as const)("at %i pixels in %s colours the bar has all three ways to send", async (width, colorScheme) => {
  const page = await openPage({ locale: "de-DE", colorScheme, viewport: { width, height: 900 } });
  await page.goto(`/sites/${site.siteId}/compose?fresh=yes`);
  await page.getByLabel("Adresse des Artikels").fill(fixture.story());
  await page.locator("[data-decision][aria-busy=false]").waitFor();
  const bar = page.locator("[data-send-bar]");
  await eventually(async () => await bar.getByRole("button", { name: "Jetzt senden…" }).isEnabled());
  for (const button of await bar.getByRole("button").all()) {
    const box = (await button.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(900);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
  }
  expect(await bar.getByRole("button").count()).toBe(3);
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/compose-${width}-${colorScheme}.png` });
});

test("the decision follows the editor's own words, and is the one that the campaign keeps", async () => {
  const page = await openPage({});
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  const decision = page.locator("[data-decision][aria-busy=false]");
  const scored = await decision.getByText(/It scores \d+/).textContent();
  await page.getByLabel("Title").fill("Tram");
  await decision.getByText("The title is very short.").waitFor();
  const shown = await decision.getByText(/It scores \d+/).textContent();
  expect(shown).not.toBe(scored);
  const created = page.waitForResponse((answer) => answer.url().endsWith("/campaigns") && answer.status() === 201);
  await page.getByRole("button", { name: "Send now…" }).click();
  const now = page.locator("[data-decision-now=send]");
  await now.getByText("The title is very short.").waitFor();
  expect(await now.textContent()).toContain(shown);
  const { decision: kept } = await (await created).json();
  expect(Math.round(kept.score * 100)).toBe(Number(/\d+/.exec(shown!)));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Take the story’s own words" }).click();
  await decision.getByText(scored!).waitFor();
});

test("what a test said stands in the bar until it is closed", async () => {
  const page = await openPage({});
  await fixture.addReaders(site.siteId, 1, "Newsroom phone");
  await composeStory(page, site.siteId, fixture.story(), "?fresh=yes");
  const bar = page.locator("[data-send-bar]");
  await bar.getByRole("button", { name: "Send a test" }).click();
  await bar.getByText("1 of 1 test devices took it").waitFor();
  await bar.getByRole("button", { name: "Close" }).click();
  await bar.getByText("1 of 1 test devices took it").waitFor({ state: "detached" });
  expect(fixture.faults).toEqual([]);
});
