import { beforeAll, beforeEach, expect, test } from "vitest";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Tests updates for a reader whose browser is off. The push service keeps them. */
export function testUpdatesOffline(): void {
  beforeAll(async () => {
    await newReader();
    await reader.subscribe();
  });
  beforeEach(() => () => fixture.pushService.releaseMessages());

  const shown = () =>
    browser.inPage<{ title: string; silent: boolean }[]>(
      `const registration = await navigator.serviceWorker.getRegistration("/pressbell/");
       return (await registration.getNotifications()).map(({ title, silent }) => ({ title, silent: silent === true }));`,
    );

  async function send(title: string): Promise<{ campaignId: string; runId: string }> {
    const campaignId = await tenant.draft({ title });
    const { runId } = (await tenant.post(campaignId, "send")).body;
    await tenant.whenCompleted(runId);
    return { campaignId, runId };
  }

  /** Sends an update with each of `titles`. Returns the run of the last one. */
  async function update(campaignId: string, titles: string[]): Promise<string> {
    let runId = "";
    for (const title of titles) {
      const { status, body } = await tenant.post(campaignId, "updates", { title });
      expect(status).toBe(202);
      runId = body.runId;
      expect(await tenant.whenCompleted(runId)).toMatchObject({ accepted: 1 });
    }
    return runId;
  }

  test("a reader who was off during updates gets the last, silently, in place of the notification", async () => {
    const { campaignId, runId } = await send("0:0");
    await reader.nudge("0:0");
    await tenant.whenCounted(runId, { displayed: 1 });
    fixture.pushService.holdMessages();
    const last = await update(campaignId, ["1:0", "1:1", "2:1"]);
    expect((await browser.nudges()).map(({ title }) => title)).toEqual(["0:0"]);
    fixture.pushService.releaseMessages();
    await reader.nudge("2:1");
    await tenant.whenCounted(last, { displayed: 1 });
    expect(await shown()).toEqual([{ title: "2:1", silent: true }]);
    const updates = (
      await tenant.api.call("GET", `/v1/campaigns/${campaignId}/updates`, { key: tenant.publisher.apiKey })
    ).body.updates;
    const runs = await Promise.all(updates.map(({ runId }: { runId: string }) => tenant.run(runId)));
    expect(runs.map(({ displayed }) => displayed)).toEqual([1, 0, 0]);
    await browser.dismiss("2:1");
  });

  test("a reader who was offline gets the last update in place of the first, with sound", async () => {
    fixture.pushService.holdMessages();
    const { campaignId } = await send("Votes: 1 of 9");
    const last = await update(campaignId, ["Votes: 2 of 9", "Votes: 3 of 9"]);
    fixture.pushService.releaseMessages();
    await reader.nudge("Votes: 3 of 9");
    await tenant.whenCounted(last, { displayed: 1 });
    expect(await shown()).toEqual([{ title: "Votes: 3 of 9", silent: false }]);
    await browser.dismiss("Votes: 3 of 9");
  });
}
