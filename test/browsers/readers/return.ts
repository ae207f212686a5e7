import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { rows } from "../../../src/db/pool.ts";
import { readUnseen } from "../../../src/receipts/unseen.ts";
import { createTestLink } from "../../../src/subscribers/test-devices.ts";
import { addTopic } from "../../../src/tenants/topics/topics.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

let sport: string;

type Row = { endpoint: string; label: string | null; topics: number };

/** Returns everything that the service has of the site's readers and test devices, oldest first. */
const subscribers = () =>
  rows(
    sql<Row>`select endpoint, label, (select count(*)::int from subscriber_topics t
        where t.site_id = s.site_id and t.subscriber_id = s.id) as topics
      from subscribers s where site_id = ${tenant.publisher.siteId} order by id`,
    fixture.app.db,
  );

async function send(fields: Record<string, unknown> = {}) {
  return tenant.whenCompleted(await tenant.send(fields));
}

/** Posts `change` to the service's reader preferences, as the page of preferences does. Returns the preferences. */
function preferences(change: object = {}): Promise<{ preferences: object; muted: { title: string }[] }> {
  return browser.inPage(
    `const worker = await navigator.serviceWorker.getRegistration("/pressbell/");
    const { endpoint, keys } = (await worker.pushManager.getSubscription()).toJSON();
    const body = JSON.stringify({ endpoint, auth: keys.auth, ...args[1] });
    const answer = await fetch(args[0], { method: "POST", headers: { "content-type": "application/json" }, body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();`,
    `${fixture.proxy.url}/sdk/sites/${tenant.publisher.siteId}/preferences`,
    change,
  );
}

/** Revokes the permission, as the reader does in the browser's controls. */
async function revoke(): Promise<void> {
  await browser.setPermission(tenant.site.origin, "prompt");
  // Firefox then ends the subscription by itself. Chromium does it only when its own settings revoke the permission,
  // and not when its driver does.
  await browser.inPage(`const worker = await navigator.serviceWorker.getRegistration("/pressbell/");
    await (await worker.pushManager.getSubscription())?.unsubscribe()`);
}

/**
 * Grants the permission and visits the site. The page that is open may subscribe the reader at once. Otherwise the
 * visit does.
 */
async function grantAndVisit(): Promise<void> {
  await browser.setPermission(tenant.site.origin, "granted");
  await reader.visit();
  await reader.call("topics");
}

/**
 * Tests readers whose browser loses the permission or data of the site, and who come back. Each test has a new website.
 */
export function testReturn(name: string): void {
  beforeEach(async () => {
    await newReader();
    const { siteId, actor } = tenant.publisher;
    sport = (await addTopic(fixture.app, actor, { siteId, name: "Sport" })).topicId;
  });

  testRevoked();
  testLostParts();
  testLostData(name);
}

function testRevoked(): void {
  test("a reader who revokes the permission and allows it again has their choices again", async () => {
    const { siteId, actor } = tenant.publisher;
    const { topicId: culture } = await addTopic(fixture.app, actor, { siteId, name: "Culture" });
    await reader.subscribe();
    await reader.call("setTopics", [sport]);
    const runId = await tenant.send({ title: "Polls open", storyId: "election" });
    await reader.nudge("Polls open");
    await browser.dismiss("Polls open");
    await tenant.whenCompleted(runId);
    const asked = {
      maxADay: 3,
      quietHours: { from: "00:00", until: "00:01" },
      digestAt: "12:00",
      timeZone: "Europe/Berlin",
    };
    expect(await preferences({ preferences: asked, mute: runId })).toMatchObject({ preferences: asked });

    await revoke();
    expect(await send({ title: "Not seen" })).toMatchObject({ audience: 1, gone: 1 });
    expect(await subscribers()).toEqual([]);
    await grantAndVisit();
    expect(await reader.call("topics")).toMatchObject({ chosen: [sport] });
    expect(await preferences()).toMatchObject({ preferences: asked, muted: [{ title: "Polls open" }] });
    expect(await subscribers()).toMatchObject([{ topics: 1 }]);
    expect(await send({ topicIds: [culture] })).toMatchObject({ audience: 0 });
    const muted = await send({ title: "Polls close", storyId: "election" });
    expect(muted).toMatchObject({ audience: 1, reasons: [{ class: "notSent", reason: "muted", count: 1 }] });
    expect(await send({ topicIds: [sport], title: "Back again" })).toMatchObject({ accepted: 1 });
    await reader.nudge("Back again");
    await browser.dismiss("Back again");
  });

  test("a test device that was found gone is that test device again with a new permission", async () => {
    await becomeTestDevice();
    const campaignId = await tenant.draft({ title: "Does it look right?" });
    await revoke();
    expect((await tenant.post(campaignId, "test")).body).toMatchObject({ results: [{ outcome: "gone" }] });
    expect(await subscribers()).toEqual([]);
    await grantAndVisit();
    expect(await subscribers()).toMatchObject([{ label: "Desk phone" }]);
    expect((await tenant.post(campaignId, "test")).body).toMatchObject({
      results: [{ label: "Desk phone", outcome: "accepted" }],
    });
    await reader.nudge("Does it look right?");
    await browser.dismiss("Does it look right?");
    expect(await send()).toMatchObject({ audience: 0 });
  });
}

