import { beforeAll, describe, expect, test } from "vitest";
import { openReaderWorld, type ReaderWorld, type Visit } from "./reader.ts";
import { makeVapidKey } from "./service.ts";
import { toldAt } from "./tap.ts";

let world: ReaderWorld;

beforeAll(async () => {
  world = await openReaderWorld();
});

/** Begins a call and moves the page's clock until it has ended: what it came to, and after how many seconds. */
async function runOut({ run, advance }: Visit, call: string): Promise<{ outcome: unknown; seconds: number }> {
  await run(`void (outcome = undefined, began = Date.now(), ${call}.then((it) => { outcome = [it, Date.now()]; }))`);
  for (let moved = 0; moved < 180 && !(await run("outcome")); moved++) await advance(1_000);
  return run("({ outcome: outcome?.[0], seconds: Math.floor((outcome?.[1] - began) / 1000) })");
}

describe("every promise ends", () => {
  test("where Chromium never comes to its push service, after 30 seconds", async () => {
    const { site, service, visit } = await world.newSite();
    await world.context.grantPermissions(["notifications"], { origin: site.origin });
    const reader = await visit({ isBare: true, atMs: Date.now() });
    expect(await runOut(reader, "pressbell.subscribe()")).toMatchObject({ outcome: "unsubscribed" });
    expect(await reader.event("failed")).toEqual({ reason: "push", message: "no answer within 30 s" });
    expect(toldAt(service, "/subscriptions")).toEqual([]);
  });

  test("where the reader does not answer the browser's question, after two minutes", async () => {
    const { visit } = await world.newSite();
    const before = "Notification.requestPermission = () => new Promise(() => {})";
    const reader = await visit({ isBare: true, before, atMs: Date.now() });
    expect(await runOut(reader, "pressbell.subscribe()")).toEqual({ outcome: "unsubscribed", seconds: 120 });
    expect(await reader.event("failed")).toEqual({ reason: "permission", message: "no answer within 120 s" });
  });

  test("where the worker never finishes its installation, after 10 seconds", async () => {
    const { site, service, visit } = await world.newSite();
    site.put("/pressbell-sw.js", "addEventListener('install', (event) => event.waitUntil(new Promise(() => {})))");
    const reader = await visit({ atMs: Date.now() });
    expect(await runOut(reader, "pressbell.subscribe()")).toEqual({ outcome: "unsubscribed", seconds: 10 });
    expect(await reader.event("failed")).toEqual({ reason: "worker", message: "no answer within 10 s" });
    expect(toldAt(service, "/subscriptions")).toEqual([]);
  });

  test("where the browser says nothing of its subscription, after 10 seconds", async () => {
    const { visit } = await world.newSite();
    await (await visit()).run("pressbell.subscribe()");
    const hang = "PushManager.prototype.getSubscription = () => new Promise(() => {})";
    const reader = await visit({ atMs: Date.now(), before: `addEventListener("DOMContentLoaded", () => { ${hang} })` });
    expect(await runOut(reader, "pressbell.state()")).toMatchObject({ outcome: "unsubscribed" });
    expect(await runOut(reader, "pressbell.unsubscribe()")).toMatchObject({ outcome: "unsubscribed" });
    expect(await reader.event("failed")).toEqual({ reason: "push", message: "no answer within 10 s" });
  });
});

describe("the worker's file", () => {
  test.each([
    ["that is missing", undefined],
    ["that is no script", "<!doctype html>"],
    ["that throws", "throw Error('broken')"],
  ])("%s fails with the reason worker", async (_, content) => {
    const { site, visit } = await world.newSite();
    site.put("/pressbell-sw.js", content);
    const { run, event } = await visit();
    expect(await run("pressbell.subscribe()")).toBe("unsubscribed");
    expect(await event("failed")).toMatchObject({ reason: "worker" });
  });

  test("may lie elsewhere", async () => {
    const { site, service, visit } = await world.newSite();
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
    const { site, visit } = await world.newSite();
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
    const { site, service, visit } = await world.newSite();
    site.put("/sw.js", `importScripts("${service.base}/sdk/sites/${service.siteId}/worker.js");`);
    site.attributes = `data-worker="/sw.js" data-scope="/"`;
    const first = await visit({ permission: "granted" });
    const theirs = makeVapidKey();
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
    const { site, service, visit } = await world.newSite();
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
