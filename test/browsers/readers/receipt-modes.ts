import { beforeAll, expect, test } from "vitest";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Tests what a browser reports if the site counts only sums, or nothing. */
export function testReceiptModes(): void {
  beforeAll(async () => {
    await newReader();
    await reader.subscribe();
  });

  const count = (receipts: "aggregate" | "off") =>
    changeSite(fixture.app, tenant.publisher.actor, { siteId: tenant.publisher.siteId, receipts });

  test("only sums: a click counts once", async () => {
    await count("aggregate");
    const url = `${tenant.site.origin}/bridge`;
    const runId = await tenant.send({ title: "Only sums", url });
    await reader.nudge("Only sums");
    await tenant.whenCounted(runId, { displayed: 1 });
    await browser.click("Only sums");
    await eventually(async () => (await browser.tabs()).includes(url));
    await browser.switchToTab(url);
    await reader.call("topics");
    expect(await tenant.whenCounted(runId, { displayed: 1, clicked: 1 })).toMatchObject({ receipts: "aggregate" });
    // A second report of the page would arrive before the receipt of this notification.
    const next = await tenant.send({ title: "The next" });
    await reader.nudge("The next");
    await tenant.whenCounted(next, { displayed: 1 });
    await browser.dismiss("The next");
    await tenant.whenCounted(next, { displayed: 1, dismissed: 1 });
    expect(await tenant.run(runId)).toMatchObject({ displayed: 1, clicked: 1 });
  });

  test("nothing: neither display nor click is reported, and the article opens", async () => {
    await count("off");
    const url = `${tenant.site.origin}/bridge?off`;
    const runId = await tenant.send({ title: "Nothing", url });
    await reader.nudge("Nothing");
    await browser.click("Nothing");
    await eventually(async () => (await browser.tabs()).includes(url));
    await count("aggregate");
    const next = await tenant.send({ title: "Counted again" });
    await reader.nudge("Counted again");
    await tenant.whenCounted(next, { displayed: 1 });
    expect(await tenant.run(runId)).toMatchObject({ displayed: 0, clicked: 0, receipts: "off" });
  });
}
