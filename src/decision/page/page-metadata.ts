import type { TokenizerCallbacks } from "htmlparser2";
import { type MarkupReader, readTogether } from "../../reading/tokenize-markup.ts";

/** The metadata of a page as written: not resolved, cleaned or checked. */
export type PageMetadata = {
  /** The first <title> outside of an SVG. */
  title: string | null;
  /** Contents by lower-case name, property, itemprop or http-equiv, at most `maxValues` each, in order. */
  metas: Map<string, string[]>;
  canonical: string | null;
  lang: string | null;
  /** <html amp> or <html ⚡>. */
  isAmp: boolean;
  /** The number of links with rel=sponsored. */
  sponsoredLinks: number;
  /** The address to which the page's links are relative, if it is not the page's own. */
  base: string | null;
  /** Links with rel=alternate and a type, such as feeds. At most `maxValues`. */
  alternates: { href: string; type: string; title: string }[];
  /** The texts of the JSON-LD scripts. */
  jsonLd: string[];
};

/** In UTF-16 units. Longer attributes and titles are cut. */
const maxText = 4096;
const maxValues = 10;
const maxJsonLdBlocks = 20;
const readTags = new Set(["html", "meta", "link", "script", "a", "base"]);
const readAttributes = new Set([
  ...["name", "property", "itemprop", "http-equiv", "content"],
  ...["rel", "href", "lang", "type", "title", "src", "amp", "⚡"],
]);

/** The beginning of JSON-LD in a script without a type. */
const untypedJsonLd = /^\s*[[{]\s*[[{]?\s*"@(?:context|type|graph|id)"/;

type Attributes = Map<string, string>;

/** Reads the metadata of an HTML page in linear time. */
export function readMetadata(html: string): PageMetadata {
  return readTogether<[PageMetadata]>(html, [metadataReader(html)])[0];
}

/** Creates a reader of the metadata, which works together with other readers. */
export function metadataReader(html: string): MarkupReader<PageMetadata> {
  const nothing = { title: null, canonical: null, base: null, lang: null, isAmp: false, sponsoredLinks: 0 };
  const metadata: PageMetadata = { ...nothing, metas: new Map(), alternates: [], jsonLd: [] };
  let tag = "";
  let attributes: Attributes = new Map();
  let attribute = "";
  let value = "";
  let svgDepth = 0;
  let text: string[] | null = null;
  /** Whether a script without a type has begun. */
  let isUntyped = false;

  const onOpened = () => {
    if (tag === "svg") svgDepth += 1;
    if (tag === "title" && svgDepth === 0 && metadata.title === null) text = [];
    if (tag === "script" && metadata.jsonLd.length < maxJsonLdBlocks) {
      isUntyped = !attributes.has("type") && !attributes.has("src");
      if (isUntyped || isJsonLd(attributes)) text = [];
    }
    if (readTags.has(tag)) recordElement(metadata, tag, attributes);
  };
  const onTextEnd = () => {
    if (text !== null && tag === "title") metadata.title = text.join("").slice(0, maxText);
    if (text !== null && tag === "script" && !isUntyped) metadata.jsonLd.push(text.join(""));
    text = null;
    isUntyped = false;
  };
  const handler: Partial<TokenizerCallbacks> = {
    onopentagname: (start, end) => {
      if (text !== null) onTextEnd(); // An unclosed title ends at the next tag that the tokenizer reports.
      tag = html.slice(start, end).toLowerCase();
      attributes = new Map();
    },
    onattribname: (start, end) => {
      const name = html.slice(start, end).toLowerCase();
      attribute = readTags.has(tag) && readAttributes.has(name) && !attributes.has(name) ? name : "";
      value = "";
    },
    onattribdata: (start, end) => {
      if (attribute !== "" && value.length < maxText) value += html.slice(start, Math.min(end, start + maxText));
    },
    onattribentity: (codePoint) => {
      if (attribute !== "" && value.length < maxText) value += String.fromCodePoint(codePoint);
    },
    onattribend: () => {
      if (attribute !== "") attributes.set(attribute, value);
    },
    onopentagend: onOpened,
    onselfclosingtag: () => {
      if (tag !== "svg") onOpened();
    },
    onclosetag: (start, end) => {
      if (text !== null) onTextEnd();
      if (svgDepth > 0 && html.slice(start, end).toLowerCase() === "svg") svgDepth -= 1;
    },
    ontext: (start, end) => {
      if (isUntyped) {
        isUntyped = false;
        if (!untypedJsonLd.test(html.slice(start, Math.min(end, start + 200)))) text = null;
      }
      text?.push(html.slice(start, end));
    },
    ontextentity: (codePoint) => void text?.push(String.fromCodePoint(codePoint)),
    onend: () => {
      if (text !== null) onTextEnd();
    },
  };
  return { handler, result: () => metadata };
}

function recordElement(metadata: PageMetadata, tag: string, attributes: Attributes): void {
  if (tag === "html") {
    metadata.lang ??= attributes.get("lang") ?? null;
    metadata.isAmp ||= attributes.has("amp") || attributes.has("⚡");
  }
  if (tag === "base") metadata.base ??= attributes.get("href") ?? null;
  if (tag === "a" && words(attributes.get("rel")).includes("sponsored")) metadata.sponsoredLinks += 1;
  if (tag === "link" && words(attributes.get("rel")).includes("canonical")) {
    metadata.canonical ??= attributes.get("href") ?? null;
  }
  if (tag === "link" && words(attributes.get("rel")).includes("alternate")) recordAlternate(metadata, attributes);
  const content = tag === "meta" ? attributes.get("content") : undefined;
  if (content === undefined) return;
  const keys = ["property", "name", "itemprop", "http-equiv"].flatMap((key) => words(attributes.get(key)));
  for (const key of new Set(keys.slice(0, 8))) {
    const values = metadata.metas.get(key) ?? [];
    if (values.length < maxValues) values.push(content);
    if (metadata.metas.size < 1000) metadata.metas.set(key, values);
  }
}

function recordAlternate({ alternates }: PageMetadata, attributes: Attributes): void {
  const [href = "", type = "", title = ""] = ["href", "type", "title"].map((name) => attributes.get(name));
  if (href !== "" && type !== "" && alternates.length < maxValues) alternates.push({ href, type, title });
}

function words(text: string | undefined): string[] {
  return (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
}

function isJsonLd(attributes: Attributes): boolean {
  return /^\s*application\/ld\+json\b/i.test(attributes.get("type") ?? "");
}
