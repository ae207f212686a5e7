import { beforeEach, expect, test } from "vitest";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Returns the last parts of the paths of the page's requests to the service. */
const paths = () =>
  browser.inPage<string[]>(
    `return performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.startsWith(args[0]))
      .map((name) => new URL(name).pathname.replace(/.*[/]/, ""))`,
    fixture.proxy.url,
  );

/** Tests places where a prompt could do nothing, or where nobody could see it. Each test has a new website. */
export function testInVain(): void {
  beforeEach(newReader);

  test("a browser that blocks the site's cookies is unsupported, and never asks", async () => {
    await browser.blockCookies(tenant.site.origin);
    for (const path of ["/", "/bridge"]) {
      await reader.visit(path);
      expect(await reader.event("ready")).toEqual({ state: "unsupported" });
      await reader.event("unsupported");
      expect(await reader.isPrompted()).toBe(false);
      expect(await reader.call("prompt")).toBe(false);
      expect(await paths()).not.toContain("counts");
    }
    expect(await reader.call("subscribe")).toBe("unsupported");
    expect(await browser.inPage("return Notification.permission")).toBe("default");
    expect(await browser.inPage("return seen.map(([name]) => name)")).not.toContain("failed");
  });

  test("a reader who said yes, blocked by mistake and allows it is subscribed at the next visit", async () => {
    await reader.visit();
    await browser.press("Yes, please");
    await browser.declinePrompt();
    await reader.event("denied");
    await reader.visit("/bridge");
    expect(await reader.event("ready")).toEqual({ state: "denied" });
    await browser.open("about:blank");
    await browser.setPermission(tenant.site.origin, "granted");
    await reader.visit();
    await reader.event("subscribed");
    expect(await browser.inPage('return document.querySelector("pressbell-prompt")')).toBeNull();
    expect((await tenant.whenCompleted(await tenant.send())).audience).toBe(1);
  });
}
