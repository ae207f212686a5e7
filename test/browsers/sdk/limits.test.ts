import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { openReaderFixture, type ReaderFixture, type Visit } from "./reader.ts";
import { generateVapidKey } from "./service.ts";
import { toldAt } from "./tap.ts";

let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

/** Begins a call, whose outcome is then `outcome` in the page. */
function begin({ run }: Visit, call: string): Promise<void> {
  return run(`void (outcome = undefined, ${call}.then((it) => { outcome = { it }; }))`);
}

/** Lets the clock run just short of the limit once the browser leaves us waiting, and then over it. Gives what came of it. */
async function runOut({ page, run, advance }: Visit, limitSeconds: number): Promise<unknown> {
  await page.waitForFunction("window.isWaiting");
  await advance(limitSeconds * 1_000 - 1);
  expect(await run("outcome")).toBeUndefined();
  await advance(1);
  await page.waitForFunction("outcome");
  return run("outcome.it");
}

/** Notes when a page calls this function of the browser. */
function noteCallOf(owner: string, name: string): string {
  return `${owner}.${name} = ((real) => function (...rest) {
    window.isWaiting = true;
    return real.apply(this, rest);
  })(${owner}.${name});`;
}

describe("every promise ends", () => {
  test("where Chromium never comes to its push service, after 30 seconds", async () => {
    const { site, service, visit } = await fixture.newSite();
    await fixture.context.grantPermissions(["notifications"], { origin: site.origin });
    const before = noteCallOf("PushManager.prototype", "subscribe");
    const reader = await visit({ isBare: true, before, atMs: Date.now() });
    await begin(reader, "pressbell.subscribe()");
    expect(await runOut(reader, 30)).toBe("unsubscribed");
    expect(await reader.event("failed")).toEqual({ reason: "push", message: "no answer within 30 s" });
    expect(toldAt(service, "/subscriptions")).toEqual([]);
  });

  test("where the reader does not answer the browser's question, after two minutes", async () => {
    const { visit } = await fixture.newSite();
    const never = "Notification.requestPermission = () => new Promise(() => {});";
    const before = never + noteCallOf("Notification", "requestPermission");
    const reader = await visit({ isBare: true, before, atMs: Date.now() });
    await begin(reader, "pressbell.subscribe()");
    await runOut(reader, 120);
    expect(await reader.event("failed")).toEqual({ reason: "permission", message: "no answer within 120 s" });
  });

  test("where the worker never finishes its installation, after 10 seconds", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/pressbell-sw.js", "addEventListener('install', (event) => event.waitUntil(new Promise(() => {})))");
    const before = noteCallOf("ServiceWorkerContainer.prototype", "register");
    const reader = await visit({ before, atMs: Date.now() });
    await begin(reader, "pressbell.subscribe()");
    expect(await runOut(reader, 10)).toBe("unsubscribed");
    expect(await reader.event("failed")).toEqual({ reason: "worker", message: "no answer within 10 s" });
    expect(toldAt(service, "/subscriptions")).toEqual([]);
  });

  test("where the browser says nothing of its subscription, after 10 seconds", async () => {
    const { visit } = await fixture.newSite();
    await (await visit()).run("pressbell.subscribe()");
    const hang = "PushManager.prototype.getSubscription = () => new Promise(() => {});";
    const before = `addEventListener("DOMContentLoaded", () => { ${hang} })`;
    const reader = await visit({ atMs: Date.now(), before });
    for (const call of ["pressbell.state()", "pressbell.unsubscribe()"]) {
      await begin(reader, call);
      await eventually(() => reader.advance(1_000).then(() => reader.run("outcome")));
      expect(await reader.run("outcome.it")).toBe("unsubscribed");
    }
    expect(await reader.event("failed")).toEqual({ reason: "push", message: "no answer within 10 s" });
  });
});

describe("the worker's file", () => {
  test.each([
    ["that is missing", undefined],
    ["that is no script", "<!doctype html>"],
    ["that throws", "throw Error('broken')"],
  ])("%s fails with the reason worker", async (_, content) => {
    const { site, visit } = await fixture.newSite();
    site.put("/pressbell-sw.js", content);
    const { run, event } = await visit();
    expect(await run("pressbell.subscribe()")).toBe("unsubscribed");
    expect(await event("failed")).toMatchObject({ reason: "worker" });
  });

  test("may lie elsewhere", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/assets/bell.js", `importScripts("${service.base}/sdk/sites/${service.siteId}/worker.js");`);
    site.attributes = `data-worker="/assets/bell.js"`;
    const { run } = await visit();
    expect(await run("pressbell.subscribe()")).toBe("subscribed");
    const scopes = await run("navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => one.scope))");
    expect(scopes).toEqual([`${site.origin}/assets/pressbell/`]);
  });
});

describe("beside others", () => {
  test("the site's own worker stays what it was", async () => {
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

  test("in a worker that is shared, another script's subscription is let alone, and the page hears why", async () => {
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
    expect(toldAt(service, "/subscriptions")).toEqual([]);
    expect(toldAt(service, "/unsubscribe")).toEqual([]);
  });

  test("in a worker that is shared, our own subscription is known again by its key", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/sw.js", `importScripts("${service.base}/sdk/sites/${service.siteId}/worker.js");`);
    site.attributes = `data-worker="/sw.js" data-scope="/"`;
    const first = await visit();
    await first.run("pressbell.subscribe()");
    await first.run(`localStorage.removeItem("pressbell.${service.siteId}")`);
    const second = await visit();
    await second.event("subscribed");
    expect(toldAt(service, "/subscriptions")).toHaveLength(2);
  });
});
