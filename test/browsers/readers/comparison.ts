import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { row } from "../../../src/db/pool.ts";
import { changeSite } from "../../../src/tenants/sites/sites.ts";
import { eventually } from "../../fixtures/eventually.ts";
import { browser, fixture, newReader, reader, tenant } from "./open-browser.ts";

type PromptChange = NonNullable<Parameters<typeof changeSite>[2]["prompt"]>;

const change = (prompt: PromptChange) => {
  const { siteId, actor } = tenant.publisher;
  return changeSite(fixture.app, actor, { siteId, prompt });
};

const title = () =>
  browser.inPage<string>(
    'return document.querySelector("pressbell-prompt")?.shadowRoot.querySelector("h2").textContent ?? ""',
  );
const stored = () =>
  browser.inPage<Record<string, unknown>>(
    "return JSON.parse(localStorage.getItem(args[0]) ?? '{}')",
    `pressbell.${tenant.publisher.siteId}`,
  );

/** Returns what was counted of the site's own prompt or of the other one. */
const counted = (isOther: boolean) =>
  row(
    sql<{
      shown: number;
      granted: number;
    }>`select coalesce(sum(d.shown), 0)::int as shown, coalesce(sum(d.granted), 0)::int as granted
      from prompt_days d join consent_prompts p using (site_id, version)
      where d.site_id = ${tenant.publisher.siteId} and p.is_other = ${isOther}`,
    fixture.app.db,
  );

/** Puts a page on the site that draws `random` instead of a random number. */
async function putPage(path: string, random: number): Promise<void> {
  const page = await (await fetch(`${tenant.site.origin}/`)).text();
  tenant.site.put(path, page.replace("<script>", `<script>Math.random = () => ${random};`));
}

/** Tests two prompts of a site. Each test has a new website. */
export function testComparison(): void {
  beforeEach(newReader);

  test("a reader sees the same one of two prompts on each page, and count and proof say which", async () => {
    await change({ other: { title: "Goals at once?" } });
    await putPage("/high", 0.9);
    await putPage("/low", 0.1);
    await reader.visit("/high");
    await eventually(async () => (await title()) === "Goals at once?");
    await reader.visit("/low");
    await eventually(async () => (await title()) === "Goals at once?");
    await eventually(async () => (await counted(true))?.shown === 2);
    await browser.setPermission(tenant.site.origin, "granted");
    await browser.press("Yes, please");
    await reader.event("subscribed");
    const said = await row(
      sql`select p.is_other as "isOther", p.texts->>'title' as title from subscribers s
        join consent_prompts p on p.site_id = s.site_id and p.version = s.consent_version
        where s.site_id = ${tenant.publisher.siteId}`,
      fixture.app.db,
    );
    expect(said).toEqual({ isOther: true, title: "Goals at once?" });
    expect(await counted(false)).toEqual({ shown: 0, granted: 0 });
  });

  test("the other half sees the site's own prompt, and a later comparison draws again", async () => {
    await change({ other: { title: "Goals at once?" } });
    await putPage("/low", 0.1);
    await reader.visit("/low");
    await eventually(async () => (await title()) === "Breaking news as it happens?");
    expect(await stored()).toMatchObject({ drawn: { place: 0 } });
    await eventually(async () => (await counted(false))?.shown === 1);
    await change({ other: { title: "Scores at once?" } });
    await reader.refreshSettings();
    await putPage("/high", 0.9);
    await reader.visit("/high");
    await eventually(async () => (await title()) === "Scores at once?");
  });

  test("a page that asks nobody yet draws nothing, and a drawn prompt waits for its own page", async () => {
    await change({ fromPage: 2, other: { fromPage: 3 } });
    await putPage("/high", 0.9);
    await reader.visit("/high");
    expect(await reader.isPrompted()).toBe(false);
    expect(await stored()).not.toHaveProperty("drawn");
    await reader.visit("/high");
    expect(await reader.isPrompted()).toBe(false);
    expect(await stored()).toMatchObject({ drawn: { place: 1 }, pages: 2 });
    await reader.visit("/high");
    await eventually(async () => (await title()) !== "");
  });

  test("without the reader's agreement a page that calls the prompt stores no draw", async () => {
    await change({ consent: "page", other: { title: "Goals at once?" } });
    await putPage("/high", 0.9);
    await reader.visit("/high");
    expect(await reader.call("prompt")).toBe(true);
    expect(await title()).toBe("Goals at once?");
    expect(await stored()).toEqual({});
  });
}
