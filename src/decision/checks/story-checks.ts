import { localDay } from "../../local-time.ts";
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
    return { effect: "raises", weight: 0.1, message: "The page says that it is an article." };
  },
};

const liveBlog: Check = {
  code: "live_blog",
  effects: ["raises", "informs"],
  when: "JSON-LD calls the page a LiveBlogPosting; informs once its coverageEndTime is past",
  find({ signals }, now) {
    if (!signals?.live) return null;
    const isOver = signals.live.endsAt !== null && Date.parse(signals.live.endsAt) < now;
    if (isOver)
      return { effect: "informs", message: "The live coverage has ended. Check that the story is still news." };
    return { effect: "raises", weight: 0.05, message: "The page is a live blog: readers find what is new there." };
  },
};

const recent: Check = {
  code: "recent",
  effects: ["raises"],
  when: `published within the last ${recentHours} hours`,
  find(facts, now) {
    const hours = storyAgeHours(facts, now);
    if (hours === null || hours < -clockToleranceHours || hours > recentHours) return null;
    return { effect: "raises", weight: 0.2, message: "The story is less than six hours old." };
  },
};

const noDate: Check = {
  code: "no_date",
  effects: ["informs", "blocks"],
  when: "neither the page nor the feed gives a readable date; blocks if undated-stories is skip",
  find({ article, signals, site }) {
    if (!signals || article.publishedAt !== null) return null;
    const found = signals.showsDate
      ? "The page shows dates, but none that can be read as its date of publication."
      : "The page does not say when it was published.";
    if (site?.undatedStories !== "skip") return { effect: "informs", message: `${found} Check that the story is new.` };
    const message = `${found} The site skips such stories: add article:published_time to the page, or change the site's settings.`;
    return { effect: "blocks", message };
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
    const date = isExact ? localMoment(zoneOf(facts), at) : localDay(zoneOf(facts), at);
    const message = `The page gives ${date} as its date, which is to come. Check that the story is out.`;
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
    return {
      effect: "informs",
      message: `The story was changed at ${localMoment(zoneOf(facts), Date.parse(modifiedAt!))}. Say in the title what is new.`,
    };
  },
};

const product: Check = {
  code: "product",
  effects: ["blocks"],
  when: "Open Graph, JSON-LD or microdata with an offer calls the page a product, and nothing calls it an article",
  find({ signals }) {
    if (!signals?.isProduct) return null;
    return {
      effect: "blocks",
      message: "The page says that it is a product. Use the address of a story about it.",
    };
  },
};

const sponsoredLinks: Check = {
  code: "sponsored_links",
  effects: ["lowers"],
  when: "links on the page are marked rel=sponsored",
  find({ signals }) {
    if (!signals?.hasSponsoredLinks || signals.paidBy) return null;
    const message =
      "Links on the page are marked as paid (rel=sponsored). Do not send it if the whole story is paid for.";
    return { effect: "lowers", weight: -0.05, message };
  },
};

const paywalled: Check = {
  code: "paywalled",
  effects: ["informs"],
  when: "isAccessibleForFree is false in JSON-LD, or article:content_tier is locked or metered",
  find({ signals }) {
    if (!signals?.isPaywalled) return null;
    return {
      effect: "informs",
      message: "The story is behind a paywall: without a subscription only its beginning is shown. Say so in the text.",
    };
  },
};

const ampPage: Check = {
  code: "amp_page",
  effects: ["informs"],
  when: "the page is an AMP version",
  find({ article, signals }) {
    if (!signals?.isAmp || article.canonicalUrl === article.url) return null;
    return {
      effect: "informs",
      message: `This is an AMP version. Better send the story itself: ${article.canonicalUrl}.`,
    };
  },
};

const canonicalElsewhere: Check = {
  code: "canonical_elsewhere",
  effects: ["informs"],
  when: "the page gives another host or path as its canonical address, and is no AMP version",
  find({ article, signals }) {
    const [here, there] = [article.url, article.canonicalUrl ?? article.url].map((url) => URL.parse(url));
    if (!signals || signals.isAmp || (here?.host === there?.host && here?.pathname === there?.pathname)) return null;
    const message = `The page gives ${article.canonicalUrl} as its address. Check that this is the story you mean.`;
    return { effect: "informs", message };
  },
};

/** Checks of the story: its kind and its age. A product blocks. On some sites a story without a date blocks too. */
export const storyChecks: Check[] = [
  ...[articleType, liveBlog, recent, noDate, futureDate, updated, product, sponsoredLinks, paywalled, ampPage],
  canonicalElsewhere,
];
