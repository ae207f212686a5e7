import { randomBytes, randomUUID } from "node:crypto";
import type { CDPSession, Worker } from "playwright-core";
import { eventually } from "../../fixtures/eventually.ts";
import type { ReaderFixture, ReaderSite } from "./fixture.ts";
import { bodiesPostedTo, type RecordedPost } from "./recording-proxy.ts";

export type Push = ReturnType<typeof createPush>;

/** Returns a push message as the service sends it. `change` replaces fields of its notification. */
export function createPush(change: Record<string, unknown> = {}) {
  const id = randomBytes(22).toString("base64url");
  const token = id + randomBytes(10).toString("base64url").slice(0, 13);
  return {
    web_push: 8030,
    notification: {
      title: `Bridge ${id} opens`,
      body: "On Saturday.",
      navigate: `https://news.example/bridge#pressbell-${token}`,
      tag: randomUUID(),
      data: { id, token },
      ...change,
    },
  };
}

export type Receipt = { token: string; kind: string };

/** Controls a site's service worker in the browser. */
export type OpenWorker = {
  /** Delivers a push as plaintext. An object is sent as JSON. */
  deliver(push: string | object): Promise<void>;
  /** Leaves the site's page, as a reader does. */
  leave(): Promise<void>;
  /** Returns the notifications that are shown. */
  shown(): Promise<Record<string, unknown>[]>;
  titles(): Promise<string[]>;
  /**
   * Closes all notifications by script. Waits until there is at least one. This fires no event, unlike a close by the
   * reader.
   */
  closeAll(): Promise<void>;
  /** Dispatches a reader's action on a notification. The event is untrusted, so the worker cannot open a window. */
  act(name: "notificationclick" | "notificationclose", push: Push): Promise<void>;
  /** Counts the records of a store of the worker's database. */
  count(store: string): Promise<number>;
  /** Adds `count` records to a store. */
  fill(store: string, count: number): Promise<void>;
  /** Resolves with all receipts of the service once it has at least `count`. */
  receipts(count: number): Promise<Receipt[]>;
  /** Evaluates an expression inside the worker. */
  run<T>(expression: string): Promise<T>;
};

/** Registers the site's worker by `pressbell.subscribe()`, with the permission to show notifications. */
export async function openWorker(fixture: ReaderFixture, { service, site, visit }: ReaderSite): Promise<OpenWorker> {
  const { origin } = site;
  await fixture.context.grantPermissions(["notifications"], { origin });
  const { page, run } = await visit({ permission: "granted" });
  await run("pressbell.subscribe()");
  const cdp = await fixture.context.newCDPSession(page);
  const registrationId = await registrationOf(cdp, origin);
  const inWorker = async <T>(expression: string): Promise<T> => (await workerOf(fixture, origin)).evaluate(expression);
  return {
    async deliver(push) {
      const data = typeof push === "string" ? push : JSON.stringify(push);
      await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
    },
    async leave() {
      await page.goto("about:blank");
      // The worker sees the page until its frame is gone.
      const windows = '{ type: "window", includeUncontrolled: true }';
      await eventually(() => inWorker<boolean>(`clients.matchAll(${windows}).then((all) => all.length === 0)`));
    },
    shown: () => inWorker(`registration.getNotifications().then((all) => all.map(${summary}))`),
    titles: () => inWorker("registration.getNotifications().then((all) => all.map(({ title }) => title))"),
    async closeAll() {
      // A notification may be listed later than it is shown. It would not be closed.
      await eventually(() => inWorker<boolean>("registration.getNotifications().then((all) => all.length > 0)"));
      await inWorker("registration.getNotifications().then((all) => all.forEach((one) => one.close()))");
      // A close that is still in progress would also close the next notification with this tag.
      await eventually(() => inWorker<boolean>("registration.getNotifications().then((all) => all.length === 0)"));
    },
    act: (name, { notification }) => inWorker(actOn(name, notification.tag)),
    count: (store) => inWorker(inStore(store, "store.count()")),
    fill: (store, count) => inWorker(inStore(store, filler(count))),
    receipts: (count) => eventually(async () => receiptsOf(service, count)),
    run: inWorker,
  };
}

function receiptsOf(service: { posts: RecordedPost[] }, count: number): Receipt[] | false {
  const receipts = bodiesPostedTo(service, "/sdk/events").flatMap((body) => (body as { events: Receipt[] }).events);
  return receipts.length >= count && receipts;
}

const summary = `({ title, body, tag, lang, dir, icon, silent, data }) =>
  ({ title, body, tag, lang, dir, icon, silent, data })`;

function actOn(name: string, tag: string): string {
  return `registration.getNotifications({ tag: "${tag}" }).then(([notification]) => {
    notification ??= self.acted;
    self.acted = notification;
    dispatchEvent(new NotificationEvent("${name}", { notification }));
  })`;
}

/** Returns an expression that runs a request on a store of the worker's database. */
function inStore(store: string, request: string): string {
  return `new Promise((resolve, reject) => {
    const opening = indexedDB.open("pressbell", 1);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("${store}", "readwrite");
      const store = transaction.objectStore("${store}");
      const request = ${request};
      transaction.oncomplete = () => { opening.result.close(); resolve(request?.result); };
    };
  })`;
}

function filler(count: number): string {
  return `(() => {
    for (let no = 1; no <= ${count}; no++) {
      store.put({ key: "filler-" + no, at: Date.now() - ${count} + no, token: "filler-" + no, kind: "clicked" });
    }
  })()`;
}

async function registrationOf(cdp: CDPSession, origin: string): Promise<string> {
  const registered = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (ours) resolve(ours.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  return registered;
}

/** Waits for the running worker: a browser stops an idle worker and starts it again. */
function workerOf({ context }: ReaderFixture, origin: string): Promise<Worker> {
  return eventually(async () => context.serviceWorkers().find((worker) => worker.url().startsWith(origin)));
}
