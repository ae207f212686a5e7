import { beforeEach, expect, test } from "vitest";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { createSubscriptions } from "../../fixtures/publisher.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

const migrateSubscriptions = { workers: [], formerReaders: null };

/** Subscribes the browser with another key in a scope of its own, as the script of another push service does. */
async function subscribeElsewhere(worker: string): Promise<void> {
  const { site } = tenant;
  site.put(worker, "addEventListener('push', () => {})");
  site.put("/plain", "<!doctype html><title>Without our script</title>");
  await browser.setPermission(site.origin, "granted");
  await browser.open(`${site.origin}/plain`);
  await browser.inPage(
    `const registration = await navigator.serviceWorker.register(args[0], { scope: "/" });
    await navigator.serviceWorker.ready;
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: args[1] });`,
    worker,
    createSubscriptions(1)[0]!.keys.p256dh,
  );
}

/** Returns the files of all workers of the site: those that hold a subscription, and the others. */
const workers = () =>
  browser.inPage<{ subscribed: string[]; others: string[] }>(`
    const found = { subscribed: [], others: [] };
    for (const one of await navigator.serviceWorker.getRegistrations()) {
      const list = (await one.pushManager.getSubscription()) ? found.subscribed : found.others;
      list.push(new URL(one.active.scriptURL).pathname);
    }
    return found;`);

/** Tests a reader who has subscribed to another push service on the same site. */
export function testMigrateSubscriptions(): void {
  beforeEach(newReader);

  test("the next visit takes the reader over without a prompt, once, and retires a known worker", async () => {
    await changeSite(fixture.app, tenant.publisher.actor, { siteId: tenant.publisher.siteId, migrateSubscriptions });
    await subscribeElsewhere("/OneSignalSDKWorker.js");
    await reader.visit();
    await reader.event("subscribed");
    await reader.call("topics");
    expect(await reader.isPrompted()).toBe(false);
    expect(await workers()).toEqual({ subscribed: ["/pressbell-sw.js"], others: [] });
    await reader.visit();
    expect(await reader.event("ready")).toEqual({ state: "subscribed" });
    expect((await tenant.whenCompleted(await tenant.send({ title: "Welcome over" }))).audience).toBe(1);
    await reader.nudge("Welcome over");
    await browser.dismiss("Welcome over");
  });

  test("a worker that may do more than push stays, without its subscription", async () => {
    await changeSite(fixture.app, tenant.publisher.actor, { siteId: tenant.publisher.siteId, migrateSubscriptions });
    await subscribeElsewhere("/sw.js");
    await reader.visit();
    await reader.event("subscribed");
    await reader.call("topics");
    expect(await workers()).toEqual({ subscribed: ["/pressbell-sw.js"], others: ["/sw.js"] });
  });

  test("without the setting nothing is migrated", async () => {
    await subscribeElsewhere("/OneSignalSDKWorker.js");
    await reader.visit();
    await reader.call("topics");
    expect(await workers()).toEqual({ subscribed: ["/OneSignalSDKWorker.js"], others: [] });
    expect((await tenant.whenCompleted(await tenant.send())).audience).toBe(0);
  });
}
