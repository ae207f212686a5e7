import { randomBytes, randomUUID } from "node:crypto";
import type { CDPSession, Worker } from "playwright-core";
import { eventually } from "../../fixtures/eventually.ts";
import type { ReaderFixture, ReaderSite } from "./reader.ts";
import { type Told, toldAt } from "./tap.ts";

export type Push = ReturnType<typeof createPush>;

/** A push as the service sends it. */
export function createPush(change: Record<string, unknown> = {}) {
  const id = randomBytes(22).toString("base64url");
  const token = id + randomBytes(10).toString("base64url").slice(0, 13);
  return {
    web_push: 8030,
    notification: {
      title: `Bridge ${id} opens`,
      body: "On Saturday.",
      navigate: `https://news.example/bridge?pressbell=${token}`,
      tag: randomUUID(),
      data: { id, token },
      ...change,
    },
  };
}

export type Receipt = { token: string; kind: string };

/** A site's service worker in the browser. */
export type OpenWorker = {
  /** Hands it a push, as clear text: an object is sent as JSON. */
  deliver(push: string | object): Promise<void>;
  /** What is on the screen. */
  shown(): Promise<Record<string, unknown>[]>;
  titles(): Promise<string[]>;
  /** Takes everything from the screen, as nobody does who closes a notification: no event comes of it. */
  closeAll(): Promise<void>;
  /** What the reader does with a nudge that is shown. It is no trusted event: nothing can be opened by it. */
  act(name: "notificationclick" | "notificationclose", push: Push): Promise<void>;
  /** How many records are in a store of the worker's; and puts so many more there. */
  count(store: string): Promise<number>;
  fill(store: string, count: number): Promise<void>;
  /** The receipts that the service got, once there are as many. */
  receipts(count: number): Promise<Receipt[]>;
  /** Evaluates an expression inside the worker. */
  run<T>(expression: string): Promise<T>;
};

/** Registers the site's worker, by the page's own call, with the permission to show. */
export async function openWorker(world: ReaderFixture, { service, site, visit }: ReaderSite): Promise<OpenWorker> {
  const { origin } = site;
  await world.context.grantPermissions(["notifications"], { origin });
  const { page, run } = await visit({ permission: "granted" });
  await run("pressbell.subscribe()");
  const cdp = await world.context.newCDPSession(page);
  const registrationId = await registrationOf(cdp, origin);
  const inWorker = async <T>(expression: string): Promise<T> => (await workerOf(world, origin)).evaluate(expression);
  return {
    async deliver(push) {
      const data = typeof push === "string" ? push : JSON.stringify(push);
      await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
    },
    shown: () => inWorker(`registration.getNotifications().then((all) => all.map(${summary}))`),
    titles: () => inWorker("registration.getNotifications().then((all) => all.map(({ title }) => title))"),
    async closeAll() {
      await inWorker("registration.getNotifications().then((all) => all.forEach((one) => one.close()))");
      // A close that is still under way would take down the next one with this tag.
      await eventually(() => inWorker<boolean>("registration.getNotifications().then((all) => all.length === 0)"));
    },
    act: (name, { notification }) => inWorker(actOn(name, notification.tag)),
    count: (store) => inWorker(inStore(store, "store.count()")),
    fill: (store, count) => inWorker(inStore(store, filler(count))),
    receipts: (count) => eventually(async () => receiptsOf(service, count)),
    run: inWorker,
  };
}

function receiptsOf(service: { told: Told[] }, count: number): Receipt[] | false {
  const told = toldAt(service, "/sdk/events").flatMap((body) => (body as { events: Receipt[] }).events);
  return told.length >= count && told;
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

/** Evaluates a request to a store of the worker's database. */
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

/** The running worker: a browser ends one that has nothing to do. */
function workerOf({ context }: ReaderFixture, origin: string): Promise<Worker> {
  return eventually(async () => context.serviceWorkers().find((worker) => worker.url().startsWith(origin)));
}
