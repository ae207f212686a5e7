import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../fixtures/eventually.ts";
import { openReaderFixture, type ReaderFixture } from "./fixture.ts";
import { bodiesPostedTo } from "./recording-proxy.ts";

const token = "a-Token_of_43_characters".padEnd(43, "x");
let fixture: ReaderFixture;

beforeAll(async () => {
  fixture = await openReaderFixture();
});

describe("the loader", () => {
  test("leaves one global in the page", async () => {
    const { site, visit } = await fixture.newSite();
    site.put("/", "<script>before = new Set(Object.keys(window)).add('before')</script>");
    const { page, run } = await visit();
    await page.waitForFunction("window.pressbell");
    expect(await run("Object.keys(window).filter((key) => !before.has(key))")).toEqual(["pressbell"]);
  });

  test("makes the calls queued before it loaded, and later ones at once", async () => {
    const { site, visit } = await fixture.newSite();
    site.put(
      "/",
      `<script>
        seen = [];
        window.pressbell = [];
        pressbell.push(["on", "ready", ({ state }) => seen.push(state)]);
        pressbell.push((it) => it.on("subscribed", () => seen.push("subscribed")));
        pressbell.push(["subscribe"]);
      </script>`,
    );
    const { page, run } = await visit();
    await page.waitForFunction("seen.length === 2");
    expect(await run("seen")).toEqual(["unsubscribed", "subscribed"]);
    await run(`pressbell.push(["on", "unsubscribed", () => seen.push("left")], ["unsubscribe"])`);
    await page.waitForFunction("seen.length === 3");
  });

  test("reports a call that does not exist, and makes the following ones", async () => {
    const { visit } = await fixture.newSite();
    const { run, event } = await visit();
    await run("pressbell.push(['subscribeAll'], ['subscribe'])");
    expect(await event("failed")).toMatchObject({ reason: "unexpected" });
    await event("subscribed");
  });

  test("calls a late listener with the last event of its kind, and no removed listener", async () => {
    const { visit } = await fixture.newSite();
    const { run, event } = await visit();
    await event("ready");
    await run("window.late = []; window.stop = pressbell.on('ready', ({ state }) => late.push(state)); stop()");
    await run("pressbell.on('denied', () => late.push('denied'))");
    expect(await run("late")).toEqual(["unsubscribed"]);
  });

  test("tolerates a listener that throws, and a second loader in the page", async () => {
    const { site, service, visit } = await fixture.newSite();
    const { page, run, event } = await visit();
    await run("window.first = pressbell; pressbell.on('subscribed', () => { throw Error('mine') })");
    await page.addScriptTag({ url: `${service.base}/sdk/pressbell.js` });
    expect(await run("pressbell === first")).toBe(true);
    expect(await run("pressbell.subscribe()")).toBe("subscribed");
    await event("subscribed");
    expect(site.origin).toBeDefined();
  });
});

describe("what the browser blocks", () => {
  /** Returns a script that makes these methods of Storage fail for the keys of Pressbell. */
  const failing = (error: string, ...names: string[]) => `for (const name of ${JSON.stringify(names)}) {
    const real = Storage.prototype[name];
    Storage.prototype[name] = function (key, value) {
      if (key.startsWith("pressbell")) throw new DOMException("forbidden", "${error}");
      return real.call(this, key, value);
    };
  }`;

  test.each([
    ["localStorage", failing("SecurityError", "getItem", "setItem")],
    [
      "service workers",
      `ServiceWorkerContainer.prototype.getRegistration = () => Promise.reject(new DOMException("no", "SecurityError"))`,
    ],
    [
      "the object of service workers",
      `Object.defineProperty(navigator, "serviceWorker", { get() { throw new DOMException("no", "SecurityError") } })`,
    ],
  ])("a browser that blocks %s is unsupported and asks nothing", async (_, before) => {
    const { service, visit } = await fixture.newSite();
    await service.setPrompt({ mode: "soft" });
    const { page, run, event, events } = await visit({ before });
    expect(await event("ready")).toEqual({ state: "unsupported" });
    expect(await run("pressbell.prompt()")).toBe(false);
    expect(await run("pressbell.subscribe()")).toBe("unsupported");
    expect(await run("Notification.permission")).toBe("default");
    expect(await run("pressbell.unsubscribe()")).toBe("unsupported");
    expect(await page.locator("pressbell-prompt").count()).toBe(0);
    expect(bodiesPostedTo(service, "/counts")).toEqual([]);
    expect(await events()).toContain("unsupported");
  });

  test("where the browser has no room to remember, a call subscribes, and no page asks by itself", async () => {
    const { service, visit } = await fixture.newSite();
    await service.setPrompt({ mode: "soft" });
    const { page, run, event } = await visit({ before: failing("QuotaExceededError", "setItem") });
    expect(await event("ready")).toEqual({ state: "unsubscribed" });
    await run("pressbell.topics()");
    expect(await page.locator("pressbell-prompt").count()).toBe(0);
    expect(await run("pressbell.subscribe()")).toBe("subscribed");
    expect(await run("pressbell.unsubscribe()")).toBe("unsubscribed");
    expect(bodiesPostedTo(service, "/unsubscribe")).toHaveLength(1);
  });
});

