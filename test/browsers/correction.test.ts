import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../fixtures/browsers/browser.ts";
import { installedBrowsers } from "../fixtures/browsers/installed.ts";
import { type Reader, seatReader } from "./reader.ts";
import { openReadership, type Publication, type Readership } from "./readership.ts";

/** What a reader sees when a nudge was wrong. */
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
    await reader.subscribe();
  });
  afterAll(() => browser?.close());

  test("a correction takes the place of the wrong nudge on the screen, and counts for itself", async () => {
    const campaignId = await publication.draft({ title: "Bridge closes" });
    const { runId } = (await publication.post(campaignId, "send")).body;
    await reader.nudge("Bridge closes");
    await publication.runThatCounts(runId, { displayed: 1 });
    await publication.endOf(runId);
    const corrected = await publication.send({ title: "Bridge opens after all", corrects: campaignId });
    await reader.nudge("Bridge opens after all");
    expect((await browser.nudges()).filter(({ title }) => title === "Bridge closes")).toEqual([]);
    await browser.dismiss("Bridge opens after all");
    await publication.runThatCounts(corrected, { displayed: 1, clicked: 0, dismissed: 1 });
    await publication.runThatCounts(runId, { displayed: 1, clicked: 0, dismissed: 0 });
  });
});
