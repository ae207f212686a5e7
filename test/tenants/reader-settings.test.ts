import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../src/actor.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { siteById } from "../../src/tenants/sites/queries.ts";
import type { SiteChange } from "../../src/tenants/sites/site.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, operatorOf } from "../fixtures/publisher.ts";

let app: App;
let siteId: string;
let actor: Actor;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  const publisher = await createPublisher(app);
  siteId = publisher.siteId;
  actor = operatorOf(publisher.tenantId);
});

const change = (settings: SiteChange, on = app) => changeSite(on, actor, { siteId, ...settings });
const refusalOf = async (settings: unknown) => {
  const error = await change(settings as SiteChange).then(
    () => undefined,
    (refused: { details: { errors: { path: string }[] } }) => refused,
  );
  return error?.details.errors.map(({ path }) => path);
};

test("a new site shows its prompt, links to articles, and expires readers after 12 months", async () => {
  expect(await siteById(app.db, siteId)).toMatchObject({
    origins: [],
    iconUrl: null,
    prompt: {},
    linkMode: "token",
    dormantMonths: 12,
    utm: { source: null, medium: null, campaign: null },
  });
});

test("each setting changes by itself, the others stay, and null removes it", async () => {
  await change({ iconUrl: "https://news.example/i.png", utm: { source: "a", medium: "b" }, prompt: { title: "T" } });
  await change({ utm: { medium: null, campaign: "c" }, prompt: { body: "B" }, dormantMonths: 3 });
  const site = await change({ paused: true });
  expect(site).toMatchObject({
    iconUrl: "https://news.example/i.png",
    prompt: { title: "T", body: "B" },
    dormantMonths: 3,
    utm: { source: "a", medium: null, campaign: "c" },
  });
  expect(await change({ iconUrl: null, dormantMonths: null, prompt: { title: null } })).toMatchObject({
    iconUrl: null,
    dormantMonths: null,
    prompt: { body: "B" },
  });
});

test("languages of the prompt change one by one, at most eight, and null removes one", async () => {
  const languagesAfter = async (languages: NonNullable<SiteChange["prompt"]>["languages"]) =>
    (await change({ prompt: { languages } })).prompt.languages;
  await languagesAfter({ de: { title: "Eilmeldungen?", accept: "Ja" } });
  const both = { de: { title: "Eilmeldungen?", accept: "Gern" }, fr: { title: "Alertes ?" } };
  expect(await languagesAfter({ de: { accept: "Gern" }, fr: { title: "Alertes ?" } })).toEqual(both);
  expect((await change({ prompt: { title: "News?" } })).prompt.languages).toEqual(both);
  expect(await languagesAfter({ de: { title: null }, fr: null })).toEqual({ de: { accept: "Gern" } });
  const eight = Object.fromEntries(["da", "el", "es", "fi", "it", "nl", "sv"].map((name) => [name, { title: "T" }]));
  expect(Object.keys((await languagesAfter(eight))!)).toHaveLength(8);
  expect(await refusalOf({ prompt: { languages: { pl: { title: "T" } } } })).toEqual(["/prompt/languages"]);
  expect(await languagesAfter(null)).toBeUndefined();
});

test("origins are stored as browsers write them, without duplicates", async () => {
  const origins = ["https://M.News.example:443/", "https://m.news.example", "http://localhost:3000"];
  expect((await change({ origins })).origins).toEqual(["https://m.news.example", "http://localhost:3000"]);
});

describe("refused with the invalid field", () => {
  test.each<[string[], unknown]>([
    [["/origins/0"], { origins: ["https://news.example/path"] }],
    [["/origins/1"], { origins: ["https://news.example", "ftp://news.example"] }],
    [["/origins/0"], { origins: ["*"] }],
    [["/origins/0"], { origins: ["https://user@news.example"] }],
    [["/origins"], { origins: Array.from({ length: 21 }, (_, i) => `https://n${i}.example`) }],
    [["/iconUrl"], { iconUrl: "http://news.example/i.png" }],
    [["/iconUrl"], { iconUrl: `https://news.example/${"x".repeat(1_024)}` }],
    [["/utm/source"], { utm: { source: "a b" } }],
    [["/utm/campaign"], { utm: { campaign: "" } }],
    [["/utm/other"], { utm: { other: "x" } }],
    [["/prompt/consent"], { prompt: { consent: "ask" } }],
    [["/prompt/mode"], { prompt: { mode: "loud" } }],
    [["/prompt/delaySeconds"], { prompt: { delaySeconds: -1 } }],
    [["/prompt/repeatDays"], { prompt: { repeatDays: 0.5 } }],
    [["/prompt/fromPage", "/prompt/fromVisit"], { prompt: { fromPage: 0, fromVisit: 101 } }],
    [["/prompt/scrollPercent"], { prompt: { scrollPercent: 101 } }],
    [["/prompt/onlyPaths/1"], { prompt: { onlyPaths: ["/a", "sport/*"] } }],
    [["/prompt/neverPaths/0"], { prompt: { neverPaths: ["/a?b"] } }],
    [["/prompt/neverPaths/0"], { prompt: { neverPaths: [`/${"x".repeat(200)}`] } }],
    [["/prompt/onlyPaths"], { prompt: { onlyPaths: Array.from({ length: 21 }, (_, i) => `/${i}`) } }],
    [["/prompt/onlyPaths"], { prompt: { onlyPaths: "/sport" } }],
    [["/prompt/title", "/prompt/accept"], { prompt: { title: " ", accept: "x".repeat(41) } }],
    [["/prompt/languages/deutsch1x"], { prompt: { languages: { deutsch1x: { title: "T" } } } }],
    [["/prompt/languages/pt-br"], { prompt: { languages: { "pt-br": { title: "T" } } } }],
    [["/prompt/languages/de/title"], { prompt: { languages: { de: { title: "x".repeat(81) } } } }],
    [["/prompt/languages/de/mode"], { prompt: { languages: { de: { mode: "off" } } } }],
    [["/prompt/languages/de"], { prompt: { languages: { de: "Eilmeldungen?" } } }],
    [["/prompt/languages"], { prompt: { languages: [] } }],
    [["/prompt/body"], { prompt: { body: "turned \u202e around" } }],
    [["/prompt/topicIds/0"], { prompt: { topicIds: ["sport"] } }],
    [["/prompt/topicIds/0", "/prompt/topicIds/1"], { prompt: { topicIds: [newId(), newId()] } }],
    [["/prompt/topicIds"], { prompt: { topicIds: Array.from({ length: 9 }, newId) } }],
    [["/prompt/topicsLabel"], { prompt: { topicsLabel: "x".repeat(81) } }],
    [["/linkMode"], { linkMode: "elsewhere" }],
    [["/dormantMonths"], { dormantMonths: 121 }],
    [["/iconUrl", "/linkMode"], { iconUrl: "x", linkMode: "y" }],
  ])("%j", async (paths, settings) => {
    expect(await refusalOf(settings)).toEqual(paths);
  });

  test("a redirect without PUBLIC_URL", async () => {
    expect(await refusalOf({ linkMode: "redirect" })).toEqual(["/linkMode"]);
    const known = { ...app, config: { ...app.config, PUBLIC_URL: "https://push.example.org" } };
    expect((await change({ linkMode: "redirect" }, known)).linkMode).toBe("redirect");
  });
});
