import { readFileSync } from "node:fs";
import type { StoryFacts } from "../../src/decision/checks/check.ts";
import { readArticle } from "../../src/decision/page/article.ts";
import type { SiteFacts } from "../../src/decision/site-facts.ts";

/**
 * Returns the facts of a page that was read: one of test/decision/pages, or HTML. The caller gives no fields, and there
 * is no site.
 */
export function factsOf(page: string, url = "https://news.example.com/story"): StoryFacts {
  const body = page.includes("<")
    ? Buffer.from(page)
    : readFileSync(new URL(`./pages/${page}.html.txt`, import.meta.url));
  const read = readArticle({ url, body, robotsHeader: null });
  const given = { title: null, body: false, imageUrl: false };
  const fetched = { kind: "page", status: 200, isHtml: true } as const;
  return { fetched, ...read, given, freshnessHours: 48, site: null, expected: null, visitsWon: null, strict: false };
}

/** Returns the facts of a site with a hundred subscribers and no limits that has not sent anything. */
export function siteOf(more: Partial<SiteFacts> = {}): SiteFacts {
  return {
    siteId: "01990000-0000-7000-8000-000000000000",
    timeZone: "UTC",
    freshnessHours: 48,
    dailyLimit: null,
    minGapMinutes: null,
    quietHours: null,
    undatedStories: "ask",
    reachable: 100,
    reachableExact: true,
    emptyTopics: [],
    sentLast24Hours: 0,
    lastSentAt: null,
    storySentAt: null,
    otherStoriesWithPicture: 0,
    ...more,
  };
}
