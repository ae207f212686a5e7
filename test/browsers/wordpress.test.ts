import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { type Answer, type Api, createApi } from "../fixtures/app.ts";
import type { Browser } from "../fixtures/browsers/browser.ts";
import { startChromium } from "../fixtures/browsers/chromium/chromium.ts";
import { connectChromium } from "../fixtures/browsers/shared-chromium.ts";
import { eventually } from "../fixtures/eventually.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { hasWordPress, startWordPress, type WordPress } from "../fixtures/wordpress/wordpress.ts";
import { acceptsReceiptsFrom } from "./accepts-receipts.ts";
import { openBrowserFixture } from "./fixture.ts";

/** Tests the plugin in a real WordPress, with an editor in its block editor and a reader on its pages. */
let app: App;
let api: Api;
let publisher: Publisher;
let wordpress: WordPress;
let reader: Browser;
let editor: Page;

describe.runIf(hasWordPress() || process.env.CI)("WordPress", () => {
  beforeAll(async () => {
    const port = await freePort();
    const fixture = await openBrowserFixture();
    app = fixture.app;
    publisher = await createPublisher(app, { siteUrl: `http://localhost:${port}` });
    api = createApi(fixture.proxy.url);
    reader = await startChromium(fixture.pushService);
    const { tenantId: tenant, siteId: site, apiKey: key } = publisher;
    const options = { url: fixture.proxy.url, tenant, site, key, choice: "always" };
    wordpress = await startWordPress(port, options, reader.prelude);
    await eventually(() => acceptsReceiptsFrom(fixture.proxy.url, wordpress.origin));
    editor = await signIn(wordpress.origin);
  });
  afterAll(() => reader?.close());

  testReader();
  testPublication();
  testProgress();
  testSilence();
  testSchedule();
  testWithdrawal();
  testSecrets();
});

const campaigns = async (): Promise<Answer["body"][]> =>
  (await api.call("GET", `/v1/tenants/${publisher.tenantId}/campaigns`, { key: publisher.apiKey })).body.data;
/** Returns the titles of all live sends, oldest first. */
const sends = async () =>
  (await campaigns())
    .filter(({ runId }) => runId !== null)
    .map(({ title }) => title)
    .reverse();
const shown = (title: string) =>
  eventually(
    async () => (await reader.nudges()).find((nudge) => nudge.title === title),
    undefined,
    `no notification ${title}`,
  );

function testReader(): void {
  test("a reader subscribes on a page, by the snippet and the worker that the plugin installs", async () => {
    await reader.setPermission(wordpress.origin, "granted");
    await reader.open(wordpress.origin);
    await eventually(() => reader.inPage<boolean>("return 'state' in (window.pressbell ?? {})"));
    expect(await reader.inPage("return window.pressbell.subscribe()")).toBe("subscribed");
  });
}

function testPublication(): void {
  test("a post published in the block editor notifies the reader once, with the box's words", async () => {
    await write(editor, wordpress.origin, "Bridge opens", { title: "The bridge is open", text: "Since this morning." });
    await publish(editor);
    await eventually(async () => (await editor.locator(".pressbell-state").textContent())?.includes("on its way"));
    await savedBox(editor);
    await wordpress.runCron();
    expect(await shown("The bridge is open")).toEqual({ title: "The bridge is open", body: "Since this morning." });
    await editor.getByText(/Sent to 1 readers: 1 accepted/).waitFor();
  });
}

function testProgress(): void {
  test("the box follows a run until it has ended, also one that is queued or being stopped", async () => {
    let status = "";
    const isState = (url: URL) => /pressbell\/v1\/posts\/\d+$/.test(url.searchParams.get("rest_route") ?? url.pathname);
    await editor.route(isState, async (route) => {
      const response = await route.fetch();
      const state = await response.json();
      await route.fulfill({
        response,
        json: { ...state, run: { ...state.run, status }, said: `The run is ${status}.` },
      });
    });
    await editor.reload();
    for (status of ["queued", "sending", "stopping", "stopped"]) {
      await editor.getByText(`The run is ${status}.`).waitFor();
    }
    await editor.unroute(isState);
  });
}

function testSilence(): void {
  test("an update, a quick edit and a second publication notify nobody again", async () => {
    await editor.getByRole("textbox", { name: "Add title" }).fill("Bridge opens today");
    await update(editor);
    await wordpress.runCron();

    await editor.goto(`${wordpress.origin}/wp-admin/edit.php`);
    await editor.locator("tr", { hasText: "Bridge opens today" }).hover();
    await editor.locator("button.editinline").first().click();
    await editor.locator("tr.inline-editor input[name=post_title]").fill("Bridge is open");
    await editor.locator("tr.inline-editor button.save").click();
    await editor.getByRole("link", { name: "“Bridge is open” (Edit)" }).waitFor();
    await wordpress.runCron();

    for (const status of ["draft", "publish"]) {
      await editor.locator("tr", { hasText: "Bridge is open" }).hover();
      await editor.locator("button.editinline").first().click();
      await editor.locator("tr.inline-editor select[name=_status]").selectOption(status);
      await editor.locator("tr.inline-editor button.save").click();
      await editor.locator(`tr.status-${status}`, { hasText: "Bridge is open" }).waitFor();
      await wordpress.runCron();
    }
    expect(await sends()).toEqual(["The bridge is open"]);
  });
}

