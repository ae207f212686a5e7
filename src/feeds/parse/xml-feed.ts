import {
  type Entry,
  line,
  maxEntries,
  maxField,
  type ParsedFeed,
  plainText,
  type RawEntry,
  readEntry,
  webAddress,
} from "./entry.ts";
import { type Element, walkElements } from "./xml-elements.ts";

const roots: Record<string, ParsedFeed["format"]> = { rss: "rss", "rdf:rdf": "rdf", "atom:feed": "atom" };
const feedFields = new Set(["title", "ttl", "atom:title"]);
const entryFields = new Set([
  ...["title", "link", "guid", "pubdate", "dc:date", "category", "dc:subject", "description", "feedburner:origlink"],
  ...["atom:title", "atom:id", "atom:published", "atom:issued", "atom:updated", "atom:modified", "atom:summary"],
]);

/** The texts and links of a feed or an entry, in the order in which they came. */
type Marks = {
  fields: Map<string, string[]>;
  links: { rel: string; href: string }[];
  categories: string[];
  base: string;
};
type Field = { element: Element; text: string };

/**
 * RSS from 0.90 to 2.0, RDF and Atom (RFC 4287 and 0.3), or null where `xml` is none of them. What is broken or cut off
 * costs only the entries that it hits. `url`: where it was read.
 */
export function readXmlFeed(xml: string, url: string): ParsedFeed | null {
  const found = { format: null as ParsedFeed["format"] | null, root: null as Element | null };
  const feed = newMarks(url);
  const entries: Entry[] = [];
  let more = 0;
  let entry: { element: Element; marks: Marks } | null = null;
  let field: Field | null = null;

  const endEntry = () => {
    if (entries.length < maxEntries) entries.push(toEntry(entry!.marks));
    else more += 1;
    entry = null;
  };
  const { isCut } = walkElements(xml, {
    opened(element) {
      if (found.root === null && element.name in roots) {
        found.root = element;
        found.format = roots[element.name]!;
        feed.base = baseOf(element, feed.base);
      }
      if (found.root === null || field !== null) return;
      // An item cannot lie in another: the one before was never closed.
      if (entry !== null && element.name === "item") endEntry();
      if (entry === null && (element.name === "item" || element.name === "atom:entry")) {
        entry = { element, marks: newMarks(baseOf(element, feed.base)) };
        note(entry.marks, "about", aboutOf(element));
        return;
      }
      const marks = entry !== null ? entry.marks : feed;
      const isChild = entry !== null ? element.parent === entry.element : isOfFeed(element);
      if (!isChild) return;
      if (element.name === "atom:link") noteLink(marks, element);
      if (element.name === "atom:category")
        marks.categories.push(attributeOf(element, "label") || attributeOf(element, "term"));
      if ((entry !== null ? entryFields : feedFields).has(element.name)) field = { element, text: "" };
    },
    text(_element, text) {
      if (field !== null && field.text.length < maxField) field.text += text;
    },
    closed(element) {
      if (element === field?.element) {
        noteField(entry !== null ? entry.marks : feed, field);
        field = null;
      }
      if (element === entry?.element) endEntry();
    },
  });
  return found.format === null ? null : { ...viewFeed(found.format, feed), entries, isCut: isCut || more > 0 };
}

function newMarks(base: string): Marks {
  return { fields: new Map(), links: [], categories: [], base };
}

function isOfFeed({ parent }: Element): boolean {
  return parent?.name === "channel" || (parent !== null && parent.name in roots);
}

function baseOf(element: Element, base: string): string {
  const own = attributeOf(element, "xml:base");
  return own === "" ? base : (webAddress(own, base) ?? base);
}

function attributeOf(element: Element, name: string): string {
  return element.attributes.get(name) ?? "";
}

function aboutOf(element: Element): string {
  return [...element.attributes].find(([name]) => /^(.*:)?about$/.test(name))?.[1] ?? "";
}

function note(marks: Marks, name: string, text: string): void {
  const texts = marks.fields.get(name) ?? [];
  if (texts.length < 50) marks.fields.set(name, [...texts, text]);
}

function noteLink(marks: Marks, element: Element): void {
  const href = webAddress(attributeOf(element, "href"), baseOf(element, marks.base));
  const rel = attributeOf(element, "rel").trim().toLowerCase() || "alternate";
  if (href !== null && marks.links.length < 50) marks.links.push({ rel, href });
}

/** Titles of RSS are HTML whatever they say; those of Atom say it (RFC 4287 section 3.1.1). */
function noteField(marks: Marks, { element, text }: Field): void {
  const type = attributeOf(element, "type").toLowerCase();
  const isHtml = element.name.startsWith("atom:")
    ? /^(html|text\/html)$/.test(type)
    : /^(title|description|category)$/.test(element.name);
  note(marks, element.name, isHtml ? plainText(text) : text);
  if (element.name === "guid" && attributeOf(element, "ispermalink").trim().toLowerCase() !== "false") {
    note(marks, "permalink", /^\s*https?:/i.test(text) ? text : "");
  }
}

function toEntry(marks: Marks): Entry {
  const all = (...names: string[]) => names.flatMap((name) => marks.fields.get(name) ?? []);
  const raw: RawEntry = {
    guids: all("guid", "atom:id", "about"),
    links: [
      ...all("feedburner:origlink", "link"),
      ...marks.links.filter(({ rel }) => rel === "alternate").map(({ href }) => href),
      ...all("permalink", "about"),
      ...all("atom:id").filter((id) => /^\s*https?:/i.test(id)),
    ],
    base: marks.base,
    title: all("title", "atom:title").find((title) => title.trim() !== "") ?? "",
    summary: all("description", "atom:summary")[0] ?? "",
    categories: [...all("category", "dc:subject"), ...marks.categories],
    dates: all("pubdate", "dc:date", "atom:published", "atom:issued", "atom:updated", "atom:modified"),
  };
  return readEntry(raw);
}

function viewFeed(format: ParsedFeed["format"], marks: Marks): Omit<ParsedFeed, "entries" | "isCut"> {
  const linked = (rel: string) => marks.links.filter((link) => link.rel === rel).map(({ href }) => href);
  const ttl = /^\s*(\d{1,6})\s*$/.exec(marks.fields.get("ttl")?.[0] ?? "")?.[1];
  return {
    format,
    title: line([...(marks.fields.get("title") ?? []), ...(marks.fields.get("atom:title") ?? [])][0] ?? "", 300),
    ttlMinutes: ttl === undefined ? null : Number(ttl),
    hubs: linked("hub"),
    self: linked("self")[0] ?? null,
  };
}
