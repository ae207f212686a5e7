import type { UnreachableReason } from "../egress/fetch-page.ts";
import type { Article, PageSigns } from "./article.ts";
import { maxBodyLength, maxTitleLength } from "./nudge.ts";
import { codePoints } from "./text.ts";

export type Effect = "blocks" | "lowers" | "raises" | "informs";

/** Why a verdict is as it is. `message` is for an editor and says what to do. */
export type Reason = { code: string; effect: Effect; message: string };

/** The decision alone; `decideStory` adds the article and the nudge. */
export type Judgement = { decision: "send" | "skip"; score: number; reasons: Reason[] };

/** What came back for the story's URL. */
export type Fetched =
  | { kind: "unreachable"; reason: UnreachableReason }
  | { kind: "page"; status: number; isHtml: boolean };

/** All that a verdict rests on, besides the time. */
export type StoryFacts = {
  fetched: Fetched;
  article: Article;
  /** Null unless an HTML page was read. */
  signs: PageSigns | null;
  /** The caller gives a title or a picture, so the article's own is not missed. */
  given: { title: boolean; imageUrl: boolean };
  /** The site's limit: an older story is blocked. In hours. */
  freshnessHours: number;
};

/** A reason and how far it moves the score. A check that has nothing to say says null. */
type Finding = Reason & { weight?: number };
type Check = (facts: StoryFacts, now: number) => Finding | null;

const hourMs = 3_600_000;

/** Every check, in the order in which reasons are shown. To add one, write a function and put it here. */
const checks: Check[] = [
  reachable,
  ok,
  html,
  titled,
  indexable,
  notListing,
  fresh,
  typed,
  recent,
  titleFits,
  described,
  pictured,
  canonicalHere,
];

/**
 * The content decision. Skip when a check blocks, and only positive evidence blocks; else send.
 * `now`: ms since 1970. `score` is 0 to 1 with two decimals, and 0 for a skip. Reasons come in the order of the checks.
 */
export function judge(facts: StoryFacts, now: number): Judgement {
  const findings = checks.map((check) => check(facts, now)).filter((finding) => finding !== null);
  const blocked = findings.some(({ effect }) => effect === "blocks");
  const sum = findings.reduce((score, { weight }) => score + (weight ?? 0), 0.6);
  return {
    decision: blocked ? "skip" : "send",
    score: blocked ? 0 : Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100,
    reasons: findings.map(({ code, effect, message }) => ({ code, effect, message })),
  };
}

const unreachableMessages: Record<UnreachableReason, string> = {
  unreachable: "The page could not be reached at a public https address. Check the address and its redirects.",
  tls: "The page's certificate is not valid. Renew it, then try again.",
  timeout: "The page took too long to answer. Try again when the site is faster.",
  too_large: "The page is larger than 2 MiB. Send the address of a lighter version.",
  too_many_redirects: "The page redirects more than three times. Use the address where the redirects end.",
  bad_answer: "The site's answer could not be read. Try again, or check how the site serves the page.",
};

function reachable({ fetched }: StoryFacts): Finding | null {
  if (fetched.kind === "page") return null;
  return { code: "unreachable", effect: "blocks", message: unreachableMessages[fetched.reason] };
}

function ok({ fetched }: StoryFacts): Finding | null {
  if (fetched.kind !== "page" || fetched.status === 200) return null;
  const message = `The page answers with HTTP status ${fetched.status} instead of 200. Publish it, or check the address.`;
  return { code: "http_status", effect: "blocks", message };
}

function html({ fetched }: StoryFacts): Finding | null {
  if (fetched.kind !== "page" || fetched.status !== 200 || fetched.isHtml) return null;
  return {
    code: "not_html",
    effect: "blocks",
    message: "This is not an HTML page. Use the address of the story's page.",
  };
}

function titled({ article, signs, given }: StoryFacts): Finding | null {
  if (!signs || article.title !== null) return null;
  if (given.title) return { code: "no_title", effect: "informs", message: "The page has no title; yours is used." };
  return {
    code: "no_title",
    effect: "blocks",
    message: "The page has no title. Add one to the page, or write one here.",
  };
}

function indexable({ signs }: StoryFacts): Finding | null {
  if (!signs?.robots.some((directive) => directive === "noindex" || directive === "none")) return null;
  const message = "The page asks not to be listed (noindex), as drafts and tests do. Remove noindex to send the story.";
  return { code: "noindex", effect: "blocks", message };
}

function notListing({ article, signs }: StoryFacts): Finding | null {
  if (!signs?.isListing || URL.parse(article.url)?.pathname !== "/") return null;
  return { code: "not_article", effect: "blocks", message: "This is a home page. Use the address of one story." };
}

function fresh({ article, signs, freshnessHours }: StoryFacts, now: number): Finding | null {
  const hours = ageHours(article, now);
  // A date without time or offset leaves up to a day of doubt; only positive evidence blocks.
  if (hours === null || hours <= freshnessHours + (signs?.publishedExactly ? 0 : 24)) return null;
  const message = `The story is from ${article.publishedAt?.slice(0, 10)}, older than ${freshnessHours} hours. Send a newer one.`;
  return { code: "too_old", effect: "blocks", message };
}

function typed({ signs }: StoryFacts): Finding | null {
  if (!signs?.isArticle) return null;
  return { code: "article_type", effect: "raises", weight: 0.1, message: "The page says that it is an article." };
}

function recent({ article }: StoryFacts, now: number): Finding | null {
  const hours = ageHours(article, now);
  if (hours === null || hours < 0 || hours > 6) return null;
  return { code: "recent", effect: "raises", weight: 0.2, message: "The story is less than six hours old." };
}

function titleFits({ article, given }: StoryFacts): Finding | null {
  if (given.title || codePoints(article.title ?? "") <= maxTitleLength) return null;
  const message = `The title is over ${maxTitleLength} characters and will be cut. Write a shorter one for this message.`;
  return { code: "title_cut", effect: "lowers", weight: -0.05, message };
}

function described({ article, signs }: StoryFacts): Finding | null {
  if (!signs) return null;
  if (article.description === null) {
    const message = "The page has no description, so the message has no text below its title. Write a body.";
    return { code: "no_description", effect: "lowers", weight: -0.1, message };
  }
  if (codePoints(article.description) <= maxBodyLength) return null;
  const message = `The description is over ${maxBodyLength} characters and will be cut.`;
  return { code: "description_cut", effect: "informs", message };
}

function pictured({ article, signs, given }: StoryFacts): Finding | null {
  if (!signs || given.imageUrl || article.imageUrl !== null) return null;
  const message = "The page names no picture at an https address. Add og:image to the page, or choose a picture.";
  return { code: "no_image", effect: "lowers", weight: -0.1, message };
}

function canonicalHere({ article, signs }: StoryFacts): Finding | null {
  const [here, there] = [article.url, article.canonicalUrl ?? article.url].map((url) => URL.parse(url));
  if (!signs || (here?.host === there?.host && here?.pathname === there?.pathname)) return null;
  const message = `The page gives ${article.canonicalUrl} as its address. Check that this is the story you mean.`;
  return { code: "canonical_elsewhere", effect: "informs", message };
}

/** Below zero for a date in the future. */
function ageHours({ publishedAt }: Article, now: number): number | null {
  return publishedAt === null ? null : (now - Date.parse(publishedAt)) / hourMs;
}
