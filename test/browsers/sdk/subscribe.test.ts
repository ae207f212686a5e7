import { randomUUID } from "node:crypto";
import type { Route } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { openReaderFixture, type ReaderFixture, type Visit } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";

const dayMs = 86_400_000;
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

type StoredSubscription = { endpoint: string; key: string; keys: { p256dh: string; auth: string } };

/** Returns the browser's subscription, as the fake push service stores it. */
function subscriptionIn({ run }: Visit): Promise<StoredSubscription | null> {
  return run("JSON.parse(localStorage['test.subscription'] ?? 'null')");
}

describe("subscribe", () => {
  test("a granted permission subscribes the reader, and registers them at the service", async () => {
    const { service, visit } = await fixture.newSite();
    const reader = await visit();
    const [topic] = service.topics;
    expect(await reader.run(`pressbell.subscribe({ topicIds: ["${topic!.topicId}"] })`)).toBe("subscribed");
    expect(await reader.event("subscribed")).toEqual({ topicIds: [topic!.topicId], isTest: false, label: null });
    expect(await reader.events()).toEqual(["ready", "subscribed"]);
    const { endpoint, key, keys } = (await subscriptionIn(reader))!;
    expect(key).toBe(service.vapidPublicKey);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([
      {
        subscription: { endpoint, keys },
        timeZone: await reader.run("Intl.DateTimeFormat().resolvedOptions().timeZone"),
        language: await reader.run("navigator.language"),
        reportsDisplays: true,
        topicIds: [topic!.topicId],
        consent: "page",
      },
    ]);
  });

  test("a reader who refuses is denied, and nothing is registered", async () => {
    const { service, visit } = await fixture.newSite();
    const { run, event } = await visit({ answer: "denied" });
    expect(await run("pressbell.subscribe()")).toBe("denied");
    await event("denied");
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
  });

  test("a reader who closes the permission prompt has dismissed it", async () => {
    const { visit } = await fixture.newSite();
    const { run, event } = await visit({ answer: "default" });
    expect(await run("pressbell.subscribe()")).toBe("unsubscribed");
    await event("dismissed");
  });

  test("when the service refuses the subscription, the event has the service's message", async () => {
    const { service, visit } = await fixture.newSite();
    service.refusal = { status: 409, message: "It has other keys." };
    const { run, event } = await visit();
    await run("pressbell.subscribe()");
    expect(await event("failed")).toEqual({ reason: "service", message: "It has other keys." });
  });

  test("when the service answers 503, subscribing fails and the next visit registers again", async () => {
    const { service, visit } = await fixture.newSite();
    service.refusal = { status: 503, message: "Try again." };
    const first = await visit();
    await first.run("pressbell.subscribe()");
    expect(await first.event("failed")).toEqual({ reason: "service", message: "Try again." });
    service.refusal = undefined;
    const second = await visit();
    await second.run("pressbell.topics()");
    const { endpoint } = (await subscriptionIn(second))!;
    expect(bodiesPostedTo(service, "/subscriptions")[1]).toMatchObject({ subscription: { endpoint } });
  });

  test("an unknown site fails with the reason settings", async () => {
    const { site, visit } = await fixture.newSite();
    site.attributes = `data-site="${randomUUID()}"`;
    const { run, event } = await visit({ permission: "granted" });
    expect(await run("pressbell.subscribe()")).toBe("unsubscribed");
    expect(await event("failed")).toMatchObject({ reason: "settings" });
  });
});

describe("a visit", () => {
  test("confirms the subscription once a day of UTC, however few hours lie between", async () => {
    const { service, visit } = await fixture.newSite();
    const tomorrow = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
    const confirmed = async (hour: number) => {
      await (await visit({ atMs: tomorrow + hour * 3_600_000 })).run("pressbell.topics()");
      return bodiesPostedTo(service, "/subscriptions").length;
    };
    await (await visit({ atMs: tomorrow + 1 })).run("pressbell.subscribe()");
    expect(await confirmed(1)).toBe(1);
    expect(await confirmed(23)).toBe(1);
    expect(await confirmed(24)).toBe(2);
    expect(await confirmed(47)).toBe(2);
  });

  test("renews the subscription when the site's key has changed, and names the one it replaces", async () => {
    const { service, visit } = await fixture.newSite();
    const first = await visit();
    await first.run("pressbell.subscribe()");
    const old = (await subscriptionIn(first))!;
    const key = await service.changeKey();
    const second = await visit();
    await second.run("pressbell.topics()");
    const renewed = (await subscriptionIn(second))!;
    expect(renewed.key).toBe(key);
    expect(bodiesPostedTo(service, "/subscriptions")[1]).toEqual({
      subscription: { endpoint: renewed.endpoint, keys: renewed.keys },
      timeZone: expect.any(String),
      language: expect.any(String),
      reportsDisplays: true,
      replaces: { endpoint: old.endpoint, auth: old.keys.auth },
    });
  });

  test("completes a renewal that failed halfway, and names the subscription it replaces", async () => {
    const { service, visit } = await fixture.newSite();
    const first = await visit();
    await first.run("pressbell.subscribe()");
    const old = (await subscriptionIn(first))!;
    await service.changeKey();
    const fail = "PushManager.prototype.subscribe = () => Promise.reject(new DOMException('push service error'))";
    const second = await visit({ before: `addEventListener("DOMContentLoaded", () => { ${fail} })` });
    expect(await second.event("failed")).toEqual({ reason: "push", message: "push service error" });
    expect(await subscriptionIn(second)).toBeNull();
    const third = await visit();
    expect(await third.event("subscribed")).toBeDefined();
    expect(bodiesPostedTo(service, "/subscriptions")[1]).toMatchObject({
      replaces: { endpoint: old.endpoint, auth: old.keys.auth },
    });
  });
});

