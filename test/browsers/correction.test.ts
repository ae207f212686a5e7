import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../fixtures/browsers/browser.ts";
import { installedBrowsers } from "../fixtures/browsers/installed-browsers.ts";
import { type BrowserFixture, openBrowserFixture, type TenantFixture } from "./fixture.ts";
import { createReader, type Reader } from "./reader.ts";

/** Corrections, as a reader sees them. */
let fixture: BrowserFixture;
let browser: Browser;
let tenant: TenantFixture;
let reader: Reader;

beforeAll(async () => {
  fixture = await openBrowserFixture();
});

describe.each(installedBrowsers())("$name", ({ start }) => {
  beforeAll(async () => {
    browser = await start(fixture.pushService);
    tenant = await fixture.createTenant();
    reader = await createReader(fixture, tenant, browser);
    await reader.subscribe();
  });
  afterAll(() => browser?.close());

  test("a correction replaces the wrong nudge on the screen, and has its own counts", async () => {
    const campaignId = await tenant.draft({ title: "Bridge closes" });
    const { runId } = (await tenant.post(campaignId, "send")).body;
    await reader.nudge("Bridge closes");
    await tenant.whenCounted(runId, { displayed: 1 });
    await tenant.whenCompleted(runId);
    const corrected = await tenant.send({ title: "Bridge opens after all", corrects: campaignId });
    await reader.nudge("Bridge opens after all");
    expect((await browser.nudges()).filter(({ title }) => title === "Bridge closes")).toEqual([]);
    await browser.dismiss("Bridge opens after all");
    await tenant.whenCounted(corrected, { displayed: 1, clicked: 0, dismissed: 1 });
    await tenant.whenCounted(runId, { displayed: 1, clicked: 0, dismissed: 0 });
  });
});
