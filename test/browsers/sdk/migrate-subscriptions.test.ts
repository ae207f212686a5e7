import { beforeAll, expect, test } from "vitest";
import { openReaderFixture, type ReaderFixture, type ReaderSite, type Visit, type VisitOptions } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";
import { generateVapidKey } from "./service.ts";

/**
 * Migration in a worker that the site shares with its former push service. The worker has one subscription: the former
 * one or that of Pressbell.
 */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

/** Creates a site whose reader has subscribed at another push service, in the worker of the site. */
async function formerReader(): Promise<ReaderSite> {
  const site = await fixture.newSite();
  site.site.attributes = `data-scope="/"`;
  const { run } = await visited(site, { permission: "granted" });
  await run(`navigator.serviceWorker.register("/pressbell-sw.js", { scope: "/" })
    .then(() => navigator.serviceWorker.ready)
    .then((registration) => registration.pushManager.subscribe({ applicationServerKey: "${generateVapidKey()}" }))`);
  await site.service.migrateSubscriptions();
  site.service.posts.length = 0;
  return site;
}

async function visited({ visit }: ReaderSite, options?: VisitOptions): Promise<Visit> {
  const visited = await visit(options);
  await visited.run("pressbell.topics()");
  return visited;
}

function migrated({ service }: ReaderSite): unknown[] {
  return bodiesPostedTo(service, "/subscriptions").map((body) => (body as { migrated?: boolean }).migrated);
}

test("a reader is migrated once", async () => {
  const site = await formerReader();
  const first = await visited(site);
  await first.event("subscribed");
  expect(await (await visited(site)).run("pressbell.state()")).toBe("subscribed");
  expect(migrated(site)).toEqual([true]);
});

test("a permission that changes during a visit migrates no reader twice", async () => {
  const site = await formerReader();
  // Fires the change event while the visit is being handled, as if the reader had used the browser's controls.
  const change = `Object.defineProperty(PermissionStatus.prototype, "onchange", { set(changed) { changed(); } })`;
  const visit = await visited(site, { before: change });
  await visit.event("subscribed");
  expect(migrated(site)).toEqual([true]);
});

test("a migration whose subscribing fails is repeated at the next visit", async () => {
  const site = await formerReader();
  const fail = "PushManager.prototype.subscribe = () => Promise.reject(new DOMException('push service error'))";
  const first = await visited(site, { before: `addEventListener("DOMContentLoaded", () => { ${fail} })` });
  expect(await first.event("failed")).toMatchObject({ reason: "push" });
  expect(await first.run("localStorage['test.subscription']")).toBe("null");
  await (await visited(site)).event("subscribed");
  await visited(site);
  expect(migrated(site)).toEqual([true]);
});

test("a migration whose registration fails is repeated as one at the next visit", async () => {
  const site = await formerReader();
  site.service.refusal = { status: 503, message: "Try again." };
  expect(await (await visited(site)).event("failed")).toMatchObject({ reason: "service" });
  site.service.refusal = undefined;
  await (await visited(site)).event("subscribed");
  expect(migrated(site)).toEqual([true, true]);
});
