/** One thing that JSON-LD describes, with its types' local names ("https://schema.org/NewsArticle" is "NewsArticle"). */
export type LinkedThing = { types: string[]; value: Record<string, unknown> };

/** Schema.org's articles, and then the other works that a publisher sends as a story. */
const articleTypes = [
  /(Article|BlogPosting|Report)$/,
  /^(MediaGallery|ImageGallery|VideoObject|PodcastEpisode|Recipe|Review)$/,
];
/** Kinds of page that list or lead to stories and are none. */
const listingTypes = new Set(["CollectionPage", "SearchResultsPage"]);

const maxThings = 1000;
/** In UTF-16 units. A story's account of itself takes a few thousand. */
const maxScript = 512 * 1024;

/**
 * The things that JSON-LD scripts describe: at the top, in arrays, in @graph and as `mainEntity`. Not what these refer to
 * further down, such as the stories that an ItemList names. At most 1,000. A script that is not JSON, or over
 * 512 Ki characters, counts for nothing.
 */
export function readThings(scripts: string[]): LinkedThing[] {
  const things: LinkedThing[] = [];
  const waiting: unknown[] = scripts.map(parseLoosely);
  // A list that is read while it grows: nesting costs no stack.
  for (let next = 0; next < waiting.length && next < maxThings; next += 1) {
    const value = waiting[next];
    if (Array.isArray(value)) {
      waiting.push(...value.slice(0, maxThings));
    } else if (isRecord(value)) {
      things.push({ types: typesOf(value["@type"]), value });
      waiting.push(value["@graph"], value.mainEntity);
    }
  }
  return things;
}

/** The thing that is the story of this page, if one is: the first article, else the first work of another kind. */
export function articleThing(things: LinkedThing[]): LinkedThing | null {
  const first = (kind: RegExp) => things.find(({ types }) => types.some((type) => kind.test(type)));
  return articleTypes.map(first).find((thing) => thing !== undefined) ?? null;
}

/** Does the page say that it lists stories, or leads to them? */
export function isListing(things: LinkedThing[]): boolean {
  return things.some(({ types }) => types.some((type) => listingTypes.has(type)));
}

/** The text that `value` is, or that it leads to as a list's first or as an object's address or value. */
function firstText(value: unknown): string | null {
  let current = value;
  for (let depth = 0; depth < 4; depth += 1) {
    if (typeof current === "string") return current;
    if (Array.isArray(current)) current = current[0];
    else if (isRecord(current)) current = current.url ?? current.contentUrl ?? current["@value"] ?? current["@id"];
  }
  return null;
}

/** All texts in `value`, one of each member of a list. At most 10. */
export function allTexts(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, 10) : [value];
  return list.map(firstText).filter((text) => text !== null);
}

/** Publishers wrap JSON in comments and leave line breaks inside of strings: both are forgiven. */
function parseLoosely(script: string): unknown {
  if (script.length > maxScript) return null;
  const bare = script.replace(/^\s*(<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, "").replace(/(-->|(\/\/\s*)?\]\]>)\s*$/, "");
  for (const text of new Set([bare, bare.replace(/\p{Cc}+/gu, " ")])) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // the next form, or nothing
    }
  }
  return null;
}

function typesOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, 10) : [value];
  return list
    .filter((type) => typeof type === "string")
    .map((type) => type.slice(0, 200).replace(/^.*[/#:]/, ""))
    .filter((type) => /^\w{1,64}$/.test(type));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
