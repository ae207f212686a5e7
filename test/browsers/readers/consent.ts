import { beforeEach, expect, test } from "vitest";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

const hasPrompt = () => browser.inPage<boolean>('return document.querySelector("pressbell-prompt") !== null');

/** Tests a site that waits for a consent platform. Each test has a new website. */
export function testConsent(): void {
  beforeEach(newReader);

  test("before the reader has agreed nothing is asked or stored, and then the prompt appears", async () => {
    const { siteId, actor } = tenant.publisher;
    await changeSite(fixture.app, actor, { siteId, prompt: { consent: "tcf" } });
    const page = await (await fetch(`${tenant.site.origin}/`)).text();
    const platform = `<script>
      const listeners = [];
      window.__tcfapi = (command, version, listener) => listeners.push(listener);
      window.isAsked = () => listeners.length > 0;
      window.agree = () => listeners.forEach((listener) =>
        listener({ eventStatus: "useractioncomplete", gdprApplies: true, purpose: { consents: { 1: true } } }, true));
    </script>`;
    tenant.site.put("/platform", page.replace("<script", `${platform}<script`));
    await reader.visit("/platform");
    await eventually(() => browser.inPage<boolean>("return isAsked()"));
    expect(await reader.isPrompted()).toBe(false);
    expect(await browser.inPage("return Object.keys(localStorage)")).toEqual([]);
    await browser.inPage("agree()");
    await eventually(hasPrompt);
  });
}
