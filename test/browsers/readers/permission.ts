import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { row } from "../../../src/db/pool.ts";
import { readInstallSnippet } from "../../../src/tenants/sites/install-snippet.ts";
import type { Firefox } from "../../fixtures/browsers/firefox/firefox.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Waits until the service's counts of the site's pages are these. */
function counted(counts: Record<string, number>): Promise<unknown> {
  const look = async () => {
    const found = await row(
      sql<
        Record<string, number>
      >`select sum(visits)::int as visits, sum(prompted)::int as prompted, sum(asked)::int as asked,
        sum(granted)::int as granted, sum(denied)::int as denied from site_days
        where site_id = ${tenant.publisher.siteId}`,
      fixture.app.db,
    );
    return found !== undefined && Object.entries(counts).every(([name, count]) => found[name] === count);
  };
  return eventually(look);
}

async function audienceOf(fields: Record<string, unknown> = {}): Promise<number> {
  return (await tenant.whenCompleted(await tenant.send(fields))).audience;
}

/** Tests the permission prompt and its answers. Each test has a new website that the browser has not visited. */
export function testPermission(name: string): void {
  beforeEach(newReader);

  test("a reader who has refused the permission is not prompted, and the page gets an event", async () => {
    await browser.setPermission(tenant.site.origin, "denied");
    await reader.visit();
    expect(await reader.event("ready")).toEqual({ state: "denied" });
    await reader.event("denied");
    expect(await reader.call("prompt")).toBe(false);
    expect(await reader.call("subscribe")).toBe("denied");
    expect(await audienceOf()).toBe(0);
  });

  test("a reader who accepts the soft prompt and declines the browser's is not subscribed", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    await browser.declinePrompt();
    await reader.event("denied");
    expect(await reader.call("state")).toBe("denied");
    expect(await audienceOf()).toBe(0);
    await counted({ prompted: 1, asked: 1, granted: 0, denied: 1 });
  });

  test('a reader who answers "not now" is not prompted again', async () => {
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit();
    await browser.press("Not now");
    await reader.event("dismissed");
    await reader.visit();
    expect(await reader.isPrompted()).toBe(false);
    expect(await audienceOf()).toBe(0);
  });

  // Headless Chromium shows no prompt that a test could accept.
  if (name === "Firefox") {
    test("a reader who accepts the soft prompt and the browser's is subscribed", async () => {
      await reader.visit();
      await browser.press("Yes, please");
      await (browser as Firefox).acceptPrompt();
      expect(await reader.event("subscribed")).toEqual({ topicIds: [], isTest: false, label: null });
      expect(await audienceOf({ title: "Asked and allowed" })).toBe(1);
      await reader.nudge("Asked and allowed");
    });
  }

  // These tests come last, because two of them leave a prompt of Firefox open.
  testAllowingLater(name);
  testVisits();
}

/** Tests a reader who answers in the browser's controls instead of its question. */
function testAllowingLater(name: string): void {
  test("a reader who said yes is subscribed as soon as the browser's controls allow it", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    // Firefox leaves its question open. Headless Chromium refuses, like a reader who later changes their mind.
    if (name !== "Firefox") await reader.event("denied");
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.event("subscribed");
    expect(await audienceOf({ title: "Allowed later" })).toBe(1);
    await reader.nudge("Allowed later");
    await browser.dismiss("Allowed later");
  });

  test("a yes that was allowed while no page was open subscribes at the next visit", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    await browser.open("about:blank");
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit();
    await reader.event("subscribed");
    expect(await audienceOf()).toBe(1);
  });

  test("a reader who allows notifications without a yes is not subscribed", async () => {
    await reader.visit();
    await browser.inPage(`const permission = await navigator.permissions.query({ name: "notifications" });
      window.changed = new Promise((resolve) => permission.addEventListener("change", resolve))`);
    await browser.setPermission(tenant.site.origin, "granted");
    await browser.inPage("await window.changed");
    expect(await reader.call("state")).toBe("unsubscribed");
    expect(await audienceOf()).toBe(0);
  });
}

function testVisits(): void {
  test("a visit counts where it begins, one in ten for ten; a further page of it does not", async () => {
    const { siteId, actor } = tenant.publisher;
    const { page } = await readInstallSnippet(fixture.app, actor, { siteId, base: fixture.proxy.url });
    const write = (random: number) => `<!doctype html><script>
      window.seen = [];
      window.pressbell = [(pressbell) => pressbell.on("ready", () => seen.push(["ready", null]))];
      Math.random = () => ${random};
      </script>${page}<a href="/next">Next</a>`;
    tenant.site.put("/first", write(0.05));
    tenant.site.put("/next", write(0.05));
    tenant.site.put("/unlucky", write(0.15));
    await reader.visit("/unlucky");
    await reader.visit("/first");
    await browser.press("Next");
    // A script fails if it is running when the page navigates to the next one.
    await eventually(() => browser.inPage<boolean>("return location.pathname === '/next'").catch(() => false));
    await reader.event("ready");
    await reader.visit("/first");
    // A visit is counted when the reader leaves the page.
    await browser.open("about:blank");
    await counted({ visits: 20 });
  });
}