describe("a reader who comes from a notification", () => {
  test("is counted once, and only the token is removed from the address", async () => {
    const { site, service, visit } = await fixture.newSite();
    const { page, event } = await visit({ path: `/story?a=%20b&c=d+e#comments-pressbell-${token}` });
    await event("ready");
    expect(page.url()).toBe(`${site.origin}/story?a=%20b&c=d+e#comments`);
    await page.reload();
    await event("ready");
    const posts = service.posts.filter(({ path }) => path === "/sdk/events");
    expect(posts).toEqual([
      {
        path: "/sdk/events",
        origin: site.origin,
        type: "text/plain",
        body: { events: [{ token, kind: "clicked" }] },
      },
    ]);
  });

  test.each([
    [`/#pressbell-${token}`, "/"],
    [`/#pressbell-${token}2`, "/"],
    [`/?a=b#c-pressbell-${token}`, "/?a=b#c"],
    [`/#/story/5?pressbell-${token}`, "/#/story/5"],
    [`/#!story?a=b&pressbell-${token}`, "/#!story?a=b"],
    [`/#unpressbell-${token}`, `/#unpressbell-${token}`],
    ["/?a=b#pressbell-short", "/?a=b#pressbell-short"],
  ])("%s becomes %s", async (path, expected) => {
    const { site, visit } = await fixture.newSite();
    const { page, event } = await visit({ path });
    await event("ready");
    expect(page.url()).toBe(site.origin + expected);
  });

  test("is scrolled to the part of the article that the link names", async () => {
    const { site, visit } = await fixture.newSite();
    site.put(
      "/",
      `<script>seen = []</script><div style="height:5000px"></div><h2 id="c">C</h2><div style="height:5000px"></div>`,
    );
    const { page } = await visit({ path: `/#c-pressbell-${token}` });
    await page.waitForFunction("scrollY > 4000");
    expect(page.url()).toBe(`${site.origin}/#c`);
  });

  test("is counted also where the article is open already, and beside a <base>", async () => {
    const { site, service, visit } = await fixture.newSite();
    site.put("/", `<base href="https://elsewhere.example/"><script>seen = []</script>`);
    const { page, run } = await visit({ path: `/#pressbell-${token}` });
    await page.waitForFunction("window.pressbell && !location.hash");
    await run(`location.replace(location.href + "#pressbell-${token}1")`);
    await page.waitForFunction("!location.hash");
    expect(page.url()).toBe(`${site.origin}/`);
    await eventually(async () => bodiesPostedTo(service, "/events").length === 2);
  });

  test("keeps the state that the page put into its history", async () => {
    const { visit } = await fixture.newSite();
    const { run, event } = await visit({
      path: `/#pressbell-${token}`,
      before: "history.replaceState({ mine: 1 }, '')",
    });
    await event("ready");
    expect(await run("history.state")).toEqual({ mine: 1 });
  });
});

const version = (text: string) => `Object.defineProperty(navigator, "userAgent", { get: () => "${text}" });`;
const withManifest = (manifest: string) => `addEventListener("DOMContentLoaded", () => {
    const link = Object.assign(document.createElement("link"), { rel: "manifest", href: 'data:,${manifest}' });
    document.head.append(link);
  });`;
const safari18 = version("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile Safari/604.1");

/**
 * Devices: a name, a script that runs before the loader, and the texts of the prompt to install. null: no such prompt.
 */
