import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { sections } from "../../dashboard/src/settings/sections.ts";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { present } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn, signInToOverview } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const german = { locale: "de-DE" };
const phone = { viewport: { width: 390, height: 844 } };
let site: Awaited<ReturnType<typeof setUp>>;
let campaignId: string;

beforeAll(async () => {
  site = await setUp(await fixture.visit(), fixture.app);
  await fixture.addReaders(site.siteId, 1_200);
  const api = createApi(fixture.url);
  const body = {
    siteId: site.siteId,
    mode: "manual",
    url: "https://news.example/a",
    title: "Brücke frei",
    body: "Ja.",
  };
  const created = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  campaignId = created.body.campaignId;
  const { runId } = (await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key: site.key })).body;
  const isDone = async () =>
    (await api.call("GET", `/v1/runs/${runId}`, { key: site.key })).body.status === "completed";
  await eventually(isDone);
  const { db } = fixture.app;
  await addReceipts({ db: db }, runId, { displayed: 900, clicked: 150 }, present);
  // The test needs a known start time.
  await changeRuns({ db: db }, { id: runId }, { startedAt: "2025-03-04T15:05:06Z" });
});

async function signInInGerman(options: Parameters<typeof fixture.visit>[0] = {}): Promise<Page> {
  const page = await fixture.visit({ ...german, ...options });
  await page.goto("/sign-in");
  await page.getByLabel("E-Mail-Adresse").fill(owner.email);
  await page.getByLabel("Passwort", { exact: true }).fill(owner.password);
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Überblick" }).waitFor();
  return page;
}

/** The pages with their headings. */
const pages = {
  "": "Überblick",
  "/compose": "Schreiben",
  "/campaigns": "Kampagnen",
  "/calendar": "Kalender",
  "/feeds": "Feeds",
  "/subscribers": "Abos",
  "/integrations": "Anbindungen",
  "/members": "Mitglieder",
  ...Object.fromEntries(sections.map((name) => [`/settings/${name}`, "Einstellungen"])),
  "/settings/audit-log": "Protokoll",
};

test("a browser that wants German gets it: words, numbers, dates, and the language of the page", async () => {
  const page = await signInInGerman();
  expect(await page.evaluate("document.documentElement.lang")).toBe("de");
  await page.getByText("Erreichbare Abos").waitFor();
  await page.getByText("1.200", { exact: true }).first().waitFor();
  await page.goto(`/sites/${site.siteId}/campaigns/${campaignId}`);
  await page.getByRole("heading", { level: 1, name: "Brücke frei" }).waitFor();
  await page.getByText("Erreicht: 1.200 von 1.200 Personen · 100 %").waitFor();
  await page.getByText("Begonnen Di., 4. März 2025, 16:05:06", { exact: false }).waitFor();
  await page.getByText("12,5 %").waitFor();
});

test("the story is checked in German, and a refused form says in German what is wrong", async () => {
  const page = await signInInGerman();
  await page.goto(`/sites/${site.siteId}/compose`);
  await page.getByLabel("Adresse des Artikels").fill(fixture.story());
  await page.getByText("Die Seite sagt, dass sie ein Artikel ist.").waitFor();
  await page.getByText(/von 100 Punkten/).waitFor();
  await page.getByRole("button", { name: "Jetzt senden…" }).waitFor();
  await page.goto(`/sites/${site.siteId}/settings`);
  await page.getByLabel("Name der Website").fill("");
  await page.getByRole("button", { name: "Speichern: Die Website selbst" }).click();
  await page.getByText("Das darf nicht leer sein.").waitFor();
});

test.each(Object.entries({ desktop: {}, phone }))(
  "every page speaks German, and axe finds nothing, on a %s",
  async (size, options) => {
    const page = await signInInGerman(options);
    for (const [path, heading] of Object.entries(pages)) {
      await page.goto(`/sites/${site.siteId}${path}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `${size} ${path}`).toBe(0);
      expect(await accessibilityFaults(page), `${size} ${path}`).toEqual([]);
      if (process.env.SHOTS) {
        await mkdir(process.env.SHOTS, { recursive: true });
        await page.screenshot({ path: `${process.env.SHOTS}/${size}${path.replaceAll("/", "-")}.png`, fullPage: true });
      }
    }
  },
);

test("a person changes the language before the sign-in and after it, and the browser keeps it", async () => {
  const page = await fixture.visit(german);
  await page.goto("/sign-in");
  await page.getByRole("heading", { name: "Anmelden" }).waitFor();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate("document.documentElement.lang")).toBe("en");
  await signInToOverview(page, owner);
  await page.reload();
  await page.getByText("Reachable subscribers").waitFor();
  await page.getByText("1,200", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: owner.email }).click();
  await page.getByRole("menuitem", { name: "Deutsch" }).click();
  await page.getByRole("heading", { level: 1, name: "Überblick" }).waitFor();
});

test("a title from right to left runs so where it is read and where it is written", async () => {
  const page = await fixture.visit();
  await signIn(page, owner);
  const body = {
    siteId: site.siteId,
    mode: "manual",
    url: "https://news.example/b",
    title: "الجسر مفتوح",
    body: "نعم",
  };
  const { body: created } = await createApi(fixture.url).call("POST", `/v1/tenants/${site.tenantId}/campaigns`, {
    key: site.key,
    body,
  });
  await page.goto(`/sites/${site.siteId}/campaigns/${created.campaignId}`);
  await page.getByRole("heading", { level: 1, name: body.title }).waitFor();
  const directionOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`);
  expect(await directionOf("h1")).toBe("rtl");
  await page.goto(`/sites/${site.siteId}/settings`);
  await page.getByLabel("Name of the site").fill("الجريدة");
  expect(await directionOf("input[value='الجريدة']")).toBe("rtl");
});

test("a browser loads the words of one language, and before the sign-in only those of its page", async () => {
  const page = await fixture.visit(german);
  const loading: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) loading.push(response.text());
  });
  await page.goto("/sign-in");
  await page.getByRole("heading", { name: "Anmelden" }).waitFor();
  await page.waitForLoadState("networkidle");
  const loaded = await Promise.all(loading);
  const has = (text: string) => loaded.some((script) => script.includes(text));
  expect(has("Passwort vergessen?")).toBe(true);
  expect(["Forgot your password?", "Letzte Pushs", "Abos dieses Zeitraums"].filter(has)).toEqual([]);
});

test("all this leaves no error in the console", () => {
  expect(fixture.faults).toEqual([]);
});
