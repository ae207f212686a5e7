import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { row } from "../../../src/db/pool.ts";
import { createTestLink } from "../../../src/subscribers/test-devices.ts";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { startSite } from "../../fixtures/browsers/site.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { createSubscriptions } from "../../fixtures/publisher.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/**
 * Returns the body of an async function. It waits until the visit of `frame`, a window, is handled. It returns whether
 * the frame shows the soft prompt.
 */
const isPromptedIn = (frame: string) => `
  const frame = ${frame};
  while (!frame.pressbell?.topics) await new Promise((resolve) => setTimeout(resolve, 20));
  await frame.pressbell.topics();
  await new Promise((resolve) => frame.setTimeout(resolve, 0));
  for (let looks = 0; looks < 5; looks++) await frame.pressbell.state();
  return [await frame.pressbell.prompt(), frame.document.querySelector("pressbell-prompt") !== null];`;

const hasPrompt = () => browser.inPage<boolean>('return document.querySelector("pressbell-prompt") !== null');

async function audience(): Promise<number> {
  return (await tenant.whenCompleted(await tenant.send())).audience;
}

/** Returns the service's counts of the browser's questions on the site. */
const counts = () =>
  row(
    sql<{ asked: number; granted: number; denied: number }>`select asked::int, granted::int, denied::int from site_days
      where site_id = ${tenant.publisher.siteId}`,
    fixture.app.db,
  );

/** Makes the page's requests to register fail until its next visit. */
const refuseRegistrations = `{
  const real = window.fetch;
  window.fetch = (url, ...rest) =>
    String(url).endsWith("/subscriptions") ? Promise.reject(new TypeError("refused")) : real(url, ...rest);
}`;

/**
 * Tests the page script in real browsers: in frames, in several tabs, and when something fails. Each test has a new
 * website.
 */
export function testPageScript(name: string): void {
  beforeEach(newReader);

  testFrames();
  testTabs();
  testFailures();
  // Firefox leaves its question open. Headless Chromium refuses at once, so test/browsers/sdk simulates the questions
  // there.
  if (name === "Firefox") testOpenQuestions();
}

function testFrames(): void {
  test("a page that frames another page of the site shows one prompt, its own", async () => {
    const { site } = tenant;
    const page = await (await fetch(`${site.origin}/`)).text();
    site.put("/outer", page.replace("</body>", '<iframe src="/bridge"></iframe></body>'));
    await reader.visit("/outer");
    expect(await browser.inPage(isPromptedIn("frames[0]"))).toEqual([false, false]);
    await eventually(hasPrompt);
  });

  test("a page of the site in a frame of another site never asks", async () => {
    const { site } = tenant;
    // For browsers, a site is the host without its port. So 127.0.0.1 and localhost are different sites.
    const hear = "window.heard = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)))";
    const frame = `<!doctype html><script>${hear}</script><iframe src="${site.origin}/inner"></iframe>`;
    const other = (await startSite()).put("/", frame);
    const page = await (await fetch(`${site.origin}/`)).text();
    const tell = `<script>(async () => { ${isPromptedIn("window")} })().then((told) => top.postMessage(String(told), "*"))</script>`;
    site.put("/inner", page.replace("</body>", `${tell}</body>`));
    await browser.open(other.replace("localhost", "127.0.0.1"));
    expect(await browser.inPage("return window.heard")).toBe("false,false");
  });
}

function testTabs(): void {
  test.each(["Not now", "Yes, please"])('"%s" in one tab takes the prompt away in the other', async (answer) => {
    const { site } = tenant;
    await browser.setPermission(site.origin, "granted");
    const page = await (await fetch(`${site.origin}/`)).text();
    site.put("/first", page.replace("</body>", '<a href="/second" target="_blank">Second tab</a></body>'));
    site.put("/second", page);
    await reader.visit("/first");
    await eventually(hasPrompt);
    await browser.press("Second tab");
    await browser.switchToTab(`${site.origin}/second`);
    await browser.press(answer);
    await reader.event(answer === "Not now" ? "dismissed" : "subscribed");
    await browser.switchToTab(`${site.origin}/first`);
    await eventually(async () => !(await hasPrompt()));
    expect(await browser.inPage("return seen.map(([name]) => name)")).not.toContain("dismissed");
  });
}

