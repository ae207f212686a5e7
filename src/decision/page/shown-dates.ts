import type { MarkupReader } from "../../reading/tokenize-markup.ts";

/** A heading, or an element that may hold the date of publication. Parts are in the order of the page. */
export type PagePart = {
  /**
   * `marked`: an element called the date of publication (itemprop, RDFa, pubdate, microformats). `time`: a <time> with
   * a value for machines. `named`: an element whose class says date. `vague`: an element whose class may hold a date
   * among other facts, such as "post-meta". `block`: a short text of its own.
   */
  kind: "heading" | "marked" | "time" | "named" | "vague" | "block";
  /** The value for machines, if the element has one, then its text. As written. */
  texts: string[];
  /** The length of the page's text before it, in UTF-16 units. */
  at: number;
};

const maxParts = 200;
/** In UTF-16 units. The date of a story is at the beginning of the text around it. */
const maxText = 200;
/** The longest block. A longer one also holds other words, so that its dates may be those of events. */
const maxBlock = 60;
/** In UTF-16 units. */
const maxAttribute = 300;

const readAttributes = new Set(["itemprop", "property", "class", "id", "datetime", "pubdate", "content", "title"]);
const voids = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const silent = new Set(["script", "style", "noscript", "textarea", "template", "select", "button", "title", "svg"]);
const inline = new Set("a abbr b em font i small span strong time u".split(" "));
/** Elements whose dates belong to other stories and to comments. */
const besides = new Set(["nav", "aside", "footer"]);
const besideTags = new Set(["div", "section", "ul", "ol", "li", "table", "article"]);
const besideClass =
  /(?:^|\s)(?:comment(?:s|-?list|-?area|-body|)|respond|related|recommend|sidebar|widget|footer|teaser|more-|most-?read|popular|trending|similar|latest|archive-)/i;

const markedProperty =
  /(?:^|\s|:)(?:datepublished|published_time|date:published)(?:\s|$)|^(?:dc|dct|dcterms|sioc):(?:date|created|issued)\b/i;
const markedClass = /(?:^|\s)(?:published|entry-date|dt-published)(?:\s|$)/i;
const namedClass =
  /(?<!up|vali|candi|man|to)dat(?:e|um)(?!base|a)|fecha|publish|publication|posted|timestamp|(?:^|[\s_-])(?:data|time)(?:$|[\s_-])/i;
const vagueClass = /meta|byline|info|author|stamp|submitted|kicker|subline|details|time/i;

type Attributes = Map<string, string>;
/** An element whose text is being read. */
type Capture = { tag: string; depth: number; part: PagePart; text: string };

/**
 * The state of reading a page. `beside`: the outermost open element that belongs to other stories. `block`: the text
 * since the last block began.
 */
type Reading = {
  parts: PagePart[];
  captures: Capture[];
  beside: { tag: string; depth: number } | null;
  block: { text: string; at: number };
  at: number;
  /** The kinds for names of classes and ids. Most names occur many times. */
  kinds: Map<string, "named" | "vague" | null>;
};

const none: Attributes = new Map();

/**
 * Creates a reader of the elements of a page that may hold its date of publication, at most 200. It takes linear time
 * and works together with other readers.
 */
export function datePartsReader(html: string): MarkupReader<PagePart[]> {
  const reading: Reading = {
    parts: [],
    captures: [],
    beside: null,
    block: { text: "", at: 0 },
    at: 0,
    kinds: new Map(),
  };
  let tag = "";
  let attributes: Attributes = none;
  let attribute = "";
  let silentTag = "";
  const onOpened = () => {
    if (silent.has(tag) && silentTag === "") silentTag = tag;
    openElement(reading, tag, attributes);
  };
  const onClosed = (name: string) => {
    if (name === silentTag) silentTag = "";
    closeElement(reading, name);
  };
  const handler: MarkupReader<PagePart[]>["handler"] = {
    onopentagname: (start, end) => {
      tag = html.slice(start, Math.min(end, start + 40)).toLowerCase();
      attributes = none;
    },
    onattribname: (start, end) => {
      const name = end - start > 10 ? "" : html.slice(start, end).toLowerCase();
      attribute = reading.beside === null && readAttributes.has(name) && !attributes.has(name) ? name : "";
      if (attribute === "") return;
      if (attributes === none) attributes = new Map();
      attributes.set(attribute, "");
    },
    onattribdata: (start, end) => {
      if (attribute !== "") attributes.set(attribute, html.slice(start, Math.min(end, start + maxAttribute)));
    },
    onopentagend: onOpened,
    onselfclosingtag: () => {
      onOpened();
      if (!voids.has(tag)) onClosed(tag);
    },
    onclosetag: (start, end) => onClosed(html.slice(start, Math.min(end, start + 40)).toLowerCase()),
    ontext: (start, end) => {
      if (silentTag !== "") return;
      const text = html.slice(start, Math.min(end, start + 4 * maxText));
      addText(reading, text);
      // Indentation does not add to the distance.
      reading.at += text.trim().length;
    },
    ontextentity: (codePoint) => {
      if (silentTag === "") addText(reading, String.fromCodePoint(codePoint));
    },
  };
  const result = () => {
    finishWhere(reading, () => true);
    return reading.parts;
  };
  return { handler, result };
}