async function becomeTestDevice(): Promise<void> {
  const { siteId, actor } = tenant.publisher;
  const { link } = await createTestLink(fixture.app, actor, { siteId, label: "Desk phone" });
  await browser.setPermission(tenant.site.origin, "granted");
  await browser.open(link);
  await browser.press("Yes, please");
  await reader.event("subscribed");
}

/** Tests a browser that has lost some of its data of the site. The rest of the data identifies it. */
function testLostParts(): void {
  test("a reader whose page has lost its memory is confirmed at the next visit, with their topics", async () => {
    await reader.subscribe();
    await reader.call("setTopics", [sport]);
    const before = await subscribers();
    await browser.inPage("localStorage.clear()");
    await reader.visit();
    expect(await reader.call("topics")).toMatchObject({ chosen: [sport] });
    expect(await reader.isPrompted()).toBe(false);
    expect(await subscribers()).toEqual(before);
  });

  test("a reader whose worker is gone is subscribed again once, with their topics", async () => {
    await reader.subscribe();
    await reader.call("setTopics", [sport]);
    const [before] = await subscribers();
    await unregister();
    await reader.visit();
    expect(await reader.call("topics")).toMatchObject({ chosen: [sport] });
    const after = await subscribers();
    expect(after).toMatchObject([{ topics: 1 }]);
    expect(after[0]!.endpoint).not.toBe(before!.endpoint);
    expect(await send({ topicIds: [sport], title: "Still here" })).toMatchObject({ audience: 1, accepted: 1 });
    await reader.nudge("Still here");
    await browser.dismiss("Still here");
  });

  test("a test device whose worker is gone is that test device at the next visit", async () => {
    await becomeTestDevice();
    await unregister();
    await reader.visit();
    await reader.call("topics");
    expect(await subscribers()).toMatchObject([{ label: "Desk phone" }]);
    expect(await send()).toMatchObject({ audience: 0 });
  });
}

async function unregister(): Promise<void> {
  await browser.inPage(`const worker = await navigator.serviceWorker.getRegistration("/pressbell/");
    await worker.unregister()`);
}

function testLostData(name: string): void {
  test("a reader who clears all data of the site begins anew, and is one reader", async () => {
    await reader.subscribe();
    await reader.call("setTopics", [sport]);
    const [former] = await subscribers();
    await browser.clearSiteData(tenant.site.origin);
    await reader.visit();
    // The page can read nothing that identifies the former reader.
    expect(await reader.isPrompted()).toBe(true);
    await browser.press("Yes, please");
    const { topicIds } = (await reader.event("subscribed"))!;
    // Firefox tells the worker that its subscription has ended. The worker may or may not have time to subscribe again.
    // If it has, the new subscription replaces the former one with its topics, and the page gets it.
    if (name === "Firefox") expect([[], [sport]]).toContainEqual(topicIds);
    else expect(topicIds).toEqual([]);
    for (let n = 1; n <= 5; n++) {
      const runId = await tenant.send({ title: `Story ${n}` });
      await reader.nudge(`Story ${n}`);
      await tenant.whenCounted(runId, { displayed: 1 });
      await browser.dismiss(`Story ${n}`);
      await tenant.whenCompleted(runId);
    }
    const { siteId, actor } = tenant.publisher;
    const [pushService] = (await readUnseen(fixture.app, actor, { siteId })).pushServices;
    expect(pushService!.reached - pushService!.unseen).toBe(1);
    const rest = await subscribers();
    expect(rest).toHaveLength(1 + pushService!.unseen);
    // Chromium ends the subscription, and the first send finds that it is gone.
    if (name !== "Firefox") expect(rest.map(({ endpoint }) => endpoint)).not.toContain(former!.endpoint);
  });
}
