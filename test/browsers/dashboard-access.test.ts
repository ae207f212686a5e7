import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { sections } from "../../dashboard/src/settings/sections.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { story } from "../feeds/fixture.ts";
import { createApi } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { rss } from "../fixtures/feed-server.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { setUpToken } from "../fixtures/set-up.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory } from "./dashboard/compose.ts";
import { openDashboardFixture } from "./dashboard/fixture.ts";
import { owner, setUp, signIn } from "./dashboard/sign-in.ts";

const fixture = await openDashboardFixture();
const dist = new URL("../../dashboard/dist/", import.meta.url);
const schemes = ["light", "dark"] as const;
let site: Awaited<ReturnType<typeof setUp>>;
let campaignId: string;
let feedId: string;
let emptySiteId: string;

beforeAll(async () => {
  const page = await fixture.visit({ colorScheme: "dark" });
  await page.goto("/set-up");
  await page.getByText("It opens with a link that works once.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`/?setup=${setUpToken(fixture.app)}`);
  await page.getByLabel("Publisher").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await accessibilityFaults(page)).toEqual([]);
  site = await setUp(page, fixture.app);
  await fixture.addReaders(site.siteId, 40);
  await fixture.addReaders(site.siteId, 1, "Newsroom phone");
  const api = createApi(fixture.url);
  const body = { siteId: site.siteId, mode: "manual", url: "https://news.example/a", title: "Bridge", body: "Open." };
  const made = await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  campaignId = made.body.campaignId;
  const sent = await api.call("POST", `/v1/campaigns/${campaignId}/send`, { key: site.key });
  await addReceipts(fixture.app, sent.body.runId, { displayed: 30, clicked: 7 }, present);
  const url = `${fixture.feeds.origin}/news.xml`;
  fixture.feeds.serve("/news.xml", rss([story({ server: fixture.feeds }, "yesterday")]));
  ({ feedId } = await addFeed(fixture.app, operatorOf(site.tenantId), { siteId: site.siteId, url, override: true }));
  await api.call("POST", `/v1/tenants/${site.tenantId}/campaigns`, { key: site.key, body });
  const empty = { name: "Another", url: "https://another.example" };
  ({ siteId: emptySiteId } = await createSite(fixture.app, operatorOf(site.tenantId), fixture.app.db, empty));
  await addTopic(fixture.app, operatorOf(site.tenantId), { siteId: site.siteId, name: "Rowing" });
});

/** Each page with a text that appears once it has loaded. */
const pages: [name: string, path: () => string, ready: string][] = [
  ["overview", () => `/sites/${site.siteId}`, "Who came and who left"],
  ["calendar", () => `/sites/${site.siteId}/calendar`, "What was sent and what is planned"],
  ["newsroom screen", () => `/sites/${site.siteId}/screen`, "Readers reachable"],
  ["campaigns", () => `/sites/${site.siteId}/campaigns`, "Reached"],
  ["a campaign", () => `/sites/${site.siteId}/campaigns/${campaignId}`, "The story was opened"],
  ["feeds", () => `/sites/${site.siteId}/feeds`, "The override is on"],
  ["a feed", () => `/sites/${site.siteId}/feeds/${feedId}`, "The story of yesterday"],
  ["subscribers", () => `/sites/${site.siteId}/subscribers`, "Newsroom phone"],
  ["integrations", () => `/sites/${site.siteId}/integrations`, "First key"],
  ["members", () => `/sites/${site.siteId}/members`, "(you)"],
  ["account", () => "/account", "Change your password"],
];

const settings = sections.map((name): [string, () => string, string] => [
  `settings: ${name}`,
  () => `/sites/${site.siteId}/settings/${name}`,
  "Save",
]);

async function openDashboard(options: Parameters<typeof fixture.visit>[0]): Promise<Page> {
  const page = await fixture.visit(options);
  await signIn(page, owner);
  return page;
}

