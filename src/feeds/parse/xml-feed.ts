import { plainText } from "../../decision/page/plain-text.ts";
import { webAddress } from "../web-address.ts";
import { type Entry, line, maxEntries, maxField, type ParsedFeed, type RawEntry, readEntry } from "./entry.ts";
import { type Element, walkElements } from "./xml-elements.ts";
import { canonicalNamespace, newsNamespace } from "./xml-namespaces.ts";

/** Root elements, and the formats that they name. */
const roots = new Map<string, ParsedFeed["format"]>([
  ["rss", "rss"],
  ["rdf:rdf", "rdf"],
  ["atom:feed", "atom"],
  ["urlset", "sitemap"],
]);
/** Child elements of the feed and of an entry whose text is read. */
const feedFields = new Set(["title", "ttl", "atom:title"]);
const entryFields = new Set([
  ...["title", "link", "guid", "pubdate", "dc:date", "category", "dc:subject", "description", "feedburner:origlink"],
  ...["atom:title", "atom:id", "atom:published", "atom:issued", "atom:updated", "atom:modified", "atom:summary"],
  ...["loc", "news:title", "news:publication_date", "news:keywords"],
]);

/**
 * The texts and links of a feed or of an entry, in document order. `base`: the address to which its links are relative.
 */
type Content = {
  fields: Map<string, string[]>;
  links: { rel: string; href: string; type: string }[];
  categories: string[];
  base: string;
};
type Field = { element: Element; text: string };

/**
 * Reads RSS 0.90 to 2.0 (also as RDF), Atom (RFC 4287, and 0.3) and news sitemaps. Returns null if `xml` is none of
 * them. Broken markup loses only the entries that it is in. `url`: the address that the document was read from.
 */
export function readXmlFeed(xml: string, url: string): ParsedFeed | null {
  const found = { format: null as ParsedFeed["format"] | null, root: null as Element | null };
  const feed = newContent(url);
  const entries: Entry[] = [];
  let surplus = 0;
  let entry: { element: Element; content: Content } | null = null;
  let field: Field | null = null;

  const endEntry = () => {
    const { content } = entry!;
    entry = null;
    // Other pages of a sitemap are no news.
    if (found.format === "sitemap" && !content.fields.has("news")) return;
    if (entries.length < maxEntries) entries.push(toEntry(content));
    else surplus += 1;
  };
  const { isCut } = walkElements(xml, {
    opened(element) {
      if (found.root === null && roots.has(element.name)) {
        found.root = element;
        found.format = roots.get(element.name)!;
        feed.base = baseOf(element, feed.base);
      }
      if (found.root === null || field !== null) return;
      // An item cannot contain another: the one before was never closed.
      if (entry !== null && element.name === "item") endEntry();
      if (entry === null && isEntry(element, found.format!)) {
        entry = { element, content: newContent(baseOf(element, feed.base)) };
        addText(entry.content, "about", aboutOf(element));
        return;
      }
      const content = entry !== null ? entry.content : feed;
      const isChild = entry !== null ? isInEntry(element, entry.element) : isInFeed(element);
      if (!isChild) return;
      if (element.name === "atom:link") addLink(content, element);
      if (element.name === "news:news") addText(content, "news", "");
      if (element.name === "atom:category")
        content.categories.push(attributeOf(element, "label") || attributeOf(element, "term"));
      const isField =
        entry !== null ? entryFields.has(element.name) || isTextLink(element) : feedFields.has(element.name);
      if (isField) field = { element, text: "" };
    },
    text(_element, text) {
      if (field !== null && field.text.length < maxField) field.text += text;
    },
    closed(element) {
      if (element === field?.element) {
        addField(entry !== null ? entry.content : feed, field);
        field = null;
      }
      if (element === entry?.element) endEntry();
    },
  });
  if (found.format === null) return null;
  if (found.format === "sitemap" && entries.length === 0 && !isForNews(found.root!)) return null;
  return { ...feedOf(found.format, feed), entries, isCut: isCut || surplus > 0 };
}

function isEntry({ name, parent }: Element, format: ParsedFeed["format"]): boolean {
  return format === "sitemap" ? name === "url" && parent?.name === "urlset" : name === "item" || name === "atom:entry";
}

/** The fields of a sitemap's news are one level deeper. */
function isInEntry({ parent }: Element, entry: Element): boolean {
  return parent === entry || (parent?.name === "news:news" && parent.parent === entry);
}

