import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Browser } from "../fixtures/browsers/browser.ts";
import type { Firefox } from "../fixtures/browsers/firefox/firefox.ts";
import { installedBrowsers } from "../fixtures/browsers/installed.ts";
import { type Reader, seatReader } from "./reader.ts";
import { openReadership, type Publication, type Readership } from "./readership.ts";

/** Whom the page asks, and what comes of the answers. Each test is at a website that the browser does not know. */
let readership: Readership;
let publication: Publication;
let reader: Reader;

beforeAll(async () => {
  readership = await openReadership();
});

async function audienceOf(fields: Record<string, unknown> = {}): Promise<number> {
  return (await publication.endOf(await publication.send(fields))).audience;
}

describe.each(installedBrowsers())("$name", ({ name, start }) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await start(readership.pushService);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    publication = await readership.publish();
    reader = await seatReader(readership, publication, browser);
  });

  test("a reader who has refused the permission is not asked, and the page is told", async () => {
    await browser.permit(publication.site.origin, "denied");
    await reader.visit();
    expect(await reader.told("ready")).toEqual({ state: "denied" });
    await reader.told("denied");
    expect(await reader.call("prompt")).toBe(false);
    expect(await reader.call("subscribe")).toBe("denied");
    expect(await audienceOf()).toBe(0);
  });

  test("a reader who says yes to the page and no to the browser is not subscribed", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    await browser.refuse();
    await reader.told("denied");
    expect(await reader.call("state")).toBe("denied");
    expect(await audienceOf()).toBe(0);
  });

  test("a reader who says not now is left in peace", async () => {
    await browser.permit(publication.site.origin, "granted");
    await reader.visit();
    expect(await reader.isAsked()).toBe(true);
    await browser.press("Not now");
    await reader.told("dismissed");
    await reader.visit();
    expect(await reader.isAsked()).toBe(false);
    expect(await audienceOf()).toBe(0);
  });

  // Chromium without a screen has no question that could be answered with yes.
  if (name !== "Firefox") return;

  test("a reader who says yes to the page and to the browser is subscribed", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    await (browser as Firefox).allow();
    expect(await reader.told("subscribed")).toEqual({ topicIds: [], isTest: false, label: null });
    expect(await audienceOf({ title: "Asked and allowed" })).toBe(1);
    await reader.nudge("Asked and allowed");
  });
});
