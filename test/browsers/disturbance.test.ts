import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../fixtures/browsers/browser.ts";
import { installedBrowsers } from "../fixtures/browsers/installed.ts";
import { type Reader, seatReader } from "./reader.ts";
import { openReadership, type Publication, type Readership } from "./readership.ts";

/** What a reader sees and the run counts when something goes wrong between the service, the push service and the browser. */
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

  test("what happened while the service could not be reached is counted later", async () => {
    readership.road.cut();
    const runId = await publication.send({ title: "In the tunnel" });
    await reader.nudge("In the tunnel");
    await browser.dismiss("In the tunnel");
    expect(await publication.endOf(runId)).toMatchObject({ displayed: 0, dismissed: 0 });
    readership.road.mend();
    await publication.send({ title: "Daylight" });
    await reader.nudge("Daylight");
    await publication.runThatCounts(runId, { displayed: 1, dismissed: 1 });
    await browser.dismiss("Daylight");
  });

  test("a message that comes twice is shown once and counted once", async () => {
    const { pushService } = readership;
    // The answer to the first POST is lost. The next one waits until the reader has closed the nudge.
    pushService.answerWith({ behaviour: "throttle" });
    pushService.answerWith({ behaviour: "reset", times: 1 });
    const runId = await publication.send({ title: "Only once" });
    await reader.nudge("Only once");
    await browser.dismiss("Only once");
    const before = pushService.stats().repeated;
    pushService.clearBehaviours();
    expect(await publication.endOf(runId)).toMatchObject({ audience: 1, accepted: 1 });
    expect(pushService.stats().repeated).toBe(before + 1);

    const next = await publication.send({ title: "Another" });
    await reader.nudge("Another");
    await publication.runThatCounts(next, { displayed: 1 });
    expect(await browser.nudges()).toEqual([{ title: "Another", body: "On Saturday." }]);
    await publication.runThatCounts(runId, { displayed: 1, dismissed: 1, clicked: 0 });
    await browser.dismiss("Another");
  });
});
