import type { Article } from "./page/article.ts";

/** What a feed says of a story. `publishedAt`: ISO-8601. */
export type Announced = Pick<Article, "title" | "description" | "imageUrl" | "publishedAt">;

/** A shorter text may be part of another headline by chance. */
const headlineAtLeast = 12;

/**
 * Returns what page and feed say of a story together. The page comes first, because readers see it. The feed has what the
 * page lacks, and the headline where that of the page contains it: the rest is the site's name or its section.
 */
export function completeArticle(said: Article, announced: Announced | undefined): Article {
  if (announced === undefined) return said;
  return {
    ...said,
    title: isWithin(announced.title, said.title) ? announced.title : (said.title ?? announced.title),
    description: said.description ?? announced.description,
    imageUrl: said.imageUrl ?? announced.imageUrl,
    publishedAt: said.publishedAt ?? announced.publishedAt,
  };
}

function isWithin(part: string | null, whole: string | null): boolean {
  if (part === null || whole === null || part.length < headlineAtLeast) return false;
  return whole.toLowerCase().includes(part.toLowerCase());
}
