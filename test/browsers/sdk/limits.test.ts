import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { openChromium } from "./chromium.ts";
import { openReaderFixture, type ReaderFixture, type Visit } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";
import { generateVapidKey } from "./service.ts";

let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture(openChromium);
});

/** Starts a call. `outcome` in the page then has its result. */
function start({ run }: Visit, call: string): Promise<void> {
  return run(`void (outcome = undefined, ${call}.then((it) => { outcome = { it }; }))`);
}

/**
 * Waits until the browser is waiting. Advances the clock to just before the limit, and then past it. Returns the
 * result.
 */
async function exceedLimit({ page, run, advance }: Visit, limitSeconds: number): Promise<unknown> {
  await page.waitForFunction("window.isWaiting");
  await advance(limitSeconds * 1_000 - 1);
  expect(await run("outcome")).toBeUndefined();
  await advance(1);
  await page.waitForFunction("outcome");
  return run("outcome.it");
}

/** Returns a script that sets `isWaiting` when a page calls this function of the browser. */
function detectCallOf(owner: string, name: string): string {
  return `${owner}.${name} = ((real) => function (...rest) {
    window.isWaiting = true;
    return real.apply(this, rest);
  })(${owner}.${name});`;
}

describe("every promise has a time limit", () => {
  test("30 seconds when Chromium never reaches its push service", async () => {
    const { site, service, visit } = await fixture.newSite();
    await fixture.context.grantPermissions(["notifications"], { origin: site.origin });
    const before = detectCallOf("PushManager.prototype", "subscribe");
    const reader = await visit({ isBare: true, before, atMs: Date.now() });
    await start(reader, "pressbell.subscribe()");
    expect(await exceedLimit(reader, 30)).toBe("unsubscribed");
    expect(await reader.event("failed")).toEqual({ reason: "push", message: "no answer within 30 s" });
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
  });

  test("two minutes when the reader does not answer the permission prompt", async () => {
    const { visit } = await fixture.newSite();
    const never = "Notification.requestPermission = () => new Promise(() => {});";
    const before = never + detectCallOf("Notification", "requestPermission");
    const reader = await visit({ isBare: true, before, atMs: Date.now() });
    await start(reader, "pressbell.subscribe()");
    await exceedLimit(reader, 120);
    expect(await reader.event("failed")).toEqual({ reason: "permission", message: "no answer within 120 s" });
  });

  test("10 seconds when the worker never finishes its installation", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/pressbell-sw.js", "addEventListener('install', (event) => event.waitUntil(new Promise(() => {})))");
    const before = detectCallOf("ServiceWorkerContainer.prototype", "register");
    const reader = await visit({ before, atMs: Date.now() });
    await start(reader, "pressbell.subscribe()");
    expect(await exceedLimit(reader, 10)).toBe("unsubscribed");
    expect(await reader.event("failed")).toEqual({ reason: "worker", message: "no answer within 10 s" });
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
  });

  test("10 seconds when the browser does not return its subscription", async () => {
    const { visit } = await fixture.newSite();
    await (await visit()).run("pressbell.subscribe()");
    const hang = "PushManager.prototype.getSubscription = () => new Promise(() => {});";
    const before = `addEventListener("DOMContentLoaded", () => { ${hang} })`;
    const reader = await visit({ atMs: Date.now(), before });
    for (const call of ["pressbell.state()", "pressbell.unsubscribe()"]) {
      await start(reader, call);
      await eventually(() => reader.advance(1_000).then(() => reader.run("outcome")));
      expect(await reader.run("outcome.it")).toBe("unsubscribed");
    }
    expect(await reader.event("failed")).toEqual({ reason: "push", message: "no answer within 10 s" });
  });
});

describe("the worker's file", () => {
  test.each([
    ["that is missing", undefined],
    ["that is not a script", "<!doctype html>"],
    ["that throws", "throw Error('broken')"],
  ])("%s fails with the reason worker", async (_, content) => {
    const { site, visit } = await fixture.newSite();
    site.put("/pressbell-sw.js", content);
    const { run, event } = await visit();
    expect(await run("pressbell.subscribe()")).toBe("unsubscribed");
    expect(await event("failed")).toMatchObject({ reason: "worker" });
  });

  test("may have another path", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/assets/bell.js", `importScripts("${service.base}/sdk/sites/${service.siteId}/worker.js");`);
    site.attributes = `data-worker="/assets/bell.js"`;
    const { run } = await visit();
    expect(await run("pressbell.subscribe()")).toBe("subscribed");
    const scopes = await run("navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => one.scope))");
    expect(scopes).toEqual([`${site.origin}/assets/pressbell/`]);
  });
});

describe("beside other scripts", () => {
  test("the site's own worker is unchanged", async () => {
    const { site, visit } = await fixture.newSite();
    site.put("/sw.js", "addEventListener('fetch', () => {})");
    const { run } = await visit();
    await run("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 0)");
    expect(await run("pressbell.subscribe()")).toBe("subscribed");
    const workers = await run(
      "navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => [one.scope, one.active.scriptURL]))",
    );
    expect(workers).toEqual([
      [`${site.origin}/`, `${site.origin}/sw.js`],
      [`${site.origin}/pressbell/`, `${site.origin}/pressbell-sw.js`],
    ]);
  });

  test("in a shared worker, another script's subscription stays, and the page gets the reason", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/sw.js", `importScripts("${service.base}/sdk/sites/${service.siteId}/worker.js");`);
    site.attributes = `data-worker="/sw.js" data-scope="/"`;
    const first = await visit({ permission: "granted" });
    const theirs = generateVapidKey();
    const registered = "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)";
    await first.run(
      `${registered}.then((r) => r.pushManager.subscribe({ applicationServerKey: "${theirs}" })).then(() => 0)`,
    );
    const second = await visit({ permission: "granted" });
    expect(await second.event("ready")).toEqual({ state: "unsubscribed" });
    await second.run("pressbell.topics()");
    expect(await second.events()).toEqual(["ready"]);
    expect(await second.run("pressbell.subscribe()")).toBe("unsubscribed");
    expect(await second.event("failed")).toMatchObject({ reason: "other_key" });
    expect(await second.run("pressbell.unsubscribe()")).toBe("unsubscribed");
    expect(await second.run("JSON.parse(localStorage['test.subscription']).key")).toBe(theirs);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
    expect(bodiesPostedTo(service, "/unsubscribe")).toEqual([]);
  });

  test("in a shared worker, our own subscription is recognised by its key", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/sw.js", `importScripts("${service.base}/sdk/sites/${service.siteId}/worker.js");`);
    site.attributes = `data-worker="/sw.js" data-scope="/"`;
    const first = await visit();
    await first.run("pressbell.subscribe()");
    await first.run(`localStorage.removeItem("pressbell.${service.siteId}")`);
    const second = await visit();
    await second.event("subscribed");
    expect(bodiesPostedTo(service, "/subscriptions")).toHaveLength(2);
  });
});
