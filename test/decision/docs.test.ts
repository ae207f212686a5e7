import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checks } from "../../src/decision/check-story.ts";
import type { StoryFacts } from "../../src/decision/checks/check.ts";
import { emptyArticle } from "../../src/decision/page/article.ts";
import { factsOf, siteOf } from "./story-facts.ts";

const now = Date.parse("2026-03-02T12:00:00Z");
const unread = { ...factsOf("bare"), article: emptyArticle("https://news.example.com/story"), signals: null };
const forSite = (more: Parameters<typeof siteOf>[0]) => ({ ...factsOf("bare"), site: siteOf(more) });

/** One story for each check. */
const examples: Record<string, StoryFacts> = {
  unreachable: { ...unread, fetched: { kind: "unreachable", reason: "unreachable" } },
  http_status: { ...unread, fetched: { kind: "page", status: 404, isHtml: true } },
  not_html: { ...unread, fetched: { kind: "page", status: 200, isHtml: false } },
  no_title: factsOf("no-title"),
  noindex: factsOf("noindex-meta"),
  not_article: factsOf("tag-page", "https://news.example.com/tag/bridges"),
  paid_content: factsOf("advertorial-section"),
  too_old: factsOf("old"),
  article_type: factsOf("open-graph"),
  live_blog: factsOf("live-blog"),
  recent: factsOf("news-article"),
  no_date: factsOf("bare"),
  future_date: factsOf("future-date"),
  updated: factsOf("modified-recently"),
  product: factsOf("shop-product"),
  sponsored_links: factsOf("affiliate-links"),
  paywalled: factsOf("paywalled"),
  amp_page: factsOf("amp"),
  canonical_elsewhere: factsOf("canonical-elsewhere"),
  title_cut: factsOf("title-too-long"),
  title_long: factsOf("title-long"),
  title_short: factsOf("title-short"),
  no_description: factsOf("bare"),
  description_cut: factsOf(`<title>Tram</title><meta name=description content="${"long ".repeat(60)}">`),
  no_image: factsOf("bare"),
  already_sent: forSite({ storySentAt: new Date("2026-03-01T08:00:00Z") }),
  no_audience: forSite({ reachable: 0 }),
  empty_topic: forSite({ emptyTopics: ["Sailing"] }),
  daily_limit: forSite({ dailyLimit: 6, sentLast24Hours: 6 }),
  min_gap: forSite({ minGapMinutes: 60, lastSentAt: new Date("2026-03-02T11:40:00Z") }),
  quiet_hours: forSite({ quietHours: { from: "22:00", until: "07:00" }, timeZone: "America/Los_Angeles" }),
  own_history: {
    ...forSite({}),
    expected: {
      clicked: { low: 0.021, middle: 0.027, high: 0.034 },
      left: 6,
      usual: 0.019,
      nudges: 412,
      categories: ["hour evening", "section sport"],
      isHeldOut: false,
    },
  },
  own_holdout: { ...forSite({}), visitsWon: { low: 12, middle: 20, high: 28 } },
};

const page = readFileSync(new URL("../../docs/decision.md", import.meta.url), "utf8");

describe("docs/decision.md", () => {
  test("lists exactly the checks of the code, in their order, with effects and condition", () => {
    const rows = checks.map(({ code, effects, when }) => `- \`${code}\` (${effects.join(", ")}): ${when}`);
    const unwrapped = page.replace(/\n {2}/g, " ").split("\n");
    expect(unwrapped.filter((line) => line.startsWith("- `"))).toEqual(rows);
  });

  test.each(checks)("$code finds its example with an effect of the page and a message", ({ code, effects, find }) => {
    const finding = find(examples[code]!, now)!;
    expect(effects).toContain(finding.effect);
    expect(finding.message.message).toMatch(/^[A-Z].+[.]$/);
  });

  test("no two checks share a code", () => {
    expect(Object.keys(examples).sort()).toEqual(checks.map(({ code }) => code).sort());
  });
});
