import { plainText } from "../../reading/plain-text.ts";
import { readText } from "../../reading/text.ts";
import { webAddress } from "../web-address.ts";
import { type Entry, type ParsedFeed, type RawEntry, readEntry } from "./entry.ts";
import type { Element } from "./xml-elements.ts";

/**
 * The texts and links of a feed or an entry, in document order. `base`: the address to which its links are relative.
 */
export type Content = {
  fields: Map<string, string[]>;
  links: { rel: string; href: string; type: string }[];
  categories: string[];
  base: string;
};
export type Field = { element: Element; text: string };

export function newContent(base: string): Content {
  return { fields: new Map(), links: [], categories: [], base };
}

/**
 * Returns the address to which the links of an element are relative: its xml:base (XML Base section 4), or that of its
 * parent.
 */
export function baseOf(element: Element, base: string): string {
  const own = attributeOf(element, "xml:base");
  return own === "" ? base : (webAddress(own, base) ?? base);
}

export function attributeOf(element: Element, name: string): string {
  return element.attributes.get(name) ?? "";
}

/** Returns the rdf:about of an item of RSS 1.0 (section 5.5), which is its address. */
export function aboutOf(element: Element): string {
  return [...element.attributes].find(([name]) => /^(.*:)?about$/.test(name))?.[1] ?? "";
}

export function addText(content: Content, name: string, text: string): void {
  const texts = content.fields.get(name) ?? [];
  if (texts.length < 50) content.fields.set(name, [...texts, text]);
}

/**
 * Returns whether an element is a picture of an entry: an enclosure (RSS 2.0) or an element of Media RSS. A thumbnail
 * is one by its name.
 */
export function isPicture(element: Element): boolean {
  if (element.name === "media:thumbnail") return true;
  if (element.name !== "enclosure" && element.name !== "media:content") return false;
  return /^image\//i.test(attributeOf(element, "type").trim()) || attributeOf(element, "medium").trim() === "image";
}

/** Returns the relation of a link. A link without one is an alternate link (RFC 4287 section 4.2.7.2). */
export function relationOf(element: Element): string {
  return attributeOf(element, "rel").trim().toLowerCase() || "alternate";
}

export function addLink(content: Content, element: Element): void {
  const href = webAddress(attributeOf(element, "href"), baseOf(element, content.base));
  const type = attributeOf(element, "type").trim().toLowerCase();
  if (href !== null && content.links.length < 50) content.links.push({ rel: relationOf(element), href, type });
}

/** Returns the alternate links: the entry's page first, then other forms of it, such as its data as JSON. */
function alternatesOf({ links }: Content): string[] {
  const rank = (type: string) => (/^(text\/html|application\/xhtml\+xml)\b/.test(type) ? 0 : type === "" ? 1 : 2);
  return links
    .filter(({ rel }) => rel === "alternate")
    .sort((a, b) => rank(a.type) - rank(b.type))
    .map(({ href }) => href);
}

/**
 * Stores the text of a field. Titles, descriptions and categories of RSS are read as HTML. Atom says by `type` whether
 * a text is HTML (RFC 4287 section 3.1.1). A guid of RSS 2.0 is the entry's link unless isPermaLink is false.
 */
export function addField(content: Content, { element, text }: Field): void {
  const type = attributeOf(element, "type").toLowerCase();
  const isHtml = element.name.startsWith("atom:")
    ? /^(html|text\/html)$/.test(type)
    : /^(title|description|category|content:encoded)$/.test(element.name);
  addText(content, element.name, isHtml ? plainText(text) : text);
  if (element.name === "guid" && attributeOf(element, "ispermalink").trim().toLowerCase() !== "false") {
    addText(content, "permalink", /^\s*https?:/i.test(text) ? text : "");
  }
}

/** Builds the entry. Links and dates are in order of preference, and the first one that can be read is used. */
export function toEntry(content: Content): Entry {
  const all = (...names: string[]) => names.flatMap((name) => content.fields.get(name) ?? []);
  const raw: RawEntry = {
    guids: all("guid", "atom:id", "about"),
    links: [
      ...all("feedburner:origlink", "link"),
      ...alternatesOf(content),
      ...all("atom:link", "loc"),
      ...all("permalink", "about"),
      ...all("atom:id").filter((id) => /^\s*https?:/i.test(id)),
    ],
    base: content.base,
    title: firstText(all("title", "atom:title", "news:title")),
    summary: firstText(all("description", "atom:summary", "content:encoded", "atom:content")),
    pictures: [
      ...all("media:content", "enclosure"),
      ...content.links.filter(({ rel, type }) => rel === "enclosure" && /^image\//.test(type)).map(({ href }) => href),
      ...all("image:loc", "media:thumbnail"),
    ],
    categories: [
      ...[...all("category", "dc:subject"), ...content.categories],
      ...all("news:keywords").flatMap((words) => words.split(",", 100)),
    ],
    dates: all(
      "pubdate",
      "news:publication_date",
      "dc:date",
      "atom:published",
      "atom:issued",
      "atom:updated",
      "atom:modified",
    ),
  };
  return readEntry(raw);
}

function firstText(texts: string[]): string {
  return texts.find((text) => text.trim() !== "") ?? "";
}

export function feedOf(format: ParsedFeed["format"], content: Content): Omit<ParsedFeed, "entries" | "isCut"> {
  const withRelation = (rel: string) => content.links.filter((link) => link.rel === rel).map(({ href }) => href);
  const ttl = /^\s*(\d{1,6})\s*$/.exec(content.fields.get("ttl")?.[0] ?? "")?.[1];
  return {
    format,
    title: readText(
      [...(content.fields.get("title") ?? []), ...(content.fields.get("atom:title") ?? [])][0] ?? "",
      300,
    ),
    ttlMinutes: ttl === undefined ? null : Number(ttl),
    hubs: withRelation("hub"),
    self: withRelation("self")[0] ?? null,
  };
}