function testFailures(): void {
  test("a test device's link that fails to register makes neither test device nor reader", async () => {
    const { siteId, actor } = tenant.publisher;
    const { link } = await createTestLink(fixture.app, actor, { siteId, label: "Desk phone" });
    await browser.setPermission(tenant.site.origin, "granted");
    await browser.open(link);
    await eventually(hasPrompt);
    await browser.inPage(refuseRegistrations);
    await browser.press("Yes, please");
    expect(await reader.event("failed")).toMatchObject({ reason: "service" });
    await reader.visit();
    expect(await reader.call("topics")).toMatchObject({ chosen: [] });
    expect(await reader.call("state")).toBe("unsubscribed");
    expect(await audience()).toBe(0);
  });

  test("a migration in a shared worker that fails halfway goes on at the next visit", async () => {
    const { site, publisher } = tenant;
    const migrateSubscriptions = { workers: [], formerReaders: null };
    await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, migrateSubscriptions });
    const page = (await (await fetch(`${site.origin}/`)).text()).replace("data-tenant", 'data-scope="/" data-tenant');
    site.put("/failing", page.replace("<script", `<script>${refuseRegistrations}</script><script`));
    site.put("/shared", page);
    site.put("/plain", "<!doctype html><title>Without our script</title>");
    await browser.setPermission(site.origin, "granted");
    await browser.open(`${site.origin}/plain`);
    await browser.inPage(
      `const registration = await navigator.serviceWorker.register("/pressbell-sw.js", { scope: "/" });
      await navigator.serviceWorker.ready;
      await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: args[0] });`,
      createSubscriptions(1)[0]!.keys.p256dh,
    );
    await reader.visit("/failing");
    expect(await reader.event("failed")).toMatchObject({ reason: "service" });
    expect(await audience()).toBe(0);
    await reader.visit("/shared");
    await reader.call("topics");
    expect(await reader.call("state")).toBe("subscribed");
    expect((await tenant.whenCompleted(await tenant.send({ title: "Welcome over" }))).audience).toBe(1);
    await reader.nudge("Welcome over");
    await browser.dismiss("Welcome over");
  });
}

function testOpenQuestions(): void {
  test('"Not now" withdraws a yes: a permission that comes later does not subscribe', async () => {
    await reader.visit();
    await browser.press("Yes, please");
    expect(await reader.call("prompt")).toBe(true);
    await browser.press("Not now");
    await reader.event("dismissed");
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit();
    expect(await reader.call("topics")).toMatchObject({ chosen: [] });
    expect(await reader.call("state")).toBe("unsubscribed");
    expect(await audience()).toBe(0);
  });

  test.each(["while the page is open", "while no page is open"])(
    "an answer that comes %s, in the browser's controls, is counted once",
    async (when) => {
      await reader.visit();
      await browser.press("Yes, please");
      await eventually(async () => (await counts())?.asked === 1);
      if (when === "while no page is open") await browser.open("about:blank");
      await browser.setPermission(tenant.site.origin, "granted");
      for (let visits = 0; visits < 2; visits++) {
        await reader.visit();
        await reader.call("topics");
      }
      expect(await reader.call("state")).toBe("subscribed");
      // The test sends a count of its own. It arrives after all counts that the page has sent.
      const { siteId } = tenant.publisher;
      await browser.inPage(
        `await fetch(args[0], { method: "POST", body: '{"count":"denied"}' })`,
        `${fixture.proxy.url}/sdk/sites/${siteId}/counts`,
      );
      await eventually(async () => (await counts())?.denied === 1);
      expect(await counts()).toEqual({ asked: 1, granted: 1, denied: 1 });
    },
  );
}
