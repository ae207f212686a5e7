import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
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
  for (let n = 0; n < 72; n++)
    await addReceipts(fixture.app, runId, { displayed: 1, clicked: 1, dismissed: 1 }, ago(`${n} hours`));
});

async function openPage(options: Parameters<typeof fixture.visit>[0]): Promise<Page> {
  const page = await fixture.visit(options);
  await page.context().addCookies((await first.context().storageState()).cookies);
  return page;
}

/** The words of badges and heads of columns that are cut off. */
const cut = `[...document.querySelectorAll("main .mantine-Badge-label, main .mantine-Badge-root, main th")]
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

// 720: a window of 1440 at 200 %.
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

/** The narrowest bar with a height, in pixels. */
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