describe.each(schemes)("in %s colours axe finds no violations of WCAG 2.2 AA", (colorScheme) => {
  test.each([
    ["page", pages],
    ["section of the settings", settings],
  ])("on any %s", async (_, shown) => {
    const page = await openDashboard({ colorScheme });
    const faults: string[] = [];
    for (const [name, path, ready] of shown) {
      await page.goto(path());
      await page.getByText(ready).first().waitFor();
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test("in compose, its dialogs and the time to undo", async () => {
    const page = await openDashboard({ colorScheme });
    const faults: string[] = [];
    const look = async (name: string) =>
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${name}: ${fault}`));
    await composeStory(page, site.siteId, fixture.story("unlisted"));
    await look("compose");
    for (const name of ["Windows", "macOS", "Firefox", "iOS"]) await page.getByText(name, { exact: true }).click();
    await page.getByRole("button", { name: "Schedule…" }).click();
    await page.getByLabel(/Day and time/).waitFor();
    await look("schedule");
    await page.getByRole("button", { name: "Not yet" }).click();
    await page.getByRole("button", { name: "Send now…" }).click();
    await page.getByRole("button", { name: "Send to 40 people" }).waitFor();
    await look("question");
    await page.getByRole("button", { name: "Send to 40 people" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await look("undo");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.goto("/sign-in");
    await page.getByLabel("E-mail address").waitFor();
    await look("sign-in");
    expect(faults).toEqual([]);
  });
});

describe.each(schemes)("in %s colours axe finds no violations in temporary parts of a page", (colorScheme) => {
  test("while a feed is added, with its question, and in the dialogs of its switches", async () => {
    const page = await openDashboard({ colorScheme });
    const faults: string[] = [];
    const look = async (name: string) =>
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${name}: ${fault}`));
    await page.goto(`/sites/${site.siteId}/feeds`);
    await page.getByRole("button", { name: "Add a feed" }).click();
    await page.getByLabel("Address of the feed").fill(`${fixture.feeds.origin}/news.xml`);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.locator("[data-tried]").waitFor();
    await page.getByRole("button", { name: "Add a rule" }).click();
    await look("a feed that is looked at");
    await changeFeeds(fixture.app, { id: feedId }, { askedAt: present });
    await page.goto(`/sites/${site.siteId}/feeds/${feedId}`);
    await page.getByRole("button", { name: "Skip them" }).waitFor();
    await look("the question of a feed");
    await page.getByLabel("Read it and send what is new").click();
    await page.getByRole("button", { name: "Switch it off" }).waitFor();
    await look("the question of a switch");
    expect(faults).toEqual([]);
  });

  test("with empty lists, with the link for a device, and with a file that has errors", async () => {
    const page = await openDashboard({ colorScheme });
    const faults: string[] = [];
    const look = async (name: string) =>
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${name}: ${fault}`));
    await page.goto(`/sites/${emptySiteId}/feeds`);
    await page.getByText("No feed yet").waitFor();
    await look("no feed");
    await page.goto(`/sites/${emptySiteId}/subscribers`);
    await page.getByLabel("Name of a new test device").fill("Phone");
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByRole("img", { name: /^QR code/ }).waitFor();
    const file = { name: "readers.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from("nonsense\n") };
    const region = page.getByRole("region", { name: "Import" });
    await region.locator('input[type="file"]').setInputFiles(file);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("button", { name: "Save the list" }).waitFor();
    await look("subscribers");
    expect(faults).toEqual([]);
  });
});

test("on a phone nothing is wider than the screen, and the menu leads everywhere", async () => {
  const page = await openDashboard({ viewport: { width: 360, height: 740 }, hasTouch: true });
  for (const [name, path, ready] of pages) {
    await page.goto(path());
    await page.getByText(ready).first().waitFor({ state: "attached" });
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width, name).toBeLessThanOrEqual(360);
  }
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
});

test("the keyboard alone skips the menu, and gets from a story to the dialog of a send", async () => {
  const page = await openDashboard({});
  await page.goto(`/sites/${site.siteId}/compose`);
  await page.getByLabel("Address of the story").waitFor();
  await page.getByRole("button", { name: "Go to the content" }).focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("main");
  await page.getByLabel("Address of the story").focus();
  await page.keyboard.type(fixture.story());
  await page.locator("[data-decision]").waitFor();
  await page.getByRole("button", { name: "Send now…" }).focus();
  await page.keyboard.press("Enter");
  const send = page.getByRole("button", { name: "Send to 40 people" });
  await send.waitFor();
  await page.keyboard.press("Escape");
  await send.waitFor({ state: "detached" });
  // The focus is back on its button once the dialog has closed.
  await eventually(async () => page.evaluate<boolean>("document.activeElement.textContent.startsWith('Send now…')"));
});

test("the first page loads less than 275 KB gzipped, without the charts", async () => {
  const page = await openDashboard({});
  await page.goto("about:blank");
  const loaded: string[] = [];
  page.on("response", (response) => {
    const name = /\/assets\/([^/?]+)$/.exec(response.url())?.[1];
    if (name !== undefined) loaded.push(name);
  });
  await page.goto(`/sites/${site.siteId}/campaigns`);
  await page.getByText("Reached").waitFor();
  const sizes = await Promise.all(
    loaded.map(async (name) => gzipSync(await readFile(new URL(`assets/${name}`, dist)))),
  );
  const bytes = sizes.reduce((sum, zipped) => sum + zipped.length, 0);
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.filter((name) => name.includes("chart"))).toEqual([]);
  expect(bytes / 1_000).toBeLessThan(275);
  expect(await readdir(new URL("assets/", dist))).toContainEqual(expect.stringMatching(/^charts-.*\.js$/));
});
