import { beforeAll, expect, test } from "vitest";
import { browser, newReader, reader, tenant } from "./open-browser.ts";

/** Tests corrections as a reader sees them. */
export function testCorrections(): void {
  beforeAll(async () => {
    await newReader();
    await reader.subscribe();
  });

  test("a correction replaces the wrong notification on the screen, and has its own counts", async () => {
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
}
