import { expect, test } from "vitest";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Returns the page's requests to the service, by path without the ids. */
const requests = () =>
  browser.inPage<string[]>(
    `return performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.startsWith(args[0]))
      .map((name) => new URL(name).pathname.replace(/[0-9a-f-]{36}/, "ID"))`,
    fixture.proxy.url,
  );

/** Tests what the first visit of a page with the install snippet loads from the service. */
export function testFirstVisit(): void {
  /**
   * Visits a page that draws `random` instead of a random number. The draw decides whether the visit is the one in ten
   * that is counted.
   */
  async function visit(random: number, fromPage: number): Promise<void> {
    await newReader();
    const { siteId, actor } = tenant.publisher;
    await changeSite(fixture.app, actor, { siteId, prompt: { fromPage } });
    const page = await (await fetch(`${tenant.site.origin}/`)).text();
    tenant.site.put("/first", page.replace("<script", `<script>Math.random = () => ${random}</script><script`));
    await reader.visit("/first");
    await reader.call("topics");
  }

  test("a first visit makes two requests, for the script and the site's settings", async () => {
    await visit(0.5, 2);
    expect(await requests()).toEqual(["/sdk/pressbell.js", "/sdk/sites/ID/config"]);
  });

  test("the prompt makes a third before it is drawn, and one to be counted", async () => {
    await visit(0.05, 1);
    await eventually(() => browser.inPage<boolean>('return document.querySelector("pressbell-prompt") !== null'));
    const expected = ["/sdk/pressbell.js", "/sdk/sites/ID/config", "/sdk/prompt.js", "/sdk/sites/ID/counts"];
    await eventually(async () => (await requests()).length >= expected.length);
    expect(await requests()).toEqual(expected);
  });
}
