import type { UnreachableReason } from "../../egress/page/exchange.ts";
import { localDay } from "../../local-time.ts";
import type { NotStory } from "../page/kind-words.ts";
import { type Check, zoneOf } from "./check.ts";
import { dateToleranceHours, storyAgeHours } from "./story-age.ts";

const unreachableMessages: Record<UnreachableReason, string> = {
  unreachable: "The page could not be reached at a public https address. Check the address and its redirects.",
  tls: "The page's certificate is not valid. Renew it, then try again.",
  timeout: "The page took too long to answer. Try again when the site is faster.",
  too_large: "The page is larger than 2 MiB. Send the address of a lighter version.",
  too_many_redirects: "The page redirects more than three times. Use the address where the redirects end.",
  bad_answer: "The site's answer could not be read. Try again, or check how the site serves the page.",
};

const unreachable: Check = {
  code: "unreachable",
  effects: ["blocks"],
  when: "no page came: not found, refused by the fetch guard, over 8 seconds, over 3 redirects, over 5 seconds to read",
  find({ fetched }) {
    if (fetched.kind === "page") return null;
    return { effect: "blocks", message: unreachableMessages[fetched.reason] };
  },
};

const httpStatus: Check = {
  code: "http_status",
  effects: ["blocks"],
  when: "the page's status is not 200",
  find({ fetched }) {
    if (fetched.kind !== "page" || fetched.status === 200) return null;
    const message = `The page answers with HTTP status ${fetched.status} instead of 200. Publish it, or check the address.`;
    return { effect: "blocks", message };
  },
};

const notHtml: Check = {
  code: "not_html",
  effects: ["blocks"],
  when: "the page is not HTML",
  find({ fetched }) {
    if (fetched.kind !== "page" || fetched.status !== 200 || fetched.isHtml) return null;
    return { effect: "blocks", message: "This is not an HTML page. Use the address of the story's page." };
  },
};

const noTitle: Check = {
  code: "no_title",
  effects: ["blocks", "informs"],
  when: "the page has no title; informs if the caller gives one",
  find({ article, signals, given }) {
    if (!signals || article.title !== null) return null;
    if (given.title !== null) return { effect: "informs", message: "The page has no title; yours is used." };
    return { effect: "blocks", message: "The page has no title. Add one to the page, or write one here." };
  },
};

const noindex: Check = {
  code: "noindex",
  effects: ["blocks", "informs"],
  when: "noindex or none, in a meta tag or X-Robots-Tag, for everybody or Googlebot; informs for Googlebot-News alone",
  find({ signals }) {
    const isHidden = (directive: string) => directive === "noindex" || directive === "none";
    if (signals?.robots.some(isHidden)) {
      const message =
        "The page asks not to be listed (noindex), as drafts and tests do. Remove noindex to send the story.";
      return { effect: "blocks", message };
    }
    if (!signals?.newsRobots.some(isHidden)) return null;
    const message =
      "The page asks not to be listed in Google News, as copies of an agency's text do. Check that it is a story of yours.";
    return { effect: "informs", message };
  },
};

const useStory = "Use the address of one story.";
const letRead = "Let Pressbell read the story as readers do, or use another address.";
const advice: { [Kind in NotStory]?: string } = {
  "an error page": "Publish the story, or check the address.",
  "a sign-in page": letRead,
  "a consent or robot check": letRead,
  "a page of the site and not a story, as it says (og:type is website, without a date)":
    "Use the address of one story, or give the page a date of publication.",
};

const notArticle: Check = {
  code: "not_article",
  effects: ["blocks"],
  when: "a home, section, tag, author or search page, a profile, a list, a forum, help, jobs, about the site, an error, a sign-in or a robot check",
  find({ signals }) {
    if (!signals?.notStory) return null;
    return { effect: "blocks", message: `This is ${signals.notStory}. ${advice[signals.notStory] ?? useStory}` };
  },
};

const paidContent: Check = {
  code: "paid_content",
  effects: ["blocks"],
  when: "AdvertiserContentArticle, a section or mark such as Sponsored, or a folder such as /advertorial/ in its address",
  find({ signals }) {
    if (!signals?.paidBy) return null;
    const message = `Somebody paid for this page: ${signals.paidBy}. Readers did not subscribe to advertising: send a story of the newsroom.`;
    return { effect: "blocks", message };
  },
};

const tooOld: Check = {
  code: "too_old",
  effects: ["blocks"],
  when: "older than freshness-hours (default 48); 24 more for a date without time or offset; a live blog counts from its last change",
  find(facts, now) {
    const { article, signals, freshnessHours } = facts;
    const hours = storyAgeHours(facts, now);
    if (hours === null || hours <= freshnessHours + (signals?.publishedExactly ? 0 : dateToleranceHours)) return null;
    const message = `The story is from ${localDay(zoneOf(facts), Date.parse(article.publishedAt!))}, older than ${freshnessHours} hours. Send a newer one.`;
    return { effect: "blocks", message };
  },
};

/** Checks of the page: whether it holds a story that may be sent at all. All of these can block. */
export const pageChecks: Check[] = [
  unreachable,
  httpStatus,
  notHtml,
  noTitle,
  noindex,
  notArticle,
  paidContent,
  tooOld,
];
