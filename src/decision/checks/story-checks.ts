import { localDay } from "../../local-time.ts";
import { decisionMessages as messages } from "../messages.ts";
import { localMoment } from "../site-facts.ts";
import { type Check, zoneOf } from "./check.ts";
import { clockToleranceHours, dateToleranceHours, hoursSince, storyAgeHours } from "./story-age.ts";

const recentHours = 6;

const articleType: Check = {
  code: "article_type",
  effects: ["raises"],
  when: "Open Graph or JSON-LD calls the page an article",
  find({ signals }) {
    if (!signals?.isArticle || signals.notStory) return null;
    return { effect: "raises", weight: 0.1, message: messages.page_is_article() };
  },
};

const liveBlog: Check = {
  code: "live_blog",
  effects: ["raises", "informs"],
  when: "JSON-LD calls the page a LiveBlogPosting; informs once its coverageEndTime is past",
  find({ signals }, now) {
    if (!signals?.live) return null;
    const isOver = signals.live.endsAt !== null && Date.parse(signals.live.endsAt) < now;
    if (isOver) return { effect: "informs", message: messages.live_over() };
    return { effect: "raises", weight: 0.05, message: messages.live_blog() };
  },
};

const recent: Check = {
  code: "recent",
  effects: ["raises"],
  when: `published within the last ${recentHours} hours`,
  find(facts, now) {
    const hours = storyAgeHours(facts, now);
    if (hours === null || hours < -clockToleranceHours || hours > recentHours) return null;
    return { effect: "raises", weight: 0.2, message: messages.story_recent() };
  },
};

const noDate: Check = {
  code: "no_date",
  effects: ["informs", "blocks"],
  when: "neither the page nor the feed gives a readable date; blocks if undated-stories is skip",
  find({ article, signals, site }) {
    if (!signals || article.publishedAt !== null) return null;
    const found = signals.showsDate ? messages.date_unreadable() : messages.date_missing();
    if (site?.undatedStories !== "skip") return { effect: "informs", message: messages.undated_check({ found }) };
    return { effect: "blocks", message: messages.undated_skipped({ found }) };
  },
};

const futureDate: Check = {
  code: "future_date",
  effects: ["informs"],
  when: "published more than 15 minutes from now; 24 hours for a date without time or offset",
  find(facts, now) {
    const { publishedAt } = facts.article;
    const isExact = facts.signals?.publishedExactly;
    const hours = hoursSince(publishedAt, now);
    if (hours === null || -hours <= (isExact ? clockToleranceHours : dateToleranceHours)) return null;
    const at = Date.parse(publishedAt!);
    const message = isExact
      ? messages.date_and_time_to_come(localMoment(zoneOf(facts), at))
      : messages.date_to_come({ day: localDay(zoneOf(facts), at) });
    return { effect: "informs", message };
  },
};

const updated: Check = {
  code: "updated",
  effects: ["informs"],
  when: `published more than ${recentHours} hours ago and changed within the last ${recentHours}`,
  find(facts, now) {
    const modifiedAt = facts.signals?.modifiedAt ?? null;
    const [published, changed] = [facts.article.publishedAt, modifiedAt].map((at) => hoursSince(at, now));
    if (published == null || changed == null || published <= recentHours || changed < 0 || changed > recentHours) {
      return null;
    }
    const message = messages.story_changed(localMoment(zoneOf(facts), Date.parse(modifiedAt!)));
    return { effect: "informs", message };
  },
};

const product: Check = {
  code: "product",
  effects: ["blocks"],
  when: "Open Graph, JSON-LD or microdata with an offer calls the page a product, and nothing calls it an article",
  find({ signals }) {
    if (!signals?.isProduct) return null;
    return { effect: "blocks", message: messages.page_is_product() };
  },
};

const sponsoredLinks: Check = {
  code: "sponsored_links",
  effects: ["lowers"],
  when: "links on the page are marked rel=sponsored",
  find({ signals }) {
    if (!signals?.hasSponsoredLinks || signals.paidBy) return null;
    return { effect: "lowers", weight: -0.05, message: messages.links_paid() };
  },
};

const paywalled: Check = {
  code: "paywalled",
  effects: ["informs"],
  when: "isAccessibleForFree is false in JSON-LD, or article:content_tier is locked or metered",
  find({ signals }) {
    if (!signals?.isPaywalled) return null;
    return { effect: "informs", message: messages.story_paywalled() };
  },
};

const ampPage: Check = {
  code: "amp_page",
  effects: ["informs"],
  when: "the page is an AMP version",
  find({ article, signals }) {
    const address = article.canonicalUrl;
    if (!signals?.isAmp || address === null || address === article.url) return null;
    return { effect: "informs", message: messages.page_is_amp({ address }) };
  },
};

const canonicalElsewhere: Check = {
  code: "canonical_elsewhere",
  effects: ["informs"],
  when: "the page gives another host or path as its canonical address, and is no AMP version",
  find({ article, signals }) {
    const address = article.canonicalUrl ?? article.url;
    const [here, there] = [article.url, address].map((url) => URL.parse(url));
    if (!signals || signals.isAmp || (here?.host === there?.host && here?.pathname === there?.pathname)) return null;
    return { effect: "informs", message: messages.page_address_differs({ address }) };
  },
};

/** Checks of the story: its kind and its age. A product blocks. On some sites a story without a date blocks too. */
export const storyChecks: Check[] = [
  ...[articleType, liveBlog, recent, noDate, futureDate, updated, product, sponsoredLinks, paywalled, ampPage],
  canonicalElsewhere,
];
