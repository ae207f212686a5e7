import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../fixtures/browsers/browser.ts";
import { installedBrowsers } from "../fixtures/browsers/installed.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type Reader, seatReader } from "./reader.ts";
import { openReadership, type Publication, type Readership } from "./readership.ts";

/** The whole way: from a reader who comes to a page, over a campaign of the publisher, to what the run counts. */
let readership: Readership;
let browser: Browser;
let publication: Publication;
let reader: Reader;

beforeAll(async () => {
  readership = await openReadership();
});

describe.each(installedBrowsers())("$name", ({ start }) => {
  beforeAll(async () => {
    browser = await start(readership.pushService);
    publication = await readership.publish();
    reader = await seatReader(readership, publication, browser);
  });
  afterAll(() => browser?.close());

  test("a reader says yes to the soft prompt, and is subscribed", async () => {
    await browser.permit(publication.site.origin, "granted");
    await reader.visit();
    expect(await reader.told("ready")).toEqual({ state: "unsubscribed" });
    await browser.press("Yes, please");
    expect(await reader.told("subscribed")).toEqual({ topicIds: [], isTest: false, label: null });
    expect(await reader.call("state")).toBe("subscribed");
  });

  test("the nudge shows title and body as sent; a click opens the article and is counted once", async () => {
    const url = `${publication.site.origin}/bridge`;
    const runId = await publication.send({ title: "Bridge opens", body: "On Saturday.", url });
    expect(await reader.nudge("Bridge opens")).toEqual({ title: "Bridge opens", body: "On Saturday." });
    await publication.runThatCounts(runId, { displayed: 1, clicked: 0, dismissed: 0 });

    await browser.click("Bridge opens");
    await browser.enter(url);
    // The worker counts the click, and so does the page, which takes the token out of its address.
    await eventually(async () => (await browser.tabs()).includes(url));
    await publication.runThatCounts(runId, { displayed: 1, clicked: 1, dismissed: 0 });
  });

  test("a click brings the tab that has the article open to the front", async () => {
    const url = `${publication.site.origin}/bridge`;
    const before = await browser.tabs();
    const runId = await publication.send({ title: "Bridge opens again", url });
    await reader.nudge("Bridge opens again");
    await browser.click("Bridge opens again");
    await publication.runThatCounts(runId, { displayed: 1, clicked: 1, dismissed: 0 });
    expect(await browser.tabs()).toEqual(before);
  });

  test("a nudge that is closed is counted as dismissed, and as nothing else", async () => {
    const runId = await publication.send({ title: "Not for me" });
    await reader.nudge("Not for me");
    await browser.dismiss("Not for me");
    await publication.runThatCounts(runId, { displayed: 1, clicked: 0, dismissed: 1 });
  });

  test("a reader who leaves from an article is not reached any more, and the run that led there counts it", async () => {
    const url = `${publication.site.origin}/bridge?from=nudge`;
    const runId = await publication.send({ title: "One too many", url });
    await reader.nudge("One too many");
    await browser.click("One too many");
    await browser.enter(url);
    await reader.told("ready");
    expect(await reader.call("unsubscribe")).toBe("unsubscribed");
    await publication.runThatCounts(runId, { clicked: 1, unsubscribed: 1 });
    expect(await publication.endOf(await publication.send({ title: "Nobody" }))).toMatchObject({ audience: 0 });
  });

  test("who has left is not asked again on the next visit", async () => {
    await reader.visit();
    expect(await reader.told("ready")).toEqual({ state: "unsubscribed" });
    expect(await reader.isAsked()).toBe(false);
  });
});
