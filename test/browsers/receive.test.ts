import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../fixtures/browsers/browser.ts";
import { installedBrowsers } from "../fixtures/browsers/installed.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type BrowserSubscription, subscribe } from "../fixtures/publisher.ts";
import { openReadership, type Publication, type Readership } from "./readership.ts";

/**
 * What the service encrypts and signs, judged by real browsers: a page and a worker without anything of ours, and
 * subscribers that are imported.
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

const subscribeHere = `
  const registration = await navigator.serviceWorker.register("/sw.js");
  await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: args[0] };
  return (await registration.pushManager.subscribe(options)).toJSON();`;

let readership: Readership;

beforeAll(async () => {
  readership = await openReadership();
});

describe.each(installedBrowsers())("$name", ({ start }) => {
  let browser: Browser;
  let publication: Publication;
  let subscription: BrowserSubscription;

  beforeAll(async () => {
    browser = await start(readership.pushService);
    publication = await readership.publish();
    publication.site.put("/", "<!doctype html><title>Herald</title>");
    publication.site.put("/sw.js", worker);
    publication.site.put("/bridge", "<!doctype html><title>Bridge</title>");
  });
  afterAll(() => browser?.close());

  const nudge = (title: string) =>
    eventually(async () => (await browser.nudges()).find((shown) => shown.title === title));

  test("without the reader's permission it does not subscribe", async () => {
    const { site, publisher } = publication;
    await browser.permit(site.origin, "denied");
    await browser.open(site.origin);
    await expect(browser.inPage(subscribeHere, publisher.vapidPublicKey)).rejects.toThrow(/NotAllowedError|permission/);
  });

  test("it decrypts and shows what the service has sent", async () => {
    const { site, publisher, send, endOf } = publication;
    await browser.permit(site.origin, "granted");
    await browser.open(site.origin);
    subscription = await browser.inPage(subscribeHere, publisher.vapidPublicKey);
    expect(subscription.endpoint).toContain(`${readership.pushService.origin}/browser/`);
    const { endpoint, keys } = subscription;
    await subscribe(readership.app, publisher.siteId, [{ endpoint, keys }]);

    const runId = await send({ title: "Brücke öffnet 🌉", body: "Am Samstag. ברוכים הבאים" });
    expect(await nudge("Brücke öffnet 🌉")).toEqual({ title: "Brücke öffnet 🌉", body: "Am Samstag. ברוכים הבאים" });
    expect(await endOf(runId)).toMatchObject({ audience: 1, accepted: 1 });
    await browser.dismiss("Brücke öffnet 🌉");
    await eventually(async () => publication.site.paths.includes("/closed"));
  });

  test("a click on the nudge opens the article, with the reader's signed token", async () => {
    const url = `${publication.site.origin}/bridge`;
    await publication.send({ title: "Bridge opens", url });
    await nudge("Bridge opens");
    await browser.click("Bridge opens");
    const article = await eventually(async () => (await browser.tabs()).find((tab) => tab.startsWith(url)));
    expect(article).toMatch(/\/bridge\?pressbell=[\w-]{43}$/);
    expect(await browser.nudges()).toEqual([]);
  });

  test("a subscription of another site's key is refused by the push service, and nothing is shown", async () => {
    const other = await readership.publish();
    const { endpoint, keys } = subscription;
    await subscribe(readership.app, other.publisher.siteId, [{ endpoint, keys }]);
    const run = await other.endOf(await other.send({ title: "Not for you" }));
    expect(run).toMatchObject({ accepted: 0, failed: 1, reasons: [{ reason: "forbidden" }] });
    expect(await browser.nudges()).toEqual([]);
  });

  test("once the browser has unsubscribed, the run says that the reader is gone", async () => {
    await browser.inPage(`
      const registration = await navigator.serviceWorker.ready;
      await (await registration.pushManager.getSubscription()).unsubscribe();`);
    const run = await publication.endOf(await publication.send({ title: "Too late" }));
    expect(run).toMatchObject({ audience: 1, accepted: 0, gone: 1 });
    const next = await publication.endOf(await publication.send({ title: "Still too late" }));
    expect(next).toMatchObject({ audience: 0 });
  });
});