function testSchedule(): void {
  test("a scheduled post notifies readers once, when it is due, and only when its page answers", async () => {
    await write(editor, wordpress.origin, "Ferry stops", {});
    await scheduleInTheNextSecond(editor);
    await wordpress.setAway(true);
    await eventually(async () => {
      await wordpress.runCron();
      return (await stateOf(editor)) === "waiting";
    });
    await wordpress.runCron();
    expect(await sends()).toEqual(["The bridge is open"]);
    await editor.getByText(/public page does not answer \(503\)/).waitFor();

    await wordpress.setAway(false);
    await wordpress.makeDue();
    await wordpress.runCron();
    await wordpress.runCron();
    expect(await shown("Ferry stops")).toMatchObject({ title: "Ferry stops" });
    expect(await sends()).toEqual(["The bridge is open", "Ferry stops"]);
  });
}

function testWithdrawal(): void {
  test("a post withdrawn during a pause is not sent, and is sent once when published again", async () => {
    await changeTenant(app, publisher.actor, { paused: true });
    await write(editor, wordpress.origin, "Market moves", {});
    await save(editor, { status: "publish" });
    await wordpress.runCron();
    await editor.getByText(/Sending is paused/).waitFor();
    await save(editor, { status: "draft", title: "Market moves on Monday" });
    await wordpress.makeDue();
    await wordpress.runCron();
    await editor.getByText("Not sent, as the post was withdrawn. Publishing it again may notify readers.").waitFor();

    await changeTenant(app, publisher.actor, { paused: false });
    await save(editor, { status: "publish" });
    for (let runs = 0; runs < 2; runs++) {
      await wordpress.makeDue();
      await wordpress.runCron();
    }
    await shown("Market moves on Monday");
    const [second, first] = await campaigns();
    expect([first, second]).toMatchObject([
      { title: "Market moves", status: "cancelled", runId: null },
      { title: "Market moves on Monday", runId: expect.any(String) },
    ]);
    expect(await sends()).toEqual(["The bridge is open", "Ferry stops", "Market moves on Monday"]);
  });
}

function testSecrets(): void {
  test("the API key is in no page of site, editor or settings, and PHP complains of nothing", async () => {
    const pages = [
      "/",
      "/?pressbell_worker=1",
      "/wp-admin/options-general.php?page=pressbell&tested=1",
      "/wp-admin/post-new.php",
    ];
    for (const path of pages) {
      const answer = await editor.request.get(wordpress.origin + path);
      expect([path, answer.status()]).toEqual([path, 200]);
      expect(await answer.text()).not.toContain(publisher.apiKey);
    }
    expect(await wordpress.complaints()).toEqual([]);
  });
}

async function signIn(origin: string): Promise<Page> {
  const browser = await connectChromium();
  const context: BrowserContext = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
  const page = await context.newPage();
  await page.goto(`${origin}/wp-login.php`);
  await page.getByLabel("Username or Email Address").fill("editor");
  await page.locator("#user_pass").fill("correct horse battery");
  await page.getByRole("button", { name: "Log In" }).click();
  await page.waitForURL(/wp-admin/);
  return page;
}

/** Opens the block editor and writes a post. */
async function write(page: Page, origin: string, title: string, box: { title?: string; text?: string }): Promise<void> {
  await page.goto(`${origin}/wp-admin/post-new.php`);
  await page.getByRole("textbox", { name: "Add title" }).fill(title);
  if (box.title) await page.locator("#pressbell_title").fill(box.title);
  if (box.text) await page.locator("#pressbell_text").fill(box.text);
}

async function publish(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.locator(".editor-post-publish-panel").getByRole("button", { name: "Publish", exact: true }).click();
}

/** Resolves once the editor has saved its boxes. It saves them after the post. */
async function savedBox(page: Page): Promise<void> {
  await page.waitForFunction(
    "!wp.data.select('core/edit-post').isSavingMetaBoxes() && !wp.data.select('core/editor').isSavingPost()",
  );
}

async function update(page: Page): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.url().includes("meta-box-loader"));
  await page.getByRole("button", { name: "Update", exact: true }).click();
  await saved;
}

/** Changes the post through the editor's own store. Resolves once its boxes are saved too. */
async function save(page: Page, change: Record<string, string>): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.url().includes("meta-box-loader"));
  await page.evaluate(`(async () => {
    await wp.data.dispatch("core/editor").editPost(${JSON.stringify(change)});
    await wp.data.dispatch("core/editor").savePost();
  })()`);
  await saved;
}

/** Schedules through the editor's store, because the editor's calendar has no seconds. */
async function scheduleInTheNextSecond(page: Page): Promise<void> {
  await save(page, { status: "future", date: new Date(Date.now() + 4_000).toISOString().slice(0, 19) });
}

/** Returns the state of the notification of the post in the editor. */
function stateOf(page: Page): Promise<string> {
  return page.evaluate(`wp.apiFetch({ path: "/pressbell/v1/posts/" + document.querySelector("#pressbell-box").dataset.post })
    .then(({ state }) => state)`);
}
