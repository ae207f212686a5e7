import { beforeAll, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { type BrowserSubscription, subscribe } from "../../fixtures/publisher.ts";
import { browser, fixture, newReader, tenant } from "./open-browser.ts";

/**
 * The worker of a page without any code of Pressbell, for imported subscribers. So real browsers check the encryption
 * and the signatures of the service.
 */
const worker = `
  self.addEventListener("push", (event) => {
    const { title, navigate, ...options } = event.data.json().notification;
    event.waitUntil(self.registration.showNotification(title, { ...options, data: { navigate } }));
  });
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(clients.openWindow(event.notification.data.navigate));
  });
  self.addEventListener("notificationclose", (event) => event.waitUntil(fetch("/closed")));`;

const subscribeJs = `
  const registration = await navigator.serviceWorker.register("/sw.js");
  await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: args[0] };
  return (await registration.pushManager.subscribe(options)).toJSON();`;

export function testReceive(): void {
  let subscription: BrowserSubscription;

  beforeAll(async () => {
    await newReader();
    tenant.site.put("/", "<!doctype html><title>Herald</title>");
    tenant.site.put("/sw.js", worker);
    tenant.site.put("/bridge", "<!doctype html><title>Bridge</title>");
  });

  const nudge = (title: string) =>
    eventually(async () => (await browser.nudges()).find((shown) => shown.title === title));

  test("does not subscribe without the reader's permission", async () => {
    const { site, publisher } = tenant;
    await browser.setPermission(site.origin, "denied");
    await browser.open(site.origin);
    await expect(browser.inPage(subscribeJs, publisher.vapidPublicKey)).rejects.toThrow(/NotAllowedError|permission/);
  });

  test("decrypts and shows what the service has sent", async () => {
    const { site, publisher, send, whenCompleted } = tenant;
    await browser.setPermission(site.origin, "granted");
    await browser.open(site.origin);
    subscription = await browser.inPage(subscribeJs, publisher.vapidPublicKey);
    expect(subscription.endpoint).toContain(`${fixture.pushService.origin}/browser/`);
    const { endpoint, keys } = subscription;
    await subscribe(fixture.app, publisher.siteId, [{ endpoint, keys }]);

    const runId = await send({ title: "Brücke öffnet 🌉", body: "Am Samstag. ברוכים הבאים" });
    expect(await nudge("Brücke öffnet 🌉")).toEqual({ title: "Brücke öffnet 🌉", body: "Am Samstag. ברוכים הבאים" });
    expect(await whenCompleted(runId)).toMatchObject({ audience: 1, accepted: 1 });
    await browser.dismiss("Brücke öffnet 🌉");
    await eventually(async () => tenant.site.paths.includes("/closed"));
  });

  test("a click on the notification opens the article, with the reader's signed token", async () => {
    const url = `${tenant.site.origin}/bridge`;
    await tenant.send({ title: "Bridge opens", url });
    await nudge("Bridge opens");
    await browser.click("Bridge opens");
    const article = await eventually(async () => (await browser.tabs()).find((tab) => tab.startsWith(url)));
    expect(article).toMatch(/\/bridge#pressbell-[\w-]{43}$/);
    // The request has no token, so caches of the site keep one page for all readers.
    expect(tenant.site.paths).toContain("/bridge");
    expect(await browser.nudges()).toEqual([]);
  });

  test("the push service refuses a message signed with another site's key, and nothing is shown", async () => {
    const other = await fixture.createTenant();
    const { endpoint, keys } = subscription;
    await subscribe(fixture.app, other.publisher.siteId, [{ endpoint, keys }]);
    const run = await other.whenCompleted(await other.send({ title: "Not for you" }));
    expect(run).toMatchObject({ accepted: 0, failed: 1, reasons: [{ reason: "forbidden" }] });
    expect(await browser.nudges()).toEqual([]);
  });

  test("once the browser has unsubscribed, the run counts the subscriber as gone", async () => {
    await browser.inPage(`
      const registration = await navigator.serviceWorker.ready;
      await (await registration.pushManager.getSubscription()).unsubscribe();`);
    const run = await tenant.whenCompleted(await tenant.send({ title: "Too late" }));
    expect(run).toMatchObject({ audience: 1, accepted: 0, gone: 1 });
    const next = await tenant.whenCompleted(await tenant.send({ title: "Still too late" }));
    expect(next).toMatchObject({ audience: 0 });
  });
}
