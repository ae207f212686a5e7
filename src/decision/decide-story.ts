import type { Page, PageFetcher, PageResult } from "../egress/fetch-page.ts";
import { urlRefusals } from "../egress/url-guard.ts";
import { appError } from "../errors.ts";
import { type Article, noArticle, type ReadPage, readArticle } from "./article.ts";
import { type Judgement, judge } from "./judge.ts";
import { type GivenNudge, type Nudge, writeNudge } from "./nudge.ts";
import { cleanText } from "./text.ts";

/** What preview answers, and what creation applies. */
export type Verdict = Judgement & { article: Article; nudge: Nudge };

export type StoryRequest = {
  url: string;
  given?: GivenNudge;
  /** The site's limit, in hours. Default 48. */
  freshnessHours?: number;
};

/**
 * Fetches a story, reads it, judges it and writes its nudge. A page that cannot be read is a `skip` with its reason, and an
 * article of nulls. Throws `url_not_allowed` for what the URL itself shows, and for nothing else. `now`: ms since 1970.
 */
export async function decideStory(
  { pages, now }: { pages: Pick<PageFetcher, "fetchPage">; now: () => number },
  { url, given = {}, freshnessHours = 48 }: StoryRequest,
): Promise<Verdict> {
  const result = await pages.fetchPage(url);
  if (result.kind === "refused") {
    throw appError("url_not_allowed", { errors: [{ path: "/url", message: urlRefusals[result.reason] }] });
  }
  const fetched = result.kind === "page" ? { ...result, isHtml: isHtml(result) } : result;
  const { article, signs } = readStory(url, result);
  const has = { title: cleanText(given.title ?? "") !== "", imageUrl: given.imageUrl != null };
  const judgement = judge({ fetched, article, signs, given: has, freshnessHours }, now());
  return { ...judgement, article, nudge: writeNudge(article, given) };
}

function readStory(url: string, result: PageResult): ReadPage | { article: Article; signs: null } {
  if (result.kind !== "page") return { article: noArticle(url), signs: null };
  if (result.status !== 200 || !isHtml(result)) return { article: noArticle(result.url), signs: null };
  return readArticle(result);
}

/** A missing content type is not held against a page that begins as HTML. */
function isHtml({ contentType, body }: Page): boolean {
  if (contentType !== "") return contentType === "text/html" || contentType === "application/xhtml+xml";
  return /<(!doctype html|html|head|title)\b/i.test(body.subarray(0, 1024).toString("latin1"));
}
