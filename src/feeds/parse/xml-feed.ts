import { type Entry, maxEntries, maxField, type ParsedFeed } from "./entry.ts";
import {
  aboutOf,
  addField,
  addLink,
  addText,
  attributeOf,
  baseOf,
  type Content,
  type Field,
  feedOf,
  isPicture,
  newContent,
  relationOf,
  toEntry,
} from "./xml-content.ts";
import { type Element, walkElements } from "./xml-elements.ts";
import { canonicalNamespace, newsNamespace } from "./xml-namespaces.ts";

/** Root elements and the formats that they stand for. */
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
  ...["content:encoded", "atom:content", "loc", "news:title", "news:publication_date", "news:keywords", "image:loc"],
]);
/** Elements within an entry that hold fields of the entry. */
const groups = new Set(["news:news", "image:image", "media:group"]);

/**
 * Reads RSS 0.90 to 2.0 (also as RDF), Atom (RFC 4287, and 0.3) and news sitemaps. Returns null if `xml` is none of
 * them. Broken markup loses only the entries that contain it. `url`: the address of the document.
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
    // Pages of a sitemap without news are not entries.
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
      // An item cannot contain another one, so the item before was never closed.
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
      if (isPicture(element)) addText(content, element.name, attributeOf(element, "url"));
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

/**
 * Returns whether an element is a field of the entry. Fields of a sitemap's news and pictures, and of a media group,
 * are one level deeper.
 */
function isInEntry({ parent }: Element, entry: Element): boolean {
  return parent === entry || (parent !== null && groups.has(parent.name) && parent.parent === entry);
}

/** Returns whether a sitemap is meant for news. Such a sitemap may have no news for a while. */
function isForNews({ attributes }: Element): boolean {
  return [...attributes].some(([name, value]) => /^xmlns:/.test(name) && canonicalNamespace(value) === newsNamespace);
}

/** Returns whether an element is a link with the address as its text. RSS has such links, and so has some Atom. */
function isTextLink(element: Element): boolean {
  return element.name === "atom:link" && attributeOf(element, "href") === "" && relationOf(element) === "alternate";
}

/** Returns whether an element is a child of the feed itself: of RSS's channel or of the root. */
function isInFeed({ parent }: Element): boolean {
  return parent?.name === "channel" || (parent !== null && roots.has(parent.name));
}
