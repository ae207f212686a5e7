import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { type BrowserSubscription, createSubscriptions } from "../../fixtures/publisher.ts";
import { openChromium } from "./chromium.ts";
import { openReaderFixture, type ReaderFixture, type ReaderSite } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";
import { createPush, type OpenWorker, openWorker } from "./worker.ts";

const dayMs = 86_400_000;
/** The browser has the time zone of this machine, because it runs on it. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const language = expect.any(String);
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture(openChromium);
});

async function openSite(): Promise<ReaderSite & { worker: OpenWorker }> {
  const site = await fixture.newSite();
  return { ...site, worker: await openWorker(fixture, site) };
}

describe("a message", () => {
  test("is shown as sent, and reported as displayed", async () => {
    const { site, worker } = await openSite();
    const options = { lang: "he", dir: "rtl", icon: `${site.origin}/icon.png` };
    const push = createPush(options);
    await worker.deliver(push);
    const { title, body, navigate, tag, data } = push.notification;
    const [receipt] = await worker.receipts(1);
    expect(receipt).toEqual({ token: data.token, kind: "displayed" });
    expect(await worker.shown()).toEqual([
      { title, body, tag, ...options, silent: false, data: { ...data, navigate } },
    ]);
  });

  test("has badge, stay and silence as the campaign says, and the number on the site's icon", async () => {
    const { site, worker } = await openSite();
    await worker.run("void (navigator.setAppBadge = async (count) => { self.badgeCount = count })");
    const extras = { badge: `${site.origin}/badge.png`, requireInteraction: true, silent: true };
    await worker.deliver({ ...createPush(extras), app_badge: 7 });
    await worker.receipts(1);
    expect(await worker.shown()).toMatchObject([{ silent: true }]);
    expect(
      await worker.run("registration.getNotifications().then(([one]) => [one.badge, one.requireInteraction])"),
    ).toEqual([extras.badge, true]);
    expect(await worker.run("self.badgeCount")).toBe(7);
  });

  test("that arrives twice, even at the same time, is shown and reported once", async () => {
    const { worker } = await openSite();
    const push = createPush();
    await Promise.all([worker.deliver(push), worker.deliver(push)]);
    await worker.receipts(1);
    await worker.closeAll();
    await worker.deliver(push);
    const last = createPush();
    await worker.deliver(last);
    expect(await worker.receipts(2)).toEqual([push, last].map(displayed));
    expect(await worker.titles()).toHaveLength(1);
  });

  test("is remembered for a week, up to 500 messages", async () => {
    const { worker } = await openSite();
    const pushes = [createPush(), createPush()];
    for (const [before, push] of pushes.entries()) {
      await worker.deliver(push);
      await worker.receipts(before + 1);
    }
    await worker.run(`Date.now = ((real) => () => real() + ${7 * dayMs + 60_000})(Date.now)`);
    await worker.deliver(pushes[0]!);
    expect(await worker.receipts(3)).toEqual([...pushes, pushes[0]!].map(displayed));
    await worker.fill("messages", 600);
    await worker.deliver(createPush());
    await worker.receipts(4);
    expect(await worker.count("messages")).toBe(500);
  });
});

describe("a push", () => {
  test.each([
    ["that is not JSON", "<html>"],
    ["that is empty", ""],
    ["of another script", { notification: { title: "Theirs", body: "Not ours" } }],
    ["without a title", { ...createPush(), notification: { ...createPush().notification, title: undefined } }],
    ["without a token", { ...createPush(), notification: { ...createPush().notification, data: { id: "a" } } }],
    ["of another format", { ...createPush(), web_push: 8031 }],
  ])("%s is neither shown nor reported", async (_, content) => {
    const { worker } = await openSite();
    await worker.deliver(content);
    const push = createPush();
    await worker.deliver(push);
    expect(await worker.receipts(1)).toEqual([displayed(push)]);
    expect(await worker.titles()).toEqual([push.notification.title]);
  });

  test("is shown although one of its options is invalid", async () => {
    const { worker } = await openSite();
    const push = createPush({ dir: "sideways", lang: 7 as never, icon: "not a URL:" });
    await worker.deliver(push);
    expect(await worker.receipts(1)).toEqual([displayed(push)]);
    expect(await worker.titles()).toEqual([push.notification.title]);
  });

  test("is shown although IndexedDB fails", async () => {
    const { worker } = await openSite();
    await worker.run("IDBFactory.prototype.open = () => { throw Error('broken') }");
    const push = createPush();
    await worker.deliver(push);
    expect(await worker.receipts(1)).toEqual([displayed(push)]);
    expect(await worker.titles()).toEqual([push.notification.title]);
  });
});

describe("receipts", () => {
  test("wait while the service cannot be reached, and are sent with the next push, oldest first", async () => {
    const { service, worker } = await openSite();
    service.isDown = true;
    const kept = [createPush(), createPush()];
    for (const [before, push] of kept.entries()) {
      await worker.deliver(push);
      await eventually(async () => (await worker.count("receipts")) === before + 1);
    }
    service.isDown = false;
    const last = createPush();
    await worker.deliver(last);
    expect(await worker.receipts(3)).toEqual([...kept, last].map(displayed));
    await eventually(async () => (await worker.count("receipts")) === 0);
  });

  test.each([429, 500, 503])("wait when the service answers %i", async (status) => {
    const { service, worker } = await openSite();
    service.refusal = { status, message: "Try again." };
    const push = createPush();
    await worker.deliver(push);
    await worker.receipts(1);
    service.refusal = undefined;
    const last = createPush();
    await worker.deliver(last);
    expect((await worker.receipts(3)).slice(-2)).toEqual([push, last].map(displayed));
  });

  test("that the service refuses permanently are dropped", async () => {
    const { service, worker } = await openSite();
    service.refusal = { status: 400, message: "No." };
    await worker.deliver(createPush());
    await worker.receipts(1);
    await eventually(async () => (await worker.count("receipts")) === 0);
  });

  test("are kept up to the newest 200, and sent in groups of at most 50", async () => {
    const { service, worker } = await openSite();
    await worker.fill("receipts", 250);
    const push = createPush();
    await worker.deliver(push);
    const receipts = await worker.receipts(200);
    expect(receipts).toHaveLength(200);
    expect(receipts.at(-1)).toEqual(displayed(push));
    expect(receipts[0]).toEqual({ token: "filler-52", kind: "clicked" });
    const sizes = bodiesPostedTo(service, "/sdk/events").map((body) => (body as { events: unknown[] }).events.length);
    expect(sizes).toEqual([50, 50, 50, 50]);
  });

  test("report a closed notification and a clicked one", async () => {
    const { worker } = await openSite();
    const [closed, clicked] = [createPush(), createPush()];
    for (const push of [closed, clicked]) await worker.deliver(push);
    await worker.receipts(2);
    await worker.act("notificationclose", closed);
    await worker.act("notificationclick", clicked);
    // Firefox also fires notificationclose for a notification that was clicked.
    await worker.act("notificationclose", clicked);
    await worker.deliver(createPush());
    const receipts = (await worker.receipts(5)).filter(({ kind }) => kind !== "displayed");
    expect(receipts).toEqual([
      { token: closed.notification.data.token, kind: "dismissed" },
      { token: clicked.notification.data.token, kind: "clicked" },
    ]);
    expect(await worker.titles()).not.toContain(clicked.notification.title);
  });
});

describe("a worker that is shared with another script", () => {
  const theirs =
    "const theirs = []; for (const name of ['push', 'notificationclick', 'notificationclose']) addEventListener(name, (event) => theirs.push(name));";

  test("passes it foreign events, and hides our own from it", async () => {
    const site = await fixture.newSite();
    const { base, siteId } = site.service;
    site.site.put("/pressbell-sw.js", `importScripts("${base}/sdk/sites/${siteId}/worker.js"); ${theirs}`);
    const worker = await openWorker(fixture, site);
    const push = createPush();
    await worker.deliver(push);
    await worker.receipts(1);
    await worker.act("notificationclose", push);
    expect(await worker.run("theirs")).toEqual([]);
    await worker.deliver({ theirs: true });
    await eventually(async () => (await worker.run<string[]>("theirs")).includes("push"));
  });
});

test("in Chromium, a repeat of a closed notification shows silently if nothing else is shown", async () => {
  const { worker } = await openSite();
  const push = createPush();
  await worker.deliver(push);
  await worker.receipts(1);
  await worker.closeAll();
  await worker.leave();
  await worker.deliver(push);
  await eventually(async () => (await worker.titles()).length === 1);
  expect(await worker.shown()).toMatchObject([{ title: push.notification.title, silent: true }]);
  await worker.deliver(createPush());
  expect(await worker.receipts(2)).toHaveLength(2);
});

describe("on Safari", () => {
  // Safari revokes the permission after a push that shows nothing.
  test("a repeated message is shown again, silently and in place of the first", async () => {
    const safari =
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15";
    const onSafari = await openReaderFixture(() => openChromium({ args: [`--user-agent=${safari}`] }));
    const site = await onSafari.newSite();
    const worker = await openWorker(onSafari, site);
    expect(await worker.run("navigator.userAgent")).toBe(safari);
    const push = createPush();
    await worker.deliver(push);
    await worker.receipts(1);
    await worker.closeAll();
    await worker.deliver(push);
    await eventually(async () => (await worker.titles()).length === 1);
    expect(await worker.shown()).toMatchObject([{ title: push.notification.title, silent: true }]);
    await worker.deliver(createPush());
    expect(await worker.receipts(2)).toHaveLength(2);
  });
});

function displayed({ notification }: ReturnType<typeof createPush>) {
  return { token: notification.data.token, kind: "displayed" };
}

const [one, two, other] = createSubscriptions(3);
const held = ({ endpoint, keys }: BrowserSubscription) =>
  `({ endpoint: "${endpoint}", options: {}, toJSON: () => (${JSON.stringify({ endpoint, keys })}) })`;
const hold = (subscription: BrowserSubscription) =>
  `PushManager.prototype.getSubscription = async () => ${held(subscription)}`;

async function openConfirmed(): Promise<ReaderSite & { worker: OpenWorker }> {
  const site = await openSite();
  await site.worker.run(hold(one!));
  await site.worker.run("dispatchEvent(new ExtendableMessageEvent('message', { data: { pressbell: 'confirmed' } }))");
  await eventually(async () => (await site.worker.count("subscription")) === 1);
  site.service.posts.length = 0;
  return site;
}

/** Makes the worker draw `number` instead of random numbers from now on. With 0 it does not wait. */
const draw = (worker: OpenWorker, number: number) => worker.run(`Math.random = () => ${number}`);

