import { beforeAll, expect, test } from "vitest";
import type { Chromium } from "../../fixtures/browsers/chromium/chromium.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, newReader, reader, tenant } from "./open-browser.ts";

/**
 * Tests the whole way: a reader subscribes on a page, the publisher sends a campaign, and the run counts the receipts.
 */
export function testNudges(name: string): void {
  beforeAll(newReader);

  test("a reader who accepts the soft prompt is subscribed", async () => {
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit();
    expect(await reader.event("ready")).toEqual({ state: "unsubscribed" });
    await browser.press("Yes, please");
    expect(await reader.event("subscribed")).toEqual({ topicIds: [], isTest: false, label: null });
    expect(await reader.call("state")).toBe("subscribed");
  });

  test("the notification shows title and body; a click opens the article and counts once", async () => {
    const url = `${tenant.site.origin}/bridge`;
    const runId = await tenant.send({ title: "Bridge opens", body: "On Saturday.", url });
    expect(await reader.nudge("Bridge opens")).toEqual({ title: "Bridge opens", body: "On Saturday." });
    await tenant.whenCounted(runId, { displayed: 1, clicked: 0, dismissed: 0 });

    await browser.click("Bridge opens");
    await browser.switchToTab(url);
    // The worker reports the click. The page also reports it, and then removes the token from its address.
    await eventually(async () => (await browser.tabs()).includes(url));
    await tenant.whenCounted(runId, { displayed: 1, clicked: 1, dismissed: 0 });
  });

  test("a click brings the tab that shows the article to the front", async () => {
    const url = `${tenant.site.origin}/bridge`;
    const before = await browser.tabs();
    const runId = await tenant.send({ title: "Bridge opens again", url });
    await reader.nudge("Bridge opens again");
    await browser.click("Bridge opens again");
    await tenant.whenCounted(runId, { displayed: 1, clicked: 1, dismissed: 0 });
    expect(await browser.tabs()).toEqual(before);
  });

  testButtons(name);

  test("a closed notification is counted as dismissed only", async () => {
    const runId = await tenant.send({ title: "Not for me" });
    await reader.nudge("Not for me");
    await browser.dismiss("Not for me");
    await tenant.whenCounted(runId, { displayed: 1, clicked: 0, dismissed: 1 });
  });

  test("a reader who unsubscribes on an article gets no more, and the run counts that", async () => {
    const url = `${tenant.site.origin}/bridge?from=nudge`;
    const runId = await tenant.send({ title: "One too many", url });
    await reader.nudge("One too many");
    await browser.click("One too many");
    await browser.switchToTab(url);
    await reader.event("ready");
    expect(await reader.call("unsubscribe")).toBe("unsubscribed");
    await tenant.whenCounted(runId, { clicked: 1, unsubscribed: 1 });
    expect(await tenant.whenCompleted(await tenant.send({ title: "To an empty audience" }))).toMatchObject({
      audience: 0,
    });
  });

  test("a reader who has unsubscribed is not prompted on the next visit", async () => {
    await reader.visit();
    expect(await reader.event("ready")).toEqual({ state: "unsubscribed" });
    expect(await reader.isPrompted()).toBe(false);
  });
}

function testButtons(name: string): void {
  test("a button opens its own address, and its click is counted apart, where browsers have any", async () => {
    const live = `${tenant.site.origin}/live`;
    tenant.site.put("/live", "<!doctype html><title>Live</title>");
    const actions = [
      { title: "Watch live", url: live },
      { title: "Map", url: `${tenant.site.origin}/map` },
    ];
    const runId = await tenant.send({ title: "With buttons", actions });
    await reader.nudge("With buttons");
    if (name === "Firefox") {
      await browser.click("With buttons");
      await tenant.whenCounted(runId, { displayed: 1, clicked: 1 });
      return;
    }
    await (browser as Chromium).pressButton("With buttons", "Watch live");
    await eventually(async () => (await browser.tabs()).some((tab) => tab.startsWith(live)));
    const run = await tenant.whenCounted(runId, { displayed: 1, clicked: 1, dismissed: 0 });
    expect(run.actions).toEqual([
      { ...actions[0], clicked: 1 },
      { ...actions[1], clicked: 0 },
    ]);
  });
}
