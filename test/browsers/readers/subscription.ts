import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { createTestLink } from "../../../src/subscribers/test-devices.ts";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { addTopic } from "../../../src/tenants/topics/topics.ts";
import { generateVapidPair, sealVapidKey } from "../../../src/tenants/vapid/vapid-pair.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { changeSites } from "../../fixtures/rows/sites.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

async function audienceOf(fields: Record<string, unknown> = {}): Promise<number> {
  return (await tenant.whenCompleted(await tenant.send(fields))).audience;
}

/** Sends a notification, expects that the reader sees it, and closes it. */
async function expectNudge(fields: { title: string; topicIds?: string[] }): Promise<void> {
  expect(await audienceOf(fields)).toBe(1);
  await reader.nudge(fields.title);
  await browser.dismiss(fields.title);
}

function createTopic(name: string): Promise<{ topicId: string }> {
  const { siteId, actor } = tenant.publisher;
  return addTopic(fixture.app, actor, { siteId, name });
}

async function endpoints(): Promise<string[]> {
  const { siteId } = tenant.publisher;
  const found = sql<{ endpoint: string }>`select endpoint from subscribers where site_id = ${siteId}`;
  return (await found.execute(fixture.app.db)).rows.map(({ endpoint }) => endpoint);
}

/** Changes the key of the site, as a restored backup or a migration from another system does. */
async function changeKey(): Promise<void> {
  const { siteId } = tenant.publisher;
  const { publicKey, privateKey } = generateVapidPair();
  const { app } = fixture;
  await changeSites(
    app,
    { id: siteId },
    { vapidPublicKey: publicKey, vapidPrivateKeySealed: sealVapidKey(app.secrets, siteId, privateKey) },
  );
}

/** Tests the life of a subscription. Each test has a new website that the browser has not visited. */
export function testSubscription(): void {
  beforeEach(newReader);

  test("a reader gets notifications of the topics they chose, and no others", async () => {
    const { topicId: sport } = await createTopic("Sport");
    const { topicId: culture } = await createTopic("Culture");
    await reader.subscribe();
    expect(await reader.call("setTopics", [sport])).toMatchObject({ chosen: [sport] });
    expect(await audienceOf({ topicIds: [culture] })).toBe(0);
    await expectNudge({ topicIds: [sport], title: "Final whistle" });
  });

  test("a visit after a change of the site's key renews the subscription, with its topics", async () => {
    const { topicId } = await createTopic("Sport");
    await reader.subscribe();
    await reader.call("setTopics", [topicId]);
    const [before] = await endpoints();
    await changeKey();
    await reader.refreshSettings();
    await reader.visit();
    await eventually(async () => (await endpoints())[0] !== before);
    expect(await endpoints()).toHaveLength(1);
    await expectNudge({ topicIds: [topicId], title: "With the new key" });
  });

  test("in link mode redirect a click still opens the article", async () => {
    const { siteId, actor } = tenant.publisher;
    await changeSite(fixture.app, actor, { siteId, linkMode: "redirect" });
    await reader.subscribe();
    const url = `${tenant.site.origin}/bridge`;
    const runId = await tenant.send({ title: "By another way", url });
    await reader.nudge("By another way");
    await browser.click("By another way");
    await browser.switchToTab(url);
    await tenant.whenCounted(runId, { displayed: 1, clicked: 1, dismissed: 0 });
  });

  test("a test device link registers a test device, which gets test sends and no live ones", async () => {
    const { siteId, actor } = tenant.publisher;
    const { link } = await createTestLink(fixture.app, actor, { siteId, label: "Desk phone" });
    await browser.setPermission(tenant.site.origin, "granted");
    await browser.open(link);
    await browser.press("Yes, please");
    expect(await reader.event("subscribed")).toEqual({ topicIds: [], isTest: true, label: "Desk phone" });
    expect(await browser.tabs()).not.toContainEqual(expect.stringContaining("pressbell-test"));

    const sent = await tenant.post(await tenant.draft({ title: "Does it look right?" }), "test");
    expect(sent.body).toMatchObject({ accepted: 1, results: [{ label: "Desk phone", outcome: "accepted" }] });
    await reader.nudge("Does it look right?");
    await browser.dismiss("Does it look right?");
    expect(await audienceOf()).toBe(0);
  });
}