function openElement(reading: Reading, tag: string, attributes: Attributes): void {
  const { captures, beside, parts } = reading;
  if (!inline.has(tag)) separate(reading);
  for (const capture of captures) if (capture.tag === tag) capture.depth += 1;
  if (beside !== null) {
    if (beside.tag === tag) beside.depth += 1;
    return;
  }
  if (
    besides.has(tag) ||
    (attributes !== none && besideTags.has(tag) && besideClass.test(attributes.get("class") ?? ""))
  ) {
    reading.beside = { tag, depth: 1 };
    return;
  }
  const part = partOf(reading, tag, attributes);
  if (part === null || parts.length >= maxParts) return;
  parts.push(part);
  // Within an element whose class says date, vague elements add nothing.
  const isWithin = part.kind === "vague" && captures.some(({ part: { kind } }) => kind !== "heading");
  if (!voids.has(tag) && !isWithin && captures.length < 4) captures.push({ tag, depth: 1, part, text: "" });
}

function closeElement(reading: Reading, tag: string): void {
  if (!inline.has(tag)) separate(reading);
  const { captures, beside } = reading;
  if (beside?.tag === tag) {
    beside.depth -= 1;
    if (beside.depth === 0) reading.beside = null;
  }
  for (const capture of captures) if (capture.tag === tag) capture.depth -= 1;
  if (captures.length > 0 && captures.some(({ depth }) => depth <= 0)) finishWhere(reading, ({ depth }) => depth <= 0);
}

/** Ends the block of text, because another one begins. */
function separate(reading: Reading): void {
  const { block, beside, parts, at } = reading;
  const text = block.text.trim();
  if (/\d/.test(text) && text.length <= maxBlock && beside === null && parts.length < maxParts) {
    parts.push({ kind: "block", texts: [text], at: block.at });
  }
  reading.block = { text: "", at };
  addText(reading, " ");
}

function addText(reading: Reading, text: string): void {
  const { captures, block } = reading;
  for (const capture of captures) capture.text += text;
  if (captures.length > 0 && captures.some((capture) => capture.text.length >= maxText)) {
    finishWhere(reading, (capture) => capture.text.length >= maxText);
  }
  if (block.text.length <= maxBlock) block.text += text;
}

function finishWhere(reading: Reading, isEnded: (capture: Capture) => boolean): void {
  for (const capture of reading.captures) {
    if (isEnded(capture) && capture.text.trim() !== "") capture.part.texts.push(capture.text.trim());
  }
  reading.captures = reading.captures.filter((capture) => !isEnded(capture));
}

/** Returns the part that an element is by its tag and attributes, or null. */
function partOf(reading: Reading, tag: string, attributes: Attributes): PagePart | null {
  const { at } = reading;
  const isHeading = /^h[1-4]$/.test(tag);
  if (attributes === none && !isHeading && tag !== "time") return null;
  const kind = kindOfNames(reading, `${attributes.get("class") ?? ""} ${attributes.get("id") ?? ""}`);
  if (isHeading && kind !== "named") return { kind: "heading", texts: [], at };
  if (tag === "meta" || tag === "link" || tag === "html" || tag === "body") return null;
  const machine = ["content", "datetime", "title"].map((name) => attributes.get(name)?.trim() ?? "");
  const texts = machine.filter((text) => /\d/.test(text)).slice(0, 1);
  const marks = [attributes.get("itemprop"), attributes.get("property")];
  const isMarked = attributes.has("pubdate") || marks.some((mark) => mark !== undefined && markedProperty.test(mark));
  if (isMarked || (texts.length > 0 && markedClass.test(attributes.get("class") ?? "")))
    return { kind: "marked", texts, at };
  if (tag === "time") return { kind: texts.length > 0 ? "time" : "named", texts, at };
  return kind === null ? null : { kind, texts: [], at };
}

function kindOfNames({ kinds }: Reading, names: string): "named" | "vague" | null {
  const known = kinds.get(names);
  if (known !== undefined) return known;
  const kind = namedClass.test(names) ? "named" : vagueClass.test(names) ? "vague" : null;
  kinds.set(names, kind);
  return kind;
}
