import type { Article } from "./page/article.ts";
import { cleanText, cutAtWord } from "./text.ts";

/** In Unicode code points, after `cleanText`. */
export const maxTitleLength = 120;
export const maxBodyLength = 240;

/** What the caller has written. Absent, null and empty texts are not given; an empty `imageUrl` clears the picture. */
export type GivenNudge = {
  title?: string | null | undefined;
  body?: string | null | undefined;
  imageUrl?: string | null | undefined;
};

export type Nudge = { title: string | null; body: string | null; imageUrl: string | null };

/**
 * What readers will see: the caller's own texts as they are (their lengths were judged at the door), the article's cut to
 * length. `title` is null when neither has one, `body` too.
 */
export function writeNudge(
  article: Pick<Article, "title" | "description" | "imageUrl">,
  given: GivenNudge = {},
): Nudge {
  return {
    title: cleanText(given.title ?? "") || cut(article.title, maxTitleLength),
    body: cleanText(given.body ?? "") || cut(article.description, maxBodyLength),
    imageUrl: given.imageUrl === "" ? null : (given.imageUrl ?? article.imageUrl),
  };
}

function cut(text: string | null, limit: number): string | null {
  return text === null ? null : cutAtWord(text, limit);
}
