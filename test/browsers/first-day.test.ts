import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { siteById } from "../../src/tenants/sites/queries.ts";
import { story } from "../feeds/fixture.ts";
import { eventually } from "../fixtures/eventually.ts";
import { rss } from "../fixtures/feed-server.ts";
import { setUpToken } from "../fixtures/set-up.ts";
import { accessibilityFaults } from "./dashboard/accessibility.ts";
import { composeStory, confirmSend, waitForRun, waitForUndo } from "./dashboard/compose.ts";
import { type DashboardFixture, openDashboardFixture } from "./dashboard/fixture.ts";
import { setUpByHand } from "./dashboard/sign-in.ts";

/** Checks a page in both colour schemes: axe finds nothing, and nothing is wider than the window. */
type Look = (step: string) => Promise<void>;

function createLook(page: Page): Look {
  return async (step) => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      const faults = await accessibilityFaults(page);
      const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      expect({ step, colorScheme, faults, isWide }).toEqual({ step, colorScheme, faults: [], isWide: false });
    }
  };
}

async function setUpAndImport(fixture: DashboardFixture, page: Page, look: Look): Promise<string> {
  await page.goto(`/?setup=${setUpToken(fixture.app)}`);
  await page.getByLabel("E-mail address").waitFor();
  await look("set-up");
  const { siteId } = await setUpByHand(page, fixture.app);
  await page.getByText("0 of 5 done").waitFor();
  await look("overview-of-nothing");
  await page.goto(`/sites/${siteId}/subscribers`);
  const site = (await siteById(fixture.app.db, siteId))!;
  const applicationServerKey = site.vapidPublicKey.toString("base64url");
  const lines = fixture.pushService.createSubscriptions(600, { applicationServerKey });
  const buffer = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const file = { name: "readers.ndjson", mimeType: "application/x-ndjson", buffer };
  await page.getByRole("region", { name: "Import" }).locator('input[type="file"]').setInputFiles(file);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("600 people can be reached.").waitFor();
  await look("imported");
  return siteId;
}

async function composeAndUndo(fixture: DashboardFixture, page: Page, siteId: string, look: Look): Promise<void> {
  await composeStory(page, siteId, fixture.story());
  await page.getByText("Worth sending").waitFor();
  // The story's picture is on a host that does not exist.
  await page.getByRole("region", { name: "Preview" }).getByText("The picture does not load").waitFor();
  await look("compose");
  await page.getByRole("button", { name: "Send now…" }).click();
  await page.getByRole("button", { name: "Send to 600 people" }).waitFor();
  await look("confirm");
  await page.getByRole("button", { name: "Send to 600 people" }).click();
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
  await look("undo");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("Undone. No reader got it.").waitFor();
  await look("taken-back");
}

async function sendAndStop(fixture: DashboardFixture, page: Page, siteId: string, look: Look): Promise<void> {
  const slow = fixture.pushService.answerWith({ behaviour: "answer", delayMs: 4_000 });
  await composeStory(page, siteId, fixture.story(), "?fresh=true");
  await confirmSend(page, "600 people");
  await waitForUndo(page, fixture);
  await waitForRun(page, "sending");
  await look("sending");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop it" }).click();
  await waitForRun(page, "stopped");
  slow();
  await look("stopped");
}

async function correctAndDuplicate(fixture: DashboardFixture, page: Page, look: Look): Promise<void> {
  const stopped = page.url();
  await page.getByRole("link", { name: "Send a correction…" }).click();
  await page.getByLabel(/^Title/).fill("The bridge opens on Sunday");
  // The page must show no decision. The decision that the page before has read would say that the story was already
  // sent.
  expect(await page.locator("[data-decision]").count()).toBe(0);
  await look("correct");
  await confirmSend(page, "600 people");
  await waitForUndo(page, fixture);
  await waitForRun(page, "completed");
  await page.getByRole("heading", { level: 1, name: "The bridge opens on Sunday" }).waitFor();
  await look("corrected");
  await page.goto(stopped);
  await page.getByRole("link", { name: "Duplicate" }).click();
  await page.waitForURL(/\?copy=/);
  await eventually(async () => (await page.getByLabel(/^Title/).inputValue()) === "Bridge opens on Saturday");
  await look("duplicate");
}

async function addFeedAndMember({ feeds }: DashboardFixture, page: Page, siteId: string, look: Look): Promise<void> {
  const item = story({ server: feeds }, "yesterday");
  feeds.publish(new URL(item.link!).pathname, item.title);
  feeds.serve("/news.xml", rss([item]));
  await page.goto(`/sites/${siteId}/feeds`);
  await page.getByRole("button", { name: "Add a feed" }).click();
  await page.getByLabel("Address of the feed").fill(`${feeds.origin}/news.xml`);
  await page.getByRole("button", { name: "Try it" }).click();
  await page.locator('[data-tried="rss"]').waitFor();
  await look("feed");
  await page.goto(`/sites/${siteId}/members`);
  await page.getByLabel("E-mail address").fill("editor@example.org");
  await page.getByLabel("As").selectOption("editor");
  await page.getByRole("button", { name: "Make the link" }).click();
  await page.getByRole("region", { name: "invitation link" }).waitFor();
  await look("roles");
  await page.goto(`/sites/${siteId}`);
  await page.getByText("The bridge opens on Sunday").first().waitFor();
  await look("overview");
}

describe.each<[string, BrowserContextOptions]>([
  ["desktop", { viewport: { width: 1280, height: 800 } }],
  ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true }],
])("the first day on a %s, in light and dark", async (_, options) => {
  const fixture = await openDashboardFixture();

  test("from the set-up to a second editor", { timeout: 480_000 }, async () => {
    const page = await fixture.visit(options);
    const look = createLook(page);
    const siteId = await setUpAndImport(fixture, page, look);
    await composeAndUndo(fixture, page, siteId, look);
    await sendAndStop(fixture, page, siteId, look);
    await correctAndDuplicate(fixture, page, look);
    await addFeedAndMember(fixture, page, siteId, look);
    expect(fixture.faults).toEqual([]);
  });
});