describe("the subscription", () => {
  test("is confirmed on a push, a week after its last confirmation", async () => {
    const { service, worker } = await openConfirmed();
    await draw(worker, 0);
    await worker.deliver(createPush());
    await worker.receipts(1);
    await worker.run(`Date.now = ((real) => () => real() + ${7 * dayMs + 60_000})(Date.now)`);
    await worker.deliver(createPush());
    await eventually(async () => bodiesPostedTo(service, "/subscriptions").length > 0);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([
      { subscription: one, timeZone, language, background: true },
    ]);
  });

  test("is confirmed at a random time after the push, or by the next one if the worker ended", async () => {
    const { service, worker } = await openConfirmed();
    await worker.run(`Date.now = ((real) => () => real() + ${7 * dayMs + 60_000})(Date.now)`);
    await draw(worker, 0.5);
    // The timer never fires, as if the browser ended the worker.
    await worker.run(
      "self.setTimeout = ((real) => (work, ms, ...rest) => ms > 10_000 ? (self.waited = ms) : real(work, ms, ...rest))(setTimeout)",
    );
    await worker.deliver(createPush());
    expect(await eventually(() => worker.run<number | undefined>("self.waited"))).toBe(12_500);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
    await draw(worker, 0);
    await worker.deliver(createPush());
    await eventually(async () => bodiesPostedTo(service, "/subscriptions").length > 0);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([
      { subscription: one, timeZone, language, background: true },
    ]);
  });

  test.each([
    [0.99, 5],
    [0.01, 7],
  ])("confirmed when %d was drawn is due after %i days", async (number, days) => {
    const { service, worker } = await openSite();
    await worker.run(hold(one!));
    await draw(worker, number);
    await worker.run("dispatchEvent(new ExtendableMessageEvent('message', { data: { pressbell: 'confirmed' } }))");
    await eventually(async () => (await worker.count("subscription")) === 1);
    service.posts.length = 0;
    await draw(worker, 0);
    const later = (days: number) => worker.run(`Date.now = ((real) => () => real() + ${days * dayMs})(Date.now)`);
    await later(days - 0.1);
    await worker.deliver(createPush());
    await worker.receipts(1);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
    await later(0.2);
    await worker.deliver(createPush());
    await eventually(async () => bodiesPostedTo(service, "/subscriptions").length > 0);
  });
});

