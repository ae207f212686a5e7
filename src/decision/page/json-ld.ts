import { parseStructuredData } from "../../reading/structured-data.ts";
import { readAddress } from "../../reading/text.ts";

/** A JSON-LD node object. `types`: local names, "NewsArticle" for "https://schema.org/NewsArticle". */
export type JsonLdNode = { types: string[]; value: Record<string, unknown> };

/** Types of schema.org: first those of articles, then those of other works that publishers send as a story. */
const articleTypes = [
  /(Article|BlogPosting|Report)$/,
  /^(MediaGallery|ImageGallery|VideoObject|PodcastEpisode|Recipe|Review)$/,
];
const maxNodes = 1000;
/** In UTF-16 units. Longer strings are cut, because no title, description or address that is used is longer. */
const maxText = 4096;

/**
 * Reads the nodes of JSON-LD scripts: at the top level, in arrays, in @graph and as `mainEntity`. Does not read other
 * properties, such as the stories that an ItemList names. Returns at most 1,000 nodes. If a script breaks off, as in a
 * page that was cut, the nodes before the break are read. Ignores a script that is not JSON.
 */
export function readJsonLd(scripts: string[]): JsonLdNode[] {
  const nodes: JsonLdNode[] = [];
  const queue: unknown[] = scripts.map((script) => parseStructuredData(script).value);
  // A queue instead of recursion, so that deep nesting cannot overflow the stack.
  for (let next = 0; next < queue.length && next < maxNodes; next += 1) {
    const value = queue[next];
    if (Array.isArray(value)) {
      queue.push(...value.slice(0, maxNodes));
    } else if (isRecord(value)) {
      nodes.push({ types: typesOf(value["@type"]), value });
      queue.push(value["@graph"], value.mainEntity);
    }
  }
  return nodes;
}

/** Returns the nodes whose type is an article of schema.org. */
export function articleNodes(nodes: JsonLdNode[]): JsonLdNode[] {
  return nodes.filter(({ types }) => types.some((type) => articleTypes[0]!.test(type)));
}

/**
 * Returns the node that describes the story of this page: an article, else another work, else null. If there are
 * several, takes the one with an address of this page (`isHere`), else one without an address. Nodes with other
 * addresses are entries of a list that lead to other pages.
 */
export function findArticleNode(nodes: JsonLdNode[], isHere: (address: string) => boolean): JsonLdNode | null {
  for (const kind of articleTypes) {
    const found = nodes.filter(({ types }) => types.some((type) => kind.test(type)));
    const own = found.find((node) => addressesOf(node).some(isHere));
    const withoutAddress = found.find((node) => addressesOf(node).length === 0);
    if (found.length > 0) return own ?? (found.length === 1 ? found[0]! : (withoutAddress ?? null));
  }
  return null;
}

/** Returns the addresses of a node: its main page, its url and its id. */
export function addressesOf({ value }: JsonLdNode): string[] {
  return [value.mainEntityOfPage, value.url, value["@id"]].flatMap(textsIn).map(readAddress);
}

export function hasType(nodes: JsonLdNode[], ...types: string[]): boolean {
  return nodes.some((node) => node.types.some((type) => types.includes(type)));
}

/**
 * Returns `value` if it is a string, else the text of a list's first member, or an object's address or value. Cuts the
 * text to `maxText`. Returns null if there is no text.
 */
function firstText(value: unknown): string | null {
  let current = value;
  for (let depth = 0; depth < 4; depth += 1) {
    if (typeof current === "string") return current.slice(0, maxText);
    if (Array.isArray(current)) current = current[0];
    else if (isRecord(current)) current = current.url ?? current.contentUrl ?? current["@value"] ?? current["@id"];
  }
  return null;
}

/** Returns the texts in `value`: one for each member of a list, at most 10 of 4,096 characters. */
export function textsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value.slice(0, 10) : [value];
  return list.map(firstText).filter((text) => text !== null);
}

/** Returns the dates in `value`. Some pages write a date as a number of seconds or milliseconds since 1970. */
export function datesIn(value: unknown): string[] {
  return typeof value === "number" ? [String(value)] : textsIn(value);
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
