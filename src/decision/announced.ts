import type { Article, ReadPage } from "./page/article.ts";
import { pickDescription } from "./page/description.ts";
import { pickPicture } from "./page/picture.ts";
import { pickTitle } from "./page/title.ts";

/** What a feed says of a story. `publishedAt`: ISO-8601. */
export type Announced = Pick<Article, "title" | "description" | "imageUrl" | "publishedAt">;

/** A shorter text may be part of another headline by chance. */
const headlineAtLeast = 12;

/**
 * Reads what a feed says as what a page says: the title without the site's name, a description that is one, and a
 * picture that is none of the site. `site`: its names and logos.
 */
export function readAnnounced(announced: Announced, url: string, { names, logos }: ReadPage["site"]): Announced {
  const [titles, descriptions, pictures] = [announced.title, announced.description, announced.imageUrl].map((value) =>
    value === null ? [] : [value],
  ) as [string[], string[], string[]];
  const nothing = { headlines: [], headings: [], subheadings: [] };
  const title = pickTitle({ candidates: titles, ...nothing, siteNames: names, url });
  return {
    title,
    description: pickDescription({
      candidates: descriptions,
      slogans: [],
      names: [title ?? "", ...names],
      paragraphs: () => [],
    }),
    imageUrl: pickPicture({ candidates: pictures, logos, base: url, widths: [] }),
    publishedAt: announced.publishedAt,
  };
}

/**
 * Returns what page and feed say of a story together. The page comes first, because readers see it. The feed has what
 * the page lacks, and the headline where that of the page contains it: the rest is the site's name or its section.
 */
export function completeArticle(said: Article, announced: Announced | null): Article {
  if (announced === null) return said;
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
