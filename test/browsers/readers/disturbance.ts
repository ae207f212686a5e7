import { beforeAll, expect, test } from "vitest";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/**
 * Tests failures between the service, the push service and the browser: what the reader sees, and what the run counts.
 */
export function testDisturbance(): void {
  beforeAll(async () => {
    await newReader();
    await reader.subscribe();
  });

  test("receipts from a time when the service could not be reached are counted later", async () => {
    fixture.proxy.break();
    const runId = await tenant.send({ title: "In the tunnel" });
    await reader.nudge("In the tunnel");
    await browser.dismiss("In the tunnel");
    expect(await tenant.whenCompleted(runId)).toMatchObject({ displayed: 0, dismissed: 0 });
    fixture.proxy.repair();
    await tenant.send({ title: "Daylight" });
    await reader.nudge("Daylight");
    await tenant.whenCounted(runId, { displayed: 1, dismissed: 1 });
    await browser.dismiss("Daylight");
  });

  test("a message that arrives twice is shown once and counted once", async () => {
    const { pushService } = fixture;
    // The answer to the first POST is lost. The second POST is throttled until the reader has closed the notification.
    pushService.answerWith({ behaviour: "throttle" });
    pushService.answerWith({ behaviour: "reset", times: 1 });
    const runId = await tenant.send({ title: "Only once" });
    await reader.nudge("Only once");
    await browser.dismiss("Only once");
    const before = pushService.stats().repeated;
    pushService.clearBehaviours();
    expect(await tenant.whenCompleted(runId)).toMatchObject({ audience: 1, accepted: 1 });
    expect(pushService.stats().repeated).toBe(before + 1);

    const next = await tenant.send({ title: "Another" });
    await reader.nudge("Another");
    await tenant.whenCounted(next, { displayed: 1 });
    expect(await browser.nudges()).toEqual([{ title: "Another", body: "On Saturday." }]);
    await tenant.whenCounted(runId, { displayed: 1, dismissed: 1, clicked: 0 });
    await browser.dismiss("Another");
  });
}
