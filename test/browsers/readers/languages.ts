import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

/** Tests the prompt in the language of the page. Each test has a new website. */
export function testLanguages(): void {
  beforeEach(newReader);

  test("a page in another language asks in it, and the yes is recorded with these texts", async () => {
    const { siteId, actor } = tenant.publisher;
    const { origin } = tenant.site;
    const languages = { de: { title: "Eilmeldungen sofort?", body: "Höchstens drei am Tag.", accept: "Ja, gern" } };
    await changeSite(fixture.app, actor, { siteId, prompt: { languages } });
    await browser.setPermission(origin, "granted");
    const page = await (await fetch(`${origin}/`)).text();
    tenant.site.put("/bruecke", page.replace('lang="en"', 'lang="de-AT"'));
    await reader.visit();
    await eventually(async () => (await text()).includes("Yes, please"));
    await reader.visit("/bruecke");
    await eventually(async () => (await text()).includes("Höchstens drei am Tag."));
    await browser.press("Ja, gern");
    await reader.event("subscribed");
    const { rows } = await sql<{ texts: object }>`select p.texts from subscribers s
      join consent_prompts p on p.site_id = s.site_id and p.version = s.consent_version
      where s.site_id = ${siteId}`.execute(fixture.app.db);
    expect(rows).toMatchObject([{ texts: { title: "Eilmeldungen sofort?", accept: "Ja, gern", later: "Not now" } }]);
  });
}

const text = () =>
  browser.inPage<string>(
    'return document.querySelector("pressbell-prompt")?.shadowRoot.querySelector("[role]").textContent ?? ""',
  );
