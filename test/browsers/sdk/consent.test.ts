import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import type { Prompt } from "../../../src/tenants/sites/reader-settings.ts";
import { openReaderFixture, type ReaderFixture, type ReaderSite, type Visit } from "./fixture.ts";
import { generateVapidKey } from "./service.ts";

/**
 * A page that waits for the reader's consent stores and asks nothing before. The tests' platforms use the interfaces of
 * the real ones.
 */
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

async function siteThatWaits(consent: Prompt["consent"]): Promise<ReaderSite> {
  const site = await fixture.newSite();
  await site.service.setPrompt({ mode: "soft", consent });
  return site;
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Breaking news as it happens?" });

/** Expects that nothing was asked, and that nothing was stored, not even for a moment. */
async function expectNothing({ settled, run, page }: Visit): Promise<void> {
  await settled();
  expect(await dialogOf(page).count()).toBe(0);
  expect(await run("window.storedKeys ?? []")).toEqual([]);
}

const watchStorage = `
  const real = Storage.prototype.setItem;
  window.storedKeys = [];
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith("pressbell")) storedKeys.push(key);
    return real.call(this, key, value);
  };`;

/** The stub of a TCF platform, with `tell`, which simulates the reader's choices. */
const tcf = `${watchStorage}
  const listeners = [];
  window.__tcfapi = (command, version, listener) => command === "addEventListener" && listeners.push(listener);
  window.tell = (data) => listeners.forEach((listener) => listener(data, data !== null));`;

const google = `${watchStorage}
  window.dataLayer = [null, { event: "page" }];
  function gtag() { dataLayer.push(arguments); }
  window.gtag = gtag;`;

describe("a consent platform (TCF)", () => {
  test("that the reader gives consent to is waited for, and what it says before is not", async () => {
    const { visit } = await siteThatWaits("tcf");
    const reader = await visit({ before: tcf });
    await expectNothing(reader);
    await reader.run("tell(null)");
    await reader.run(`tell({ eventStatus: "cmpuishown", gdprApplies: true, purpose: { consents: { 1: true } } })`);
    await reader.run(
      `tell({ eventStatus: "useractioncomplete", gdprApplies: true, purpose: { consents: { 1: false } } })`,
    );
    await expectNothing(reader);
    await reader.run(
      `tell({ eventStatus: "useractioncomplete", gdprApplies: true, purpose: { consents: { 1: true } } })`,
    );
    await dialogOf(reader.page).waitFor();
  });

  test("that says the GDPR does not apply is enough, and a page without one never asks", async () => {
    const { visit } = await siteThatWaits("tcf");
    const outside = await visit({ before: tcf });
    await outside.settled();
    await outside.run(`tell({ eventStatus: "tcloaded", gdprApplies: false })`);
    await dialogOf(outside.page).waitFor();
    await outside.page.close();
    await expectNothing(await visit({ before: watchStorage }));
  });
});

describe("Google's consent mode", () => {
  test("an update that grants is waited for, after a default that denies for a region", async () => {
    const { visit } = await siteThatWaits("google");
    const defaults = `gtag("consent", "default", { functionality_storage: "denied", region: ["DE"] });
      gtag("consent", "default", { functionality_storage: "granted" });`;
    const reader = await visit({ before: google + defaults });
    await expectNothing(reader);
    await reader.run(`gtag("consent", "update", { functionality_storage: "denied" })`);
    await reader.run(`gtag("consent", "update", { ad_storage: "granted" })`);
    await expectNothing(reader);
    await reader.run(`gtag("consent", "update", { functionality_storage: "granted" })`);
    await dialogOf(reader.page).waitFor();
    expect(await reader.run("dataLayer.length")).toBe(7);
  });

  test("a default that grants is enough", async () => {
    const { visit } = await siteThatWaits("google");
    const reader = await visit({
      before: `${google}gtag("consent", "default", { functionality_storage: "granted" });`,
    });
    await dialogOf(reader.page).waitFor();
  });
});

describe("a function of the page", () => {
  test("is asked, and its promise waited for", async () => {
    const { visit } = await siteThatWaits("page");
    const before = `${watchStorage} window.pressbellConsent = () => new Promise((resolve) => { window.agree = resolve; });`;
    const reader = await visit({ before });
    await expectNothing(reader);
    await reader.run("void agree(true)");
    await dialogOf(reader.page).waitFor();
  });

  test("that says no leaves all as it is, and one that fails is reported", async () => {
    const { visit } = await siteThatWaits("page");
    await expectNothing(await visit({ before: `${watchStorage} window.pressbellConsent = () => "no";` }));
    const failing = await visit({
      before: `${watchStorage} window.pressbellConsent = () => Promise.reject(Error("down"));`,
    });
    expect(await failing.event("failed")).toEqual({ reason: "unexpected", message: "down" });
    await expectNothing(failing);
  });
});

test("readers of another service are migrated after the consent, and not before", async () => {
  const { service, visit } = await siteThatWaits("page");
  await service.setPrompt({ mode: "off" });
  await service.migrateSubscriptions();
  const theirs = await visit({ permission: "granted", before: "window.pressbellConsent = () => false" });
  await theirs.run(`navigator.serviceWorker.register("/pressbell-sw.js", { scope: "/theirs/" })
    .then((registration) => registration.pushManager.subscribe({ applicationServerKey: "${generateVapidKey()}" }))
    .then(() => 0)`);
  await theirs.page.close();
  const before = await visit({ before: "window.pressbellConsent = () => false" });
  await before.settled();
  expect(await before.run("pressbell.state()")).toBe("unsubscribed");
  await before.page.close();
  const after = await visit({ before: "window.pressbellConsent = () => true" });
  await after.event("subscribed");
});

test("a call of the page asks without waiting", async () => {
  const { visit } = await siteThatWaits("tcf");
  const reader = await visit();
  expect(await reader.run("pressbell.prompt()")).toBe(true);
});
