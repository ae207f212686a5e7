import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sections } from "../../dashboard/src/settings/sections.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { story } from "../feeds/fixture.ts";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { rss } from "../fixtures/feed-server.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
const schemes = ["light", "dark"] as const;
let first: Page;
let site: Awaited<ReturnType<typeof setUp>>;
let campaignId: string;
let feedId: string;
let sentOn: Date;

async function draft(title: string): Promise<string> {
  const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/a", title, body: "Yes." };
  return (await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body })).body.campaignId;
}

beforeAll(async () => {
  first = await fixture.visit();
  site = await setUp(first, fixture.app);
  await fixture.addReaders(site.siteId, 120);
  const cancelled = await draft("The bridge stays closed");
  await api.call("POST", `/v1/campaigns/${cancelled}/cancel`, { key: site.key });
  await draft("The council votes on the new bridge over the river, on the ferry, and on the harbour beside it");
  campaignId = await draft("The bridge is open");
  sentOn = new Date();
  const { runId } = (await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key: site.key })).body;
  await eventually(
    async () => (await api.call("GET", `/v1/runs/${runId}`, { key: site.key })).body.status === "completed",
  );
  const url = `${fixture.feeds.origin}/news.xml`;
  fixture.feeds.serve("/news.xml", rss([story({ server: fixture.feeds }, "yesterday")]));
  ({ feedId } = await addFeed(fixture.app, operatorOf(site.tenantId), { siteId: site.siteId, url, override: true }));
  await addTopic(fixture.app, operatorOf(site.tenantId), { siteId: site.siteId, name: "Kommunalwahlen im Landkreis" });
  for (let n = 0; n < 72; n++)
    await addReceipts(fixture.app, runId, { displayed: 1, clicked: 1, dismissed: 1 }, ago(`${n} hours`));
});

async function openPage(options: Parameters<typeof fixture.visit>[0]): Promise<Page> {
  const page = await fixture.visit(options);
  await page.context().addCookies((await first.context().storageState()).cookies);
  return page;
}

const withWords = [
  "Badge-label",
  "Badge-root",
  "Button-label",
  "Chip-label",
  "SegmentedControl-label",
  "Tabs-tabLabel",
];

/** An expression for the texts of badges, buttons and column heads that are cut off. */
const cut = `[...document.querySelectorAll("${["th", ...withWords.map((name) => `.mantine-${name}`)].map((one) => `main ${one}`)}")]
  .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.textContent)`;

async function shoot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}

const ofList = {
  "en-GB": {
    reached: "120 of 120",
    clicks: "72 clicked",
    statuses: ["Sent", "Draft", "Cancelled"],
  },
  "de-DE": {
    reached: "120 von 120",
    clicks: "72 geklickt",
    statuses: ["Gesendet", "Entwurf", "Abgesagt"],
  },
} as const;

// 720 is a window of 1440 pixels at a zoom of 200 %.
test.each([1440, 1280, 720, 390])(
  "at %i pixels the list has status, reach, clicks and date, in both languages",
  async (width) => {
    for (const [locale, { statuses, ...shown }] of Object.entries(ofList)) {
      const colorScheme = schemes[width === 1280 || width === 390 ? 1 : 0];
      const page = await openPage({ locale, colorScheme, viewport: { width, height: 900 } });
      await page.goto(`/sites/${site.siteId}/campaigns`);
      const row = page.locator("tr", { hasText: "The bridge is open" });
      const day = new Intl.DateTimeFormat(locale, { timeZone: "Europe/Berlin", day: "numeric", month: "short" });
      for (const text of [...Object.values(shown), day.format(sentOn)])
        await row.getByText(text).filter({ visible: true }).first().waitFor();
      for (const text of statuses) await page.getByRole("cell", { name: text, exact: true }).waitFor();
      expect(await page.evaluate(cut), locale).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), locale).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      await shoot(page, `list-${width}-${locale}`);
    }
  },
);

const paths = [
  ...["", "/calendar", "/screen", "/compose?fresh=yes", "/campaigns", "/feeds", "/subscribers", "/integrations"],
  ...["/members", "/settings/audit-log", ...sections.map((name) => `/settings/${name}`)],
];

/** An expression for the elements that are wider than the window, except those in a part that scrolls by itself. */
const wide = `[...document.querySelectorAll("main *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .filter((element) => !element.closest(".mantine-ScrollArea-root, .mantine-TableScrollContainer-scrollContainer, pre, .visually-hidden"))
  .filter((element) => document.documentElement.scrollWidth > innerWidth)
  .slice(0, 3).map((element) => element.className + " " + element.textContent.slice(0, 40))`;

test("at 390 pixels in German every page fits its words, in both colours", async () => {
  const faults: string[] = [];
  for (const [at, path] of [...paths, `/campaigns/${campaignId}`, `/feeds/${feedId}`, "account"].entries()) {
    const colorScheme = schemes[at % 2]!;
    const page = await openPage({ locale: "de-DE", colorScheme, viewport: { width: 390, height: 900 } });
    await page.goto(path === "account" ? "/account" : `/sites/${site.siteId}${path}`);
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("networkidle");
    await shoot(page, `phone-${path.replace(/\W+/g, "-")}-${colorScheme}`);
    const found = [...(await page.evaluate<string[]>(cut)), ...(await page.evaluate<string[]>(wide))];
    const scrolls = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    faults.push(
      ...found.map((words) => `${path}: ${words}`),
      ...(scrolls > 0 ? [`${path} scrolls by ${scrolls}`] : []),
    );
    await page.close();
  }
  expect(faults).toEqual([]);
});

/** An expression for the width in pixels of the narrowest bar that has a height. */
const narrowest = `Math.min(...[...document.querySelectorAll("main .recharts-bar-rectangle path")].map((bar) => bar.getBoundingClientRect().width))`;

test.each([1440, 390])(
  "at %i pixels receipts of three days are bars that can be seen, in both colours",
  async (width) => {
    for (const colorScheme of schemes) {
      const page = await openPage({ locale: "de-DE", colorScheme, viewport: { width, height: 900 } });
      await page.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
      await page.locator("main .recharts-bar-rectangle path").first().waitFor();
      expect(await page.evaluate(narrowest)).toBeGreaterThanOrEqual(2);
      expect(await page.evaluate(cut)).toEqual([]);
      expect(await accessibilityFaults(page)).toEqual([]);
      await shoot(page, `campaign-${width}-${colorScheme}`);
    }
    expect(fixture.faults).toEqual([]);
  },
);
