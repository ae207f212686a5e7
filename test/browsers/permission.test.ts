import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Browser } from "../fixtures/browsers/browser.ts";
import type { Firefox } from "../fixtures/browsers/firefox/firefox.ts";
import { installedBrowsers } from "../fixtures/browsers/installed-browsers.ts";
import { type BrowserFixture, openBrowserFixture, type TenantFixture } from "./fixture.ts";
import { createReader, type Reader } from "./reader.ts";

/** The permission prompt and its answers. Each test has a new website that the browser has not visited. */
let fixture: BrowserFixture;
let tenant: TenantFixture;
let reader: Reader;

beforeAll(async () => {
  fixture = await openBrowserFixture();
});

async function audienceOf(fields: Record<string, unknown> = {}): Promise<number> {
  return (await tenant.whenCompleted(await tenant.send(fields))).audience;
}

describe.each(installedBrowsers())("$name", ({ name, start }) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await start(fixture.pushService);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    tenant = await fixture.createTenant();
    reader = await createReader(fixture, tenant, browser);
  });

  test("a reader who has refused the permission is not prompted, and the page gets an event", async () => {
    await browser.setPermission(tenant.site.origin, "denied");
    await reader.visit();
    expect(await reader.event("ready")).toEqual({ state: "denied" });
    await reader.event("denied");
    expect(await reader.call("prompt")).toBe(false);
    expect(await reader.call("subscribe")).toBe("denied");
    expect(await audienceOf()).toBe(0);
  });

  test("a reader who accepts the soft prompt and declines the browser's is not subscribed", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    await browser.declinePrompt();
    await reader.event("denied");
    expect(await reader.call("state")).toBe("denied");
    expect(await audienceOf()).toBe(0);
  });

  test('a reader who answers "not now" is not prompted again', async () => {
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit();
    expect(await reader.isPrompted()).toBe(true);
    await browser.press("Not now");
    await reader.event("dismissed");
    await reader.visit();
    expect(await reader.isPrompted()).toBe(false);
    expect(await audienceOf()).toBe(0);
  });

  // Headless Chromium shows no prompt that a test could accept.
  if (name !== "Firefox") return;

  test("a reader who accepts the soft prompt and the browser's is subscribed", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    await (browser as Firefox).acceptPrompt();
    expect(await reader.event("subscribed")).toEqual({ topicIds: [], isTest: false, label: null });
    expect(await audienceOf({ title: "Asked and allowed" })).toBe(1);
    await reader.nudge("Asked and allowed");
  });
});
