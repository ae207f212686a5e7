/** One node that JSON-LD describes, with its types' local names ("https://schema.org/NewsArticle" is "NewsArticle"). */
export type JsonLdNode = { types: string[]; value: Record<string, unknown> };

/** Schema.org's articles, and then the other works that a publisher sends as a story. */
const articleTypes = [
  /(Article|BlogPosting|Report)$/,
  /^(MediaGallery|ImageGallery|VideoObject|PodcastEpisode|Recipe|Review)$/,
];
const maxNodes = 1000;
/** In UTF-16 units. A story's account of itself takes a few thousand. */
const maxScript = 512 * 1024;

/**
 * The nodes that JSON-LD scripts describe: at the top, in arrays, in @graph and as `mainEntity`. Not what these refer to
 * further down, such as the stories that an ItemList names. At most 1,000. A script that is not JSON, or over
 * 512 Ki characters, counts for nothing.
 */
export function readJsonLd(scripts: string[]): JsonLdNode[] {
  const nodes: JsonLdNode[] = [];
  const waiting: unknown[] = scripts.map(parseLoosely);
  // A list that is read while it grows: nesting costs no stack.
  for (let next = 0; next < waiting.length && next < maxNodes; next += 1) {
    const value = waiting[next];
    if (Array.isArray(value)) {
      waiting.push(...value.slice(0, maxNodes));
    } else if (isRecord(value)) {
      nodes.push({ types: typesOf(value["@type"]), value });
      waiting.push(value["@graph"], value.mainEntity);
    }
  }
  return nodes;
}

/** The nodes that are articles, in schema.org's words. */
export function articleNodes(nodes: JsonLdNode[]): JsonLdNode[] {
  return nodes.filter(({ types }) => types.some((type) => articleTypes[0]!.test(type)));
}

/**
 * The node that is the story of this page, if one is: an article, else a work of another kind. Of several the one that
 * gives an address of this page (`isHere`) as its own, else one that gives none: a list describes the stories elsewhere.
 */
export function findArticleNode(nodes: JsonLdNode[], isHere: (address: string) => boolean): JsonLdNode | null {
  for (const kind of articleTypes) {
    const found = nodes.filter(({ types }) => types.some((type) => kind.test(type)));
    const own = found.find((node) => addressesOf(node).some(isHere));
    const nameless = found.find((node) => addressesOf(node).length === 0);
    if (found.length > 0) return own ?? (found.length === 1 ? found[0]! : (nameless ?? null));
  }
  return null;
}

/** Where a node says that it is: its url, its main page and its id. */
export function addressesOf({ value }: JsonLdNode): string[] {
  return [value.mainEntityOfPage, value.url, value["@id"]].flatMap(textsIn);
}

export function hasType(nodes: JsonLdNode[], ...types: string[]): boolean {
  return nodes.some((node) => node.types.some((type) => types.includes(type)));
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
export function textsIn(value: unknown): string[] {
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
