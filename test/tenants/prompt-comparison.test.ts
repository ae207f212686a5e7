import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { readPromptReport } from "../../src/dashboard-api/reports/prompt-report.ts";
import { rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { expirePromptDays } from "../../src/receipts/expire-days.ts";
import { maxVersionsOfDay } from "../../src/receipts/prompt-counts.ts";
import { createSiteCounter, type SiteCounter } from "../../src/receipts/site-counts.ts";
import type { SiteChange } from "../../src/tenants/sites/site.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { insertPromptDay } from "../fixtures/rows/receipts.ts";

type PromptChange = NonNullable<SiteChange["prompt"]>;
type Side = { title: string; fromPage: number; version: string };

let app: App;
let api: Api;
let publisher: Publisher;
let counter: SiteCounter;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  publisher = await createPublisher(app);
  counter = createSiteCounter(app);
  return () => counter.stop();
});

const change = async (prompt: PromptChange) =>
  (await changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt })).prompt;

const promptOfPage = async (lang = "") => {
  const { siteId, tenantId } = publisher;
  return (await api.call("GET", `/sdk/sites/${siteId}/config?tenant=${tenantId}&lang=${lang}`)).body.prompt;
};

/** Returns the two prompts of the comparison, the site's own first. */
const sides = async (lang = ""): Promise<Side[]> => (await promptOfPage(lang)).compared.prompts;

const report = () => readPromptReport(app, publisher.actor, { siteId: publisher.siteId });

const refusalOf = async (prompt: PromptChange) =>
  changeSite(app, publisher.actor, { siteId: publisher.siteId, prompt }).then(
    () => [],
    (error) => error.details.errors.map(({ path }: { path: string }) => path),
  );

const counted = () =>
  rows(
    sql`select version, sum(shown)::int as shown, sum(granted)::int as granted from prompt_days
      where site_id = ${publisher.siteId} group by version order by version`,
    app.db,
  );

const day = (version: string, shown: number, granted: number, daysAgo = 0) =>
  insertPromptDay(app, { siteId: publisher.siteId, version }, daysAgo, { shown, granted });

test("a second prompt is kept with the time since which the two are compared, and null ends it", async () => {
  const other = { title: "Goals at once?", onlyPaths: ["/sport/*"], languages: { de: { title: "Tore sofort?" } } };
  const started = await change({ title: "News?", other });
  expect(started).toEqual({ title: "News?", other, comparedSince: expect.stringMatching(/^20.*Z$/) });
  expect(await change({ other: null })).toEqual({ title: "News?" });
});

test("the comparison begins again when a side changes, and not for what both share", async () => {
  const { comparedSince: first } = await change({ other: { title: "Goals?" } });
  expect((await change({ mode: "off", consent: "tcf", repeatDays: 9, title: null })).comparedSince).toBe(first);
  const { comparedSince: second } = await change({ body: "At once." });
  expect(second).not.toBe(first);
  const { comparedSince: third, other } = await change({ other: { fromPage: 1, title: null } });
  expect(third).not.toBe(second);
  expect(other).toEqual({ fromPage: 1 });
});

test("a second prompt of another shape is refused with all faults", async () => {
  for (const [paths, other] of [
    [["/prompt/other/title", "/prompt/other/fromPage"], { title: " ", fromPage: 0 }],
    [["/prompt/other/neverPaths/0"], { neverPaths: ["shop"] }],
    [["/prompt/other/languages/deutsch1x"], { languages: { deutsch1x: { title: "T" } } }],
    [["/prompt/other/languages/de/accept"], { languages: { de: { accept: "x".repeat(41) } } }],
    [
      ["/prompt/other/languages"],
      { languages: Object.fromEntries([..."abcdefghi"].map((letter) => [`a${letter}`, { title: "T" }])) },
    ],
    [["/prompt/other/mode"], { mode: "off" }],
    [["/prompt/other"], "Goals?"],
    [["/prompt/other"], {}],
    [["/prompt/other"], { title: null, fromPage: 2 }],
    [["/prompt/comparedSince"], undefined],
  ] as const) {
    const given = other === undefined ? { comparedSince: "2026-01-01T00:00:00Z" } : { other };
    expect(await refusalOf(given as PromptChange)).toEqual(paths);
  }
  await change({ other: { title: "Goals?" } });
  expect(await refusalOf({ title: "Goals?" })).toEqual(["/prompt/other"]);
});

test("a page gets both prompts, the lower page to ask on, and up to where it counts", async () => {
  expect(await promptOfPage()).toMatchObject({ fromPage: 2, untilPage: 2, untilVisit: 1, compared: null });
  await change({ other: { title: "Goals?", fromPage: 5 } });
  const prompt = await promptOfPage();
  expect(prompt).toMatchObject({ title: "Breaking news as it happens?", fromPage: 2, untilPage: 5, untilVisit: 1 });
  expect(prompt.compared.prompts).toMatchObject([{ fromPage: 2 }, { title: "Goals?", fromPage: 5 }]);
  expect(prompt.compared.prompts[0].version).toBe(prompt.version);
  await change({ fromPage: 1, other: { title: "Goals?" } });
  expect(await promptOfPage()).toMatchObject({ fromPage: 1, untilPage: 0, untilVisit: 0 });
});

