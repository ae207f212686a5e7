import {
  clearHosts,
  clearPaths,
  likelyPaths,
  listPath,
  type NotStory,
  reference,
  rootSectionPath,
  sectionPath,
  standInTitles,
} from "./kind-words.ts";
import type { PageBody } from "./page-body.ts";

export type KindFacts = {
  /** The address where the page was fetched, after redirects. */
  url: string;
  title: string | null;
  /** Lower case. */
  ogType: string | null;
  /** The program that wrote the page, as the page names it. */
  generator: string;
  /** Local names of the types of all JSON-LD nodes. */
  linkedTypes: string[];
  /** JSON-LD describes the story of this page. */
  hasStory: boolean;
  /** JSON-LD describes several stories on other pages. */
  hasOtherStories: boolean;
  hasDate: boolean;
  body: PageBody;
};

const listTypes: [type: string, kind: NotStory][] = [
  ["SearchResultsPage", "search_page"],
  ["ProfilePage", "author_page"],
  ["CollectionPage", "list_page"],
  ["JobPosting", "jobs_page"],
  ["FAQPage", "help_page"],
  ["QAPage", "help_page"],
  ["DiscussionForumPosting", "forum_page"],
  ["SoftwareApplication", "work_page"],
  ["MusicAlbum", "work_page"],
];

const siteTypes = new Set(["website", "blog", "object", "company", "WebSite", "ItemList", "Blog", "WebPage"]);
const workTypes = /^(music|books?|business|restaurant|place|game|app|hotel|city|country)([._:]|$)/;

/** Prose of fewer columns is no text of a story. A paragraph has 300. */
const littleProse = 400;
const muchProse = 1000;
const manyLinks = 40;

/**
 * Returns the kind of a page that is not a story, or null for a story. Only what the page declares or shows counts,
 * never only what is missing. The strongest evidence comes first. Some evidence holds whatever the page calls itself.
 * Other evidence holds only if the page does not call itself an article, and the weakest only if it has no date
 * either.
 */
export function nonStoryKind(facts: KindFacts): NotStory | null {
  const { linkedTypes, hasStory, ogType } = facts;
  const path = pathOf(facts.url);
  const always = whateverItSays(facts, path);
  if (always !== null || hasStory) return always;
  const listed = listTypes.find(([type]) => linkedTypes.includes(type))?.[1];
  if (listed !== undefined) return listed;
  if (ogType === "profile") return "profile_page";
  if (workTypes.test(ogType ?? "")) return "work_page";
  const title = withoutSiteName(facts.title);
  // A story may be called "Contact" or be in a folder of tags. Its text and long name count for more than that.
  const isLikelyStory = (ogType === "article" || facts.hasDate) && facts.body.prose >= muchProse;
  // A page with little text may say only in its headline that nothing is there.
  const names = [
    title,
    withoutCode(title),
    ...(facts.body.prose < littleProse ? facts.body.headings.map(withoutCode) : []),
  ];
  const standIn = isLikelyStory
    ? undefined
    : standInTitles.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (standIn !== undefined && !(standIn === "robot_check" && facts.hasDate)) return standIn;
  const isHeadline = isLikelyStory && lastPart(path).split(/[-_]/).length > 4;
  const clear = isHeadline ? undefined : clearPaths.find(([pattern]) => pattern.test(path))?.[1];
  // Some systems put stories into the folder of their author, so there the page's own word counts.
  if (clear !== undefined && !(clear === "author_page" && ogType === "article")) return clear;
  return kindOfLayout(facts, path);
}

/** Returns "página no encontrada" for "Error 404: página no encontrada". A text that is only a code stays as it is. */
function withoutCode(text: string): string {
  return text
    .trim()
    .replace(
      /^(oops\W+|sorry\W+)?((error|fehler|erreur|erro|errore|fout|ошибка|błąd|hata)\s+)?(404\W+)?(?=\p{L})/iu,
      "",
    );
}

/**
 * Returns the kind of a page that is no story, whatever it calls itself. A root address shows another page tomorrow,
 * and documentation programs call every page an article.
 */
function whateverItSays({ url, generator }: KindFacts, path: string): NotStory | null {
  if (/^(\/index\.\w{3,5})?$/.test(path) && !namesStory(url)) return "home_page";
  if (reference.test(generator) || /^(\/[a-z]{2})?\/wiki\/./.test(path)) return "help_page";
  const host = URL.parse(url)?.host ?? "";
  return clearHosts.find(([pattern]) => pattern.test(host))?.[1] ?? null;
}

function kindOfLayout(
  { title, ogType, linkedTypes, hasDate, hasOtherStories, body }: KindFacts,
  path: string,
): NotStory | null {
  const isMicrodataArticle = [...body.itemTypes].some((type) => /^(\w*Article|BlogPosting)$/.test(type));
  const isList = body.prose < littleProse && body.links >= manyLinks;
  const calledArticle =
    /^(article|video\.(other|episode))$/.test(ogType ?? "") || (isMicrodataArticle && body.articles < 10);
  if (isList && body.articles >= 10) return "list_page";
  if (rootSectionPath.test(path) && (body.articles >= 3 || body.links >= manyLinks)) return "section_page";
  if (calledArticle || (hasDate && !hasOtherStories)) return null;
  if (body.hasPassword && body.prose < littleProse && body.links < 2 * manyLinks) return "sign_in_page";
  if (/\b(documentation|api reference)$/i.test(title?.trim() ?? "")) return "help_page";
  const likely = likelyPaths.find(([pattern]) => pattern.test(path))?.[1];
  const saysSite = [ogType ?? "", ...linkedTypes].some((type) => siteTypes.has(type));
  const looksLikeSite = saysSite || body.links >= manyLinks;
  if (likely !== undefined && looksLikeSite) return likely;
  if (listPath.test(path) && looksLikeSite) return "list_page";
  if (sectionPath.test(path) && looksLikeSite) return "section_page";
  if (isList) return "list_page";
  const isSlug = lastPart(path).split(/[-_]/).length > 2 || /\d{4}/.test(lastPart(path));
  if (ogType === "website" && (body.links >= manyLinks || body.prose > 0) && (!isSlug || body.prose < littleProse)) {
    return "website_page";
  }
  return null;
}

/** Returns "Page not found" for "Page not found | The Post". */
function withoutSiteName(title: string | null): string {
  return (title ?? "").split(/\s+[|–—·•:-]\s+/u)[0]!.trim();
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Returns whether a root address names a story. Some systems serve stories at the root, with a number in the query:
 * `/?p=123`.
 */
function namesStory(address: string): boolean {
  const query = URL.parse(address)?.searchParams;
  return ["p", "id", "article", "story", "post"].some((name) => /^\d+$/.test(query?.get(name) ?? ""));
}

/** Returns the path in lower case without a trailing slash, and "/search" for a home page with `?s=`. */
function pathOf(address: string): string {
  const url = URL.parse(address);
  const path = url?.pathname.toLowerCase().replace(/(?<!\/)\/+$/, "") ?? "";
  return path === "" && url?.searchParams.has("s") ? "/search" : path;
}
