import { beforeAll, expect, test } from "vitest";
import { browser, newReader, reader, tenant } from "./open-browser.ts";

/** Tests updates of a notification on the screen, as a reader sees them. */
export function testUpdates(): void {
  beforeAll(async () => {
    await newReader();
    await reader.subscribe();
  });

  const titles = async () => (await browser.nudges()).map(({ title }) => title);
  const shown = () =>
    browser.inPage<{ title: string; silent: boolean }[]>(
      `const registrations = await navigator.serviceWorker.getRegistrations();
       const all = (await Promise.all(registrations.map((one) => one.getNotifications()))).flat();
       return all.map(({ title, silent }) => ({ title, silent: silent === true }));`,
    );

  async function sendNudge(title: string): Promise<string> {
    const campaignId = await tenant.draft({ title });
    const { runId } = (await tenant.post(campaignId, "send")).body;
    await reader.nudge(title);
    await tenant.whenCounted(runId, { displayed: 1 });
    await tenant.whenCompleted(runId);
    return campaignId;
  }

  async function update(campaignId: string, title: string): Promise<string> {
    const { status, body } = await tenant.post(campaignId, "updates", { title });
    expect(status).toBe(202);
    await tenant.whenCompleted(body.runId);
    return body.runId;
  }

  test("twenty updates are one notification, which has sounded once", async () => {
    const campaignId = await sendNudge("Goal 0");
    expect(await shown()).toEqual([{ title: "Goal 0", silent: false }]);
    for (let goal = 1; goal <= 20; goal++) {
      await update(campaignId, `Goal ${goal}`);
      if (goal % 10 === 0) await reader.nudge(`Goal ${goal}`);
    }
    expect(await titles()).toEqual(["Goal 20"]);
    expect(await shown()).toEqual([{ title: "Goal 20", silent: true }]);
  });

  test("after the reader has closed the notification, no update brings it back", async () => {
    const campaignId = await sendNudge("Votes: 1 of 9");
    const second = await update(campaignId, "Votes: 2 of 9");
    await reader.nudge("Votes: 2 of 9");
    await tenant.whenCounted(second, { displayed: 1 });
    await browser.dismiss("Votes: 2 of 9");
    await tenant.whenCounted(second, { displayed: 1, clicked: 0, dismissed: 1 });
    const third = await update(campaignId, "Votes: 3 of 9");
    expect((await tenant.run(third)).reasons).toMatchObject([{ class: "notSent", reason: "closed", count: 1 }]);
    expect(await titles()).not.toContain("Votes: 3 of 9");
  });
}
