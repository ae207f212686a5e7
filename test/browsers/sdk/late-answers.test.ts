import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { openReaderFixture, type ReaderFixture, type ReaderSite, type Visit, type VisitOptions } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";

/** The browser's question ends without an answer or stays open, and the permission comes later. */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

/** A script that makes the permission status of the page available as `watched`. The page listens to it. */
const watched = "navigator.permissions.query = async () => (window.watched = {});";

/**
 * A script that makes the browser's question stay open. It does not block the page, and the reader does not answer it.
 */
const open =
  "addEventListener('DOMContentLoaded', () => Notification.requestPermission = () => new Promise(() => {}));";

/** Visits, and waits until the page follows the permission. */
async function visitWatched({ visit }: ReaderSite, options: VisitOptions = {}): Promise<Visit> {
  const visited = await visit({ ...options, before: watched + (options.before ?? "") });
  await visited.page.waitForFunction("window.watched?.onchange");
  return visited;
}

/** Sets the permission as in the browser's controls, and waits until the page has noticed it. */
async function setPermission({ run }: Visit, permission: "granted" | "denied"): Promise<void> {
  await run(`localStorage.setItem("test.permission", '"${permission}"'), watched.onchange()`);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name }).click();
}

async function promptAndPress({ page, run }: Visit, name: string): Promise<void> {
  await run("pressbell.prompt()");
  await press(page, name);
}

function registrations({ service }: ReaderSite): unknown[] {
  return bodiesPostedTo(service, "/subscriptions");
}

/** Visits again, and expects that neither this visit nor an earlier one has subscribed. */
async function expectNobody(site: ReaderSite): Promise<void> {
  const next = await site.visit();
  await next.run("pressbell.topics()");
  expect(await next.run("pressbell.state()")).toBe("unsubscribed");
  expect(registrations(site)).toEqual([]);
}

/** Returns the pages' counts of the browser's question. */
function answers({ service }: ReaderSite): string[] {
  const counted = bodiesPostedTo(service, "/counts").map((body) => (body as { count: string }).count);
  return counted.filter((name) => name !== "visit" && name !== "prompted");
}

/**
 * Expects these counts. Then sends one more from the page and waits for it, so that no surplus count is still on its
 * way.
 */
async function expectCounted(site: ReaderSite, { run }: Visit, names: string[]): Promise<void> {
  // Requests on other connections may overtake one another.
  await eventually(async () => answers(site).length >= names.length);
  const url = `${site.service.base}/sdk/sites/${site.service.siteId}/counts`;
  await run(`fetch("${url}", { method: "POST", body: '{"count":"last"}' }).then(() => {})`);
  await eventually(async () => answers(site).length > names.length);
  expect(answers(site)).toEqual([...names, "last"]);
}

describe('"Not now" after a yes', () => {
  test("withdraws it: a later permission does not subscribe, nor does the next visit", async () => {
    const site = await fixture.newSite();
    const reader = await visitWatched(site, { answer: "default" });
    await promptAndPress(reader, "Yes, please");
    await reader.event("dismissed");
    await promptAndPress(reader, "Not now");
    await setPermission(reader, "granted");
    await expectNobody(site);
  });

  test("withdraws it while the browser's question is open, and is one event", async () => {
    const site = await fixture.newSite();
    const reader = await visitWatched(site, { before: open });
    await promptAndPress(reader, "Yes, please");
    await promptAndPress(reader, "Not now");
    await reader.event("dismissed");
    await setPermission(reader, "granted");
    await expectNobody(site);
    expect(await reader.events()).toEqual(["ready", "dismissed"]);
  });

  test("does not hold against a later yes", async () => {
    const site = await fixture.newSite();
    const reader = await visitWatched(site, { answer: "default" });
    await promptAndPress(reader, "Not now");
    await promptAndPress(reader, "Yes, please");
    await reader.event("dismissed");
    await setPermission(reader, "granted");
    await reader.event("subscribed");
    expect(registrations(site)).toHaveLength(1);
  });
});

describe("an answer that comes after the question has ended", () => {
  test.each(["granted", "denied"] as const)("is counted once: %s while the page is open", async (answer) => {
    const site = await fixture.newSite();
    const reader = await visitWatched(site, { answer: "default" });
    await reader.run("pressbell.subscribe()");
    await setPermission(reader, answer);
    await reader.run("watched.onchange()");
    await expectCounted(site, await visitWatched(site), ["asked", answer]);
  });

  test.each(["granted", "denied"] as const)("is counted once: %s found by a later visit", async (answer) => {
    const site = await fixture.newSite();
    const reader = await visitWatched(site, { answer: "default" });
    await reader.run("pressbell.subscribe()");
    await reader.page.goto("about:blank");
    await visitWatched(site, { permission: answer });
    await expectCounted(site, await visitWatched(site), ["asked", answer]);
  });

  test("of a question that was asked twice is counted once", async () => {
    const site = await fixture.newSite();
    const reader = await visitWatched(site, { answer: "default" });
    for (let times = 0; times < 2; times++) await reader.run("pressbell.subscribe()");
    await setPermission(reader, "granted");
    await reader.event("subscribed");
    await expectCounted(site, reader, ["asked", "asked", "granted"]);
  });
});

test("an answer in time is counted once, and a permission that was there before is no answer", async () => {
  const site = await fixture.newSite();
  const reader = await visitWatched(site);
  await reader.run("pressbell.subscribe()");
  await reader.run("watched.onchange()");
  await reader.run("pressbell.unsubscribe().then(() => pressbell.subscribe())");
  await expectCounted(site, await visitWatched(site), ["asked", "granted"]);
});
