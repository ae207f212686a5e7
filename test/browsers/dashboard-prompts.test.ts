import { sql } from "kysely";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { readerSite } from "../../src/tenants/sites/queries.ts";
import { createApi } from "../fixtures/app.ts";
import { insertPromptDay } from "../fixtures/rows/receipts.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { setUp, visitAs } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const api = createApi(fixture.url);
let page: Page;
let ids: Awaited<ReturnType<typeof setUp>>;

beforeAll(async () => {
  page = await fixture.visit();
  ids = await setUp(page, fixture.app);
});

const open = (on: Page) => on.goto(`/sites/${ids.siteId}/settings/prompt`);
const second = (on: Page) => on.getByRole("region", { name: "A second prompt", exact: true });
const figures = (on: Page) => on.getByRole("region", { name: "How readers answer", exact: true });
const prompt = async () => (await readerSite(fixture.app.db, ids.siteId))!.prompt;
const save = (on: Page) => second(on).getByRole("button", { name: "Save: A second prompt" }).click();

/** Counts what pages would report of both prompts of the comparison. */
async function countBoth(granted: { own: number; other: number }): Promise<void> {
  const path = `/sdk/sites/${ids.siteId}/config?tenant=${ids.tenantId}`;
  const { prompts } = (await api.call("GET", path)).body.prompt.compared;
  for (const [i, version] of prompts.map((side: { version: string }) => side.version).entries()) {
    const counts = { shown: 4_000, granted: i === 0 ? granted.own : granted.other };
    await insertPromptDay(fixture.app, { siteId: ids.siteId, version }, 0, counts);
  }
}

test("before any prompt was shown the page says so, and there is no second prompt", async () => {
  await open(page);
  await figures(page).getByText("No prompt was shown yet.").waitFor();
  expect(await second(page).getByLabel("Question").count()).toBe(0);
});

test("an owner writes a second prompt, and sees what is wrong beside its field", async () => {
  await open(page);
  await second(page).getByRole("button", { name: "Compare with a second prompt" }).click();
  await save(page);
  await second(page).getByText("The second prompt must differ from the first in something.").waitFor();
  await second(page).getByLabel("Question").fill("x".repeat(81));
  await second(page).getByLabel("Only on these paths").fill("sport");
  await second(page).getByLabel("Language", { exact: true }).fill("de");
  await second(page).getByRole("button", { name: "Add the language" }).click();
  const german = second(page).getByRole("group", { name: "German" });
  await german.getByLabel("Question").fill("x".repeat(81));
  await save(page);
  await german.getByText("80 characters").waitFor();
  expect(await second(page).getByText("80 characters").count()).toBe(2);
  await second(page).getByText("These must be paths of this site").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await second(page).getByLabel("Question").first().fill("Goals at once?");
  await second(page).getByLabel("From which page of the site on").fill("4");
  await second(page).getByLabel("Only on these paths").fill("/sport/*");
  await german.getByLabel("Question").fill("Tore sofort?");
  expect(await second(page).getByTestId("prompt-preview").innerText()).toContain("Goals at once?");
  await save(page);
  await page.getByText("Saved.").waitFor();
  const other = {
    title: "Goals at once?",
    fromPage: 4,
    onlyPaths: ["/sport/*"],
    languages: { de: { title: "Tore sofort?" } },
  };
  expect(await prompt()).toEqual({ other, comparedSince: expect.any(String) });
});

test.each([
  [1440, "light", "en-GB"],
  [390, "dark", "en-GB"],
  [1440, "dark", "de-DE"],
  [390, "light", "de-DE"],
] as const)(
  "at %i pixels, %s, in %s, the figures of both prompts fit and are accessible",
  async (width, colorScheme, locale) => {
    if (width === 1440 && locale === "en-GB") await countBoth({ own: 160, other: 170 });
    const narrow = await visitAs(fixture, ids.tenantId, "viewer", {
      viewport: { width, height: 1000 },
      colorScheme,
      locale,
    });
    await open(narrow);
    const name = locale === "en-GB" ? "How readers answer" : "Wie Leser antworten";
    const region = narrow.getByRole("region", { name, exact: true });
    await region
      .getByText(locale === "en-GB" ? "No difference can be seen yet." : "Noch ist kein Unterschied")
      .waitFor();
    expect((await region.getByRole("row").allInnerTexts()).join(" ")).toMatch(/4[,.]000\s+160\s+4\s?%/);
    await region.getByText("Goals at once?").waitFor();
    const overflow = await narrow.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await accessibilityFaults(narrow)).toEqual([]);
  },
);

test("a better prompt is named, and an owner ends the comparison with it", async () => {
  await sql`delete from prompt_days where site_id = ${ids.siteId}`.execute(fixture.app.db);
  await countBoth({ own: 160, other: 360 });
  await open(page);
  await figures(page).getByText("The second prompt is better: chance does not explain the difference.").waitFor();
  await second(page).getByRole("button", { name: "End: take the second" }).click();
  await page.getByRole("dialog").getByText("It takes the place of the first.").waitFor();
  await page.getByRole("button", { name: "End it" }).click();
  await second(page).getByRole("button", { name: "Compare with a second prompt" }).waitFor();
  expect(await prompt()).toEqual({
    title: "Goals at once?",
    fromPage: 4,
    onlyPaths: ["/sport/*"],
    languages: { de: { title: "Tore sofort?" } },
  });
  await figures(page).getByText("9%").waitFor();
});

test("an owner ends the comparison with the first prompt", async () => {
  await open(page);
  await second(page).getByRole("button", { name: "Compare with a second prompt" }).click();
  await second(page).getByLabel("Yes").fill("Sure");
  await save(page);
  await second(page).getByRole("button", { name: "End: keep the first" }).click();
  await page.getByRole("button", { name: "End it" }).click();
  await second(page).getByRole("button", { name: "Compare with a second prompt" }).waitFor();
  expect(await prompt()).toMatchObject({ title: "Goals at once?" });
  expect(await prompt()).not.toHaveProperty("other");
});