/** Whether a sitemap is meant for news, so that it may be without any for a while. */
function isForNews({ attributes }: Element): boolean {
  return [...attributes].some(([name, value]) => /^xmlns:/.test(name) && canonicalNamespace(value) === newsNamespace);
}

/** Some Atom has the address as the text of a link, as RSS has. */
function isTextLink(element: Element): boolean {
  return element.name === "atom:link" && attributeOf(element, "href") === "" && relationOf(element) === "alternate";
}

function newContent(base: string): Content {
  return { fields: new Map(), links: [], categories: [], base };
}

/** Whether an element is a child of the feed itself: of RSS's channel, or of the root. */
function isInFeed({ parent }: Element): boolean {
  return parent?.name === "channel" || (parent !== null && roots.has(parent.name));
}

/**
 * The address to which the links of an element are relative: its xml:base (XML Base section 4), or that of its parent.
 */
function baseOf(element: Element, base: string): string {
  const own = attributeOf(element, "xml:base");
  return own === "" ? base : (webAddress(own, base) ?? base);
}

function attributeOf(element: Element, name: string): string {
  return element.attributes.get(name) ?? "";
}

/** The rdf:about of an item of RSS 1.0 (section 5.5): its address. */
function aboutOf(element: Element): string {
  return [...element.attributes].find(([name]) => /^(.*:)?about$/.test(name))?.[1] ?? "";
}

function addText(content: Content, name: string, text: string): void {
  const texts = content.fields.get(name) ?? [];
  if (texts.length < 50) content.fields.set(name, [...texts, text]);
}

/** A link without a relation is an alternate one (RFC 4287 section 4.2.7.2). */
function relationOf(element: Element): string {
  return attributeOf(element, "rel").trim().toLowerCase() || "alternate";
}

function addLink(content: Content, element: Element): void {
  const href = webAddress(attributeOf(element, "href"), baseOf(element, content.base));
  const type = attributeOf(element, "type").trim().toLowerCase();
  if (href !== null && content.links.length < 50) content.links.push({ rel: relationOf(element), href, type });
}

/** The entry's page before other forms of it, such as its data as JSON. */
function alternatesOf({ links }: Content): string[] {
  const rank = (type: string) => (/^(text\/html|application\/xhtml\+xml)\b/.test(type) ? 0 : type === "" ? 1 : 2);
  return links
    .filter(({ rel }) => rel === "alternate")
    .sort((a, b) => rank(a.type) - rank(b.type))
    .map(({ href }) => href);
}

/**
 * Stores the text of a field. Titles, descriptions and categories of RSS are read as HTML; Atom says so by `type` (RFC
 * 4287 section 3.1.1). A guid of RSS 2.0 is the entry's link unless isPermaLink is false.
 */
function addField(content: Content, { element, text }: Field): void {
  const type = attributeOf(element, "type").toLowerCase();
  const isHtml = element.name.startsWith("atom:")
    ? /^(html|text\/html)$/.test(type)
    : /^(title|description|category)$/.test(element.name);
  addText(content, element.name, isHtml ? plainText(text) : text);
  if (element.name === "guid" && attributeOf(element, "ispermalink").trim().toLowerCase() !== "false") {
    addText(content, "permalink", /^\s*https?:/i.test(text) ? text : "");
  }
}

/** Links and dates in the order in which they are preferred: the first that can be read is used. */
function toEntry(content: Content): Entry {
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
    title: all("title", "atom:title", "news:title").find((title) => title.trim() !== "") ?? "",
    summary: all("description", "atom:summary")[0] ?? "",
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

function feedOf(format: ParsedFeed["format"], content: Content): Omit<ParsedFeed, "entries" | "isCut"> {
  const withRelation = (rel: string) => content.links.filter((link) => link.rel === rel).map(({ href }) => href);
  const ttl = /^\s*(\d{1,6})\s*$/.exec(content.fields.get("ttl")?.[0] ?? "")?.[1];
  return {
    format,
    title: line([...(content.fields.get("title") ?? []), ...(content.fields.get("atom:title") ?? [])][0] ?? "", 300),
    ttlMinutes: ttl === undefined ? null : Number(ttl),
    hubs: withRelation("hub"),
    self: withRelation("self")[0] ?? null,
  };
}
