import { beforeEach, expect, test } from "vitest";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

type Rule = NonNullable<Parameters<typeof changeSite>[2]["prompt"]>;

const setRule = (prompt: Rule) => {
  const { siteId, actor } = tenant.publisher;
  return changeSite(fixture.app, actor, { siteId, prompt });
};
const hasPrompt = () => browser.inPage<boolean>('return document.querySelector("pressbell-prompt") !== null');

/** Tests when the prompt appears by itself. Each test has a new website. */
export function testWhen(): void {
  beforeEach(newReader);

  test("by default a reader is asked on the second page, and not on the first", async () => {
    await setRule({ fromPage: null });
    await reader.visit();
    expect(await reader.isPrompted()).toBe(false);
    await reader.visit("/bridge");
    await eventually(hasPrompt);
  });

  test("a reader is asked once half of the article is read, and never on a path that is left out", async () => {
    await setRule({ scrollPercent: 50, neverPaths: ["/shop/*"] });
    const page = await (await fetch(`${tenant.site.origin}/`)).text();
    const article = '<article><h1>Long</h1><div style="height: 20000px"></div></article></body>';
    tenant.site.put("/long", page.replace("</body>", article));
    tenant.site.put("/shop/shirt", page);
    await reader.visit("/shop/shirt");
    expect(await reader.isPrompted()).toBe(false);
    await reader.visit("/long");
    expect(await reader.isPrompted()).toBe(false);
    await browser.inPage("scrollTo(0, 15000)");
    await eventually(hasPrompt);
  });
}
