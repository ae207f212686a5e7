import type { UnreachableReason } from "../../egress/page/exchange.ts";
import { localDay } from "../../local-time.ts";
import type { Message } from "../../messages.ts";
import { decisionMessages as messages } from "../messages.ts";
import type { NotStory } from "../page/kind-words.ts";
import { type Check, zoneOf } from "./check.ts";
import { dateToleranceHours, storyAgeHours } from "./story-age.ts";

const unreachableMessages: Record<UnreachableReason, () => Message> = {
  unreachable: messages.page_unreachable,
  tls: messages.page_certificate,
  timeout: messages.page_timeout,
  too_large: messages.page_too_large,
  too_many_redirects: messages.page_redirects,
  bad_answer: messages.page_answer_unreadable,
};

const unreachable: Check = {
  code: "unreachable",
  effects: ["blocks"],
  when: "no page came: not found, refused by the fetch guard, over 8 seconds, over 3 redirects, over 5 seconds to read",
  find({ fetched }) {
    if (fetched.kind === "page") return null;
    return { effect: "blocks", message: unreachableMessages[fetched.reason]() };
  },
};

const httpStatus: Check = {
  code: "http_status",
  effects: ["blocks"],
  when: "the page's status is not 200",
  find({ fetched }) {
    if (fetched.kind !== "page" || fetched.status === 200) return null;
    return { effect: "blocks", message: messages.page_status({ status: fetched.status }) };
  },
};

const notHtml: Check = {
  code: "not_html",
  effects: ["blocks"],
  when: "the page is not HTML",
  find({ fetched }) {
    if (fetched.kind !== "page" || fetched.status !== 200 || fetched.isHtml) return null;
    return { effect: "blocks", message: messages.page_not_html() };
  },
};

const noTitle: Check = {
  code: "no_title",
  effects: ["blocks", "informs"],
  when: "the page has no title; informs if the caller gives one",
  find({ article, signals, given }) {
    if (!signals || article.title !== null) return null;
    if (given.title !== null) return { effect: "informs", message: messages.page_untitled_but_yours() };
    return { effect: "blocks", message: messages.page_untitled() };
  },
};

const noindex: Check = {
  code: "noindex",
  effects: ["blocks", "informs"],
  when: "noindex or none, in a meta tag or X-Robots-Tag, for everybody or Googlebot; informs for Googlebot-News alone",
  find({ signals }) {
    const isHidden = (directive: string) => directive === "noindex" || directive === "none";
    if (signals?.robots.some(isHidden)) return { effect: "blocks", message: messages.page_noindex() };
    if (!signals?.newsRobots.some(isHidden)) return null;
    return { effect: "informs", message: messages.page_no_news_index() };
  },
};

/** What to do about kinds of pages, unless it is to use the address of a story. */
const advice: { [Kind in NotStory]?: (params: { what: Message }) => Message } = {
  error_page: messages.page_without_story,
  sign_in_page: messages.page_hides_story,
  robot_check: messages.page_hides_story,
  website_page: messages.page_of_site,
};

const notArticle: Check = {
  code: "not_article",
  effects: ["blocks"],
  when: "a home, section, tag, author or search page, a profile, a list, a forum, help, jobs, about the site, an error, a sign-in or a robot check",
  find({ signals }) {
    if (!signals?.notStory) return null;
    const messageOf = advice[signals.notStory] ?? messages.page_no_story;
    return { effect: "blocks", message: messageOf({ what: messages[signals.notStory]() }) };
  },
};

const paidContent: Check = {
  code: "paid_content",
  effects: ["blocks"],
  when: "AdvertiserContentArticle, a section or mark such as Sponsored, or a folder such as /advertorial/ in its address",
  find({ signals }) {
    if (!signals?.paidBy) return null;
    return { effect: "blocks", message: messages.page_paid({ evidence: signals.paidBy }) };
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
    const day = localDay(zoneOf(facts), Date.parse(article.publishedAt!));
    return { effect: "blocks", message: messages.story_too_old({ day, hours: freshnessHours }) };
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