describe("a subscription", () => {
  test("that the browser has changed is registered with the one it replaces", async () => {
    const { service, worker } = await openConfirmed();
    await worker.run(`PushManager.prototype.subscribe = async () => (${hold(two!)}, ${held(two!)})`);
    await worker.run("dispatchEvent(new Event('pushsubscriptionchange'))").catch(() => {});
    await eventually(async () => bodiesPostedTo(service, "/subscriptions").length > 0);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([
      {
        subscription: two,
        timeZone,
        language,
        replaces: { endpoint: one!.endpoint, auth: one!.keys.auth },
        background: true,
      },
    ]);
  });

  test("changed while the service was down is registered when the browser is online again", async () => {
    const { service, worker } = await openConfirmed();
    service.isDown = true;
    await worker.run(`PushManager.prototype.subscribe = async () => (${hold(two!)}, ${held(two!)})`);
    await worker.run("registration.sync.register = async (tag) => { self.asked = tag }");
    await worker.run("dispatchEvent(new Event('pushsubscriptionchange'))").catch(() => {});
    const tag = await eventually(() => worker.run<string | undefined>("self.asked"));
    service.isDown = false;
    await worker.run(`dispatchEvent(new SyncEvent("sync", { tag: "${tag}" }))`).catch(() => {});
    await eventually(async () => bodiesPostedTo(service, "/subscriptions").length > 0);
    expect(bodiesPostedTo(service, "/subscriptions")).toMatchObject([
      { subscription: two, replaces: { endpoint: one!.endpoint } },
    ]);
  });

  test("of another script is left alone when the browser changes it", async () => {
    const { service, worker } = await openConfirmed();
    await worker
      .run(`dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { oldSubscription: ${held(other!)} }))`)
      .catch(() => {});
    await worker.deliver(createPush());
    await worker.receipts(1);
    expect(bodiesPostedTo(service, "/subscriptions")).toEqual([]);
  });
});
