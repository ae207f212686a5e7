import type { Article, ReadPage } from "./page/article.ts";
import { pickDescription } from "./page/description.ts";
import { pickPicture } from "./page/picture.ts";
import { pickTitle } from "./page/title.ts";

/** What a feed says of a story. `publishedAt`: ISO-8601. */
export type Announced = Pick<Article, "title" | "description" | "imageUrl" | "publishedAt">;

/**
 * The fewest characters of a feed's title that count as a part of the page's headline. A shorter text may be in it by
 * chance.
 */
const headlineAtLeast = 12;

/**
 * Reads what a feed says as if a page said it. Takes the site's name out of the title. Drops a description that is
 * only a name or boilerplate, and a picture that is a logo or a stand-in. `site`: its names and logos.
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
 * Returns what page and feed together say of a story. The page comes first, because readers see it. The feed gives
 * what the page lacks. It also gives the headline if the page's headline contains it: the rest is then the site's name
 * or section.
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