describe("a visit after state was lost", () => {
  test("restores a subscription that the browser has lost", async () => {
    const { service, visit } = await fixture.newSite();
    const first = await visit();
    await first.run("pressbell.subscribe()");
    const old = (await subscriptionIn(first))!;
    await first.run("localStorage.removeItem('test.subscription')");
    const second = await visit();
    await second.event("subscribed");
    expect(bodiesPostedTo(service, "/subscriptions")[1]).toMatchObject({ replaces: { endpoint: old.endpoint } });
  });

  test("registers a subscription again that the page has no record of", async () => {
    const { service, visit } = await fixture.newSite();
    const first = await visit();
    await first.run("pressbell.subscribe()");
    await first.run(`localStorage.removeItem("pressbell.${service.siteId}")`);
    const second = await visit();
    await second.run("pressbell.topics()");
    expect(bodiesPostedTo(service, "/subscriptions")).toHaveLength(2);
    expect(await second.run("pressbell.state()")).toBe("subscribed");
  });

  test("without a subscription prompts and registers nothing, despite another script's permission", async () => {
    const { service, visit } = await fixture.newSite();
    const { run, event, events } = await visit({ permission: "granted" });
    expect(await event("ready")).toEqual({ state: "unsubscribed" });
    await run("pressbell.topics()");
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
    expect(await events()).toEqual(["ready"]);
  });
});

describe("unsubscribe", () => {
  test("ends the subscription in browser and service, and names the notification behind it", async () => {
    const { service, visit } = await fixture.newSite();
    await (await visit()).run("pressbell.subscribe()");
    const token = "T".repeat(43);
    const second = await visit({ path: `/#pressbell-${token}` });
    const { endpoint, keys } = (await subscriptionIn(second))!;
    expect(await second.run("pressbell.unsubscribe()")).toBe("unsubscribed");
    await second.event("unsubscribed");
    expect(await subscriptionIn(second)).toBeNull();
    expect(bodiesPostedTo(service, "/unsubscribe")).toEqual([{ endpoint, auth: keys.auth, token }]);
  });

  test("ends prompts and subscriptions until the reader subscribes by a call", async () => {
    const { service, visit } = await fixture.newSite();
    await service.setPrompt({ mode: "soft" });
    const first = await visit();
    await first.run("pressbell.subscribe()");
    await first.run("pressbell.unsubscribe()");
    const second = await visit({ atMs: Date.now() + 400 * dayMs });
    await second.run("pressbell.topics()");
    await second.advance(60_000);
    expect(await second.page.locator("pressbell-prompt").count()).toBe(0);
    expect(await second.run("pressbell.subscribe()")).toBe("subscribed");
    expect(bodiesPostedTo(service, "/subscriptions")).toHaveLength(2);
  });

  test("succeeds in the browser while the service is down", async () => {
    const { service, visit } = await fixture.newSite();
    const reader = await visit();
    await reader.run("pressbell.subscribe()");
    service.isDown = true;
    expect(await reader.run("pressbell.unsubscribe()")).toBe("unsubscribed");
    await reader.event("unsubscribed");
    expect(await reader.events()).not.toContain("failed");
  });
});

describe("topics", () => {
  test("of two choices at the same time the later one holds, however late the first answer is", async () => {
    const { service, visit } = await fixture.newSite();
    const { page, run } = await visit();
    await run("pressbell.subscribe()");
    const [politics, sports] = service.topics.map(({ topicId }) => topicId);
    const answerLate = async (route: Route) => {
      const response = await route.fetch();
      await run(`void (later = pressbell.setTopics(["${sports}"]))`);
      await route.fulfill({ response });
    };
    await page.route("**/subscriptions", answerLate, { times: 1 });
    await run(`pressbell.setTopics(["${politics}"])`);
    expect(await run("later")).toMatchObject({ chosen: [sports] });
    expect(bodiesPostedTo(service, "/subscriptions").at(-1)).toMatchObject({ topicIds: [sports] });
  });

  test("are set by the page, and the service's answer is the choice", async () => {
    const { service, visit } = await fixture.newSite();
    const { run } = await visit();
    await run("pressbell.subscribe()");
    const [, sports] = service.topics;
    expect(await run(`pressbell.setTopics(["${sports!.topicId}"])`)).toEqual({
      all: service.topics,
      chosen: [sports!.topicId],
    });
    expect(bodiesPostedTo(service, "/subscriptions")[1]).toMatchObject({ topicIds: [sports!.topicId] });
    expect(await run("pressbell.topics()")).toMatchObject({ chosen: [sports!.topicId] });
  });

  test("chosen before the reader subscribes are sent with the subscription", async () => {
    const { service, visit } = await fixture.newSite();
    const { run } = await visit();
    const [politics] = service.topics;
    await run(`pressbell.setTopics(["${politics!.topicId}"])`);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
    await run("pressbell.subscribe()");
    expect(bodiesPostedTo(service, "/subscriptions")).toMatchObject([{ topicIds: [politics!.topicId] }]);
  });
});