const installs: [string, string, string[] | null][] = [
  ["iOS 18 without a manifest", safari18, null],
  ["iOS 18 with a manifest for the browser", safari18 + withManifest('{"display":"browser"}'), null],
  ["iOS 18 with a manifest that is none", safari18 + withManifest("<html>"), null],
  ["iOS 18 with a manifest for an app", safari18 + withManifest('{"display":"standalone"}'), ["share", "add"]],
  [
    "iOS 17 with a manifest for the whole screen",
    safari18 + withManifest('{"display":"fullscreen"}'),
    ["share", "add"],
  ],
  [
    "Safari of iOS 26",
    version("Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.1 Safari/604.1"),
    ["more", "share", "add"],
  ],
  [
    "Chrome of iOS 26",
    version("Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) CriOS/141.0 Safari/604.1"),
    ["share", "add"],
  ],
  [
    "iPadOS 26",
    version("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15"),
    ["share", "add"],
  ],
];

describe("where push is impossible", () => {
  const onIphone = "delete window.PushManager; delete window.Notification; navigator.standalone = false;";

  test("a browser without push reports unsupported, and the reader is not prompted", async () => {
    const { service, visit } = await fixture.newSite();
    await service.setPrompt({ mode: "soft" });
    const { page, run, event, events } = await visit({ before: "delete window.PushManager", isBare: true });
    await event("unsupported");
    expect(await run("pressbell.state()")).toBe("unsupported");
    expect(await run("pressbell.subscribe()")).toBe("unsupported");
    expect(await run("pressbell.prompt()")).toBe(false);
    expect(await run("pressbell.unsubscribe()")).toBe("unsupported");
    expect(await events()).not.toContain("failed");
    expect(await page.locator("pressbell-prompt").count()).toBe(0);
  });

  test.each(installs)(
    "in %s the prompt to install appears only if that helps, and shows how",
    async (_name, before, steps) => {
      const { visit } = await fixture.newSite();
      const { page, run, event } = await visit({ before: onIphone + before, isBare: true });
      await event("install");
      void run("pressbell.prompt()");
      if (steps) {
        await page.getByRole("dialog").waitFor();
        const pictures = `document.querySelector("pressbell-prompt").shadowRoot.querySelectorAll("li")`;
        expect(await page.evaluate(`[...${pictures}].map(({ className }) => className)`)).toEqual(steps);
      } else {
        expect(await run("pressbell.prompt()")).toBe(false);
        expect(await page.locator("pressbell-prompt").count()).toBe(0);
      }
    },
  );

  test("a reader on iOS is shown how to install the site first", async () => {
    const { service, visit } = await fixture.newSite();
    const { install } = await service.setPrompt({ mode: "soft", install: "RecordingProxy Share, then Add." });
    const { page, run, event } = await visit({
      before: onIphone + withManifest('{"display":"standalone"}'),
      isBare: true,
    });
    await event("install");
    expect(await run("pressbell.state()")).toBe("install");
    const dialog = page.getByRole("dialog");
    await expect(dialog.innerText()).resolves.toContain(install);
    expect(await dialog.getByRole("button").allInnerTexts()).toEqual(["Not now"]);
    await dialog.getByRole("button").click();
    await event("dismissed");
  });
});

describe("a test device's link", () => {
  test("prompts, subscribes with its token, shows the label, and is removed from the address", async () => {
    const { site, service, visit } = await fixture.newSite();
    const { page, event } = await visit({ path: `/?a=b${await service.testFragment("Newsroom phone")}` });
    const dialog = page.getByRole("dialog", { name: "Test device" });
    await expect(dialog.innerText()).resolves.toContain(service.name);
    expect(page.url()).toBe(`${site.origin}/?a=b`);
    await dialog.getByRole("button", { name: "Yes, please" }).click();
    expect(await event("subscribed")).toEqual({ topicIds: [], isTest: true, label: "Newsroom phone" });
    await dialog.getByText("Newsroom phone").waitFor();
    await dialog.getByRole("button", { name: "OK" }).click();
    expect(await dialog.count()).toBe(0);
  });

  test("that was forged shows the service's message", async () => {
    const { visit } = await fixture.newSite();
    const { page, event } = await visit({ path: "/#pressbell-test=abc" });
    await page.getByRole("button", { name: "Yes, please" }).click();
    const { reason, message } = await event<{ reason: string; message: string }>("failed");
    expect(reason).toBe("service");
    await page.getByRole("dialog").getByText(message).waitFor();
  });

  test("stays in the address until the site is installed, for the home screen", async () => {
    const { service, visit } = await fixture.newSite();
    const { install } = await service.setPrompt({ install: "RecordingProxy Share, then Add." });
    const { page } = await visit({
      path: "/#pressbell-test=abc",
      before: "delete window.PushManager; navigator.standalone = false",
      isBare: true,
    });
    await page.getByText(install).waitFor();
    expect(page.url()).toMatch(/#pressbell-test=abc$/);
  });
});
