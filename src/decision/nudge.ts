import { cleanText } from "../reading/text.ts";
import type { Article } from "./page/article.ts";
import { cutAtWord } from "./text.ts";

/**
 * The longest texts of a notification, in Unicode code points after `cleanText`. The dashboard repeats them
 * (compose/draft.ts).
 */
export const maxTitleLength = 120;
export const maxBodyLength = 240;

/**
 * The texts of the caller. An absent, null or empty text counts as not given, but an empty `imageUrl` means no
 * picture.
 */
export type GivenNudge = {
  title?: string | null | undefined;
  body?: string | null | undefined;
  imageUrl?: string | null | undefined;
};

export type Nudge = { title: string | null; body: string | null; imageUrl: string | null };

/**
 * Returns the notification of a story. It has the caller's texts, whose lengths the request's schema has checked, or
 * else the texts of the article, cut to the limits. `title` and `body` are null if neither has one.
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