test("a page in a language that only the own prompt has shows that on both sides", async () => {
  await change({
    languages: { de: { title: "Nachrichten?" }, fr: { title: "Infos ?" } },
    other: { title: "Goals?", languages: { de: { title: "Tore?" }, pl: { title: "Gole?" } } },
  });
  const titles = async (lang: string) => (await sides(lang)).map(({ title }) => title);
  expect(await titles("de-AT")).toEqual(["Nachrichten?", "Tore?"]);
  expect(await titles("fr")).toEqual(["Infos ?", "Infos ?"]);
  expect(await titles("pl")).toEqual(["Breaking news as it happens?", "Gole?"]);
  expect(await titles("en")).toEqual(["Breaking news as it happens?", "Goals?"]);
});

test("a page's counts are added to the version that it names, and to the sums of the site", async () => {
  await change({ other: { title: "Goals?" } });
  const [own, other] = (await sides()).map(({ version }) => version);
  const { post } = createReaderClient(api, publisher.siteId);
  for (const [count, prompt] of [
    ["prompted", own],
    ["prompted", other],
    ["asked", other],
    ["granted", other],
    ["denied", other],
    ["prompted", true],
    ["granted", "page"],
  ])
    expect((await post("counts", { count, prompt })).status).toBe(204);
  await eventually(async () => (await counted()).length === 2);
  await eventually(async () => (await report()).comparison!.other.granted === 1);
  expect(await report()).toMatchObject({
    prompts: [
      { texts: { title: "Goals?" }, rule: { fromPage: 2 }, granted: 1, rate: 1 },
      { granted: 0, rate: 0 },
    ],
    comparison: { own: { shown: 1, granted: 0, rate: 0 }, other: { shown: 1, granted: 1, rate: 1 }, better: null },
  });
});

test("a version that no page got, of another site, or at a silent site is not counted", async () => {
  const { version } = await promptOfPage();
  const other = await createPublisher(app);
  counter.record(publisher.siteId, { count: "prompted", prompt: "0123456789abcdef" });
  counter.record(other.siteId, { count: "prompted", prompt: version });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, receipts: "off" });
  counter.record(publisher.siteId, { count: "prompted", prompt: version });
  await counter.write();
  expect(await counted()).toEqual([]);
  expect(await rows(sql`select from prompt_days where site_id = ${other.siteId}`, app.db)).toEqual([]);
});

test("in a day only so many versions of a prompt are counted, of which all go on", async () => {
  await sql`insert into consent_prompts (site_id, version, texts, code, rule, is_other)
    select ${publisher.siteId}, lpad(to_hex(n), 16, '0'), '{}', repeat('0', 64), '{}', false
    from generate_series(1, ${maxVersionsOfDay + 2}::int) n`.execute(app.db);
  const tell = async (from: number, until: number) => {
    for (let n = from; n <= until; n++) {
      const prompt = n.toString(16).padStart(16, "0");
      counter.record(publisher.siteId, { count: "prompted", prompt });
    }
    await counter.write();
  };
  await tell(3, maxVersionsOfDay);
  await tell(1, maxVersionsOfDay + 2);
  await tell(1, 3);
  const found = await counted();
  expect(found).toHaveLength(maxVersionsOfDay);
  expect(found.slice(0, 3)).toMatchObject([{ shown: 2 }, { shown: 2 }, { shown: 3 }]);
});

test("the report names each prompt and rule once, whatever comparison it was shown in", async () => {
  const { version: alone } = await promptOfPage();
  await change({ other: { title: "Goals?" } });
  const [own, other] = await sides();
  await day(alone, 100, 5, 20);
  await day(own!.version, 100, 15);
  await day(other!.version, 50, 1);
  const { prompts, comparison } = await report();
  expect(prompts).toMatchObject([
    { texts: { title: "Breaking news as it happens?" }, shown: 200, granted: 20, rate: 0.1 },
    { texts: { title: "Goals?" }, shown: 50, granted: 1, rate: 0.02 },
  ]);
  expect(comparison).toMatchObject({ own: { shown: 100, granted: 15 }, other: { shown: 50, granted: 1 } });
});

test("a comparison has a winner only when the difference is beyond doubt", async () => {
  await change({ other: { fromPage: 5 } });
  const [own, other] = (await sides()).map(({ version }) => version);
  await day(own!, 1_000, 40, 1);
  await day(other!, 1_000, 60, 1);
  expect((await report()).comparison!.better).toBeNull();
  await day(own!, 4_000, 160);
  await day(other!, 4_000, 360);
  expect((await report()).comparison!.better).toBe("other");
  await change({ other: { fromPage: 6 } });
  expect((await report()).comparison).toMatchObject({ own: { shown: 0, rate: null }, better: null });
  const [again, sixth] = (await sides()).map(({ version }) => version);
  await day(again!, 4_000, 360);
  await day(sixth!, 4_000, 160);
  expect((await report()).comparison!.better).toBe("own");
});

test("a site without a comparison, and a prompt that nobody saw, have no figures", async () => {
  expect(await report()).toEqual({ prompts: [], comparison: null });
});

test("counts of prompts are kept for 90 days", async () => {
  const { version } = await promptOfPage();
  for (const daysAgo of [1, 89, 92]) await day(version, daysAgo, 0, daysAgo);
  await runMaintenance(app.db, [expirePromptDays]);
  expect(await counted()).toEqual([{ version, shown: 90, granted: 0 }]);
});

test("a report of another tenant's site is not found", async () => {
  const { actor } = await createPublisher(app);
  await expect(readPromptReport(app, actor, { siteId: publisher.siteId })).rejects.toMatchObject({ code: "not_found" });
});
