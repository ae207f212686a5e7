import { tokenizeMarkup } from "../../decision/page/tokenize-markup.ts";
import { maxField } from "./entry.ts";

/** An element that is open, as a reader of feeds sees it. */
export type Element = {
  /** Local name in lower case, with `atom:`, `dc:`, `rdf:` or `feedburner:` before it by its namespace; else as written. */
  name: string;
  /** By lower-case name; at most `maxField` long. Only those that feeds are read by. */
  attributes: Map<string, string>;
  parent: Element | null;
};

export type ElementReader = {
  opened(element: Element): void;
  closed(element: Element): void;
  /** Text inside `element`, entities decoded. */
  text(element: Element, text: string): void;
};

const readAttributes = new Set([...["href", "rel", "type", "ispermalink", "term", "label", "xml:base", "about"]]);

/** Deeper elements are passed over: no feed nests so deep, and a hostile one would fill the memory. */
const maxDepth = 100;

/** Of what an element or an attribute is called. */
const maxName = 200;

/** Namespaces by what stands before their names here; RSS has none, and all of its versions count as one. */
const vocabularies: Record<string, string> = {
  "http://www.w3.org/2005/atom": "atom:",
  "http://purl.org/atom/ns#": "atom:",
  "http://purl.org/dc/elements/1.1": "dc:",
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
  "http://rssnamespace.org/feedburner/ext/1.0": "feedburner:",
  "http://purl.org/rss/1.0": "",
  "http://my.netscape.com/rdf/simple/0.9": "",
  "http://channel.netscape.com/rdf/simple/0.9": "",
};

/** `written`: its name as it stands in the text, by which its end tag finds it. */
type Frame = Element & { written: string; parent: Frame | null; vocabularies: ReadonlyMap<string, string> };

/**
 * Walks through XML that may be broken anywhere: an end tag closes what it names and all that was left open in it, one
 * that names nothing is passed over, and the end of the text closes nothing. Declarations are not read at all, so that
 * entities are neither expanded nor fetched. Returns whether elements were still open at the end.
 */
export function walkElements(xml: string, reader: ElementReader): { isCut: boolean } {
  const stack = createStack(reader);
  let name = "";
  let attributes = new Map<string, string>();
  let attribute = "";
  let value = "";
  const piece = (start: number, end: number, max: number) => xml.slice(start, Math.min(end, start + max));

  tokenizeMarkup(
    xml,
    {
      onopentagname: (start, end) => {
        name = piece(start, end, maxName).toLowerCase();
        attributes = new Map();
      },
      onattribname: (start, end) => {
        const written = piece(start, end, maxName).toLowerCase();
        const isRead = readAttributes.has(written) || /^xmlns(:|$)|:about$/.test(written);
        attribute = isRead && attributes.size < 50 && !attributes.has(written) ? written : "";
        value = "";
      },
      onattribdata: (start, end) => {
        if (attribute !== "" && value.length < maxField) value += piece(start, end, maxField);
      },
      onattribentity: (codePoint) => {
        if (attribute !== "" && value.length < maxField) value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        if (attribute !== "") attributes.set(attribute, value);
      },
      onopentagend: () => stack.open(name, attributes),
      onselfclosingtag: () => {
        stack.open(name, attributes);
        stack.close(name);
      },
      onclosetag: (start, end) => stack.close(piece(start, end, maxName).toLowerCase()),
      ontext: (start, end) => stack.text(piece(start, end, maxField)),
      ontextentity: (codePoint) => stack.text(String.fromCodePoint(codePoint)),
      oncdata: (start, end, rest) => stack.text(piece(start, end - rest, maxField)),
    },
    { isXml: true },
  );
  return { isCut: !stack.isEmpty() };
}

/** The elements that are open. */
function createStack(reader: ElementReader) {
  let top: Frame | null = null;
  let depth = 0;
  let tooDeep = 0;
  /** How often each name is open: an end tag that names nothing must not look through all. */
  const openNames = new Map<string, number>();

  const countOpen = (written: string, change: 1 | -1) => {
    const count = (openNames.get(written) ?? 0) + change;
    if (count === 0) openNames.delete(written);
    else openNames.set(written, count);
    depth += change;
  };
  const pop = (frame: Frame) => {
    reader.closed(frame);
    countOpen(frame.written, -1);
    top = frame.parent;
  };
  return {
    isEmpty: () => depth === 0,
    open(written: string, attributes: Map<string, string>): void {
      if (depth >= maxDepth) {
        tooDeep += 1;
        return;
      }
      top = openFrame(written, attributes, top);
      countOpen(written, 1);
      reader.opened(top);
    },
    close(written: string): void {
      if (tooDeep > 0) tooDeep -= 1;
      else if (openNames.has(written)) {
        while (top!.written !== written) pop(top!);
        pop(top!);
      }
    },
    text(text: string): void {
      if (top !== null) reader.text(top, text);
    },
  };
}

function openFrame(written: string, attributes: Map<string, string>, parent: Frame | null): Frame {
  const known = withDeclared(attributes, parent);
  return { written, name: nameOf(written, known), attributes, parent, vocabularies: known };
}

/** The prefixes that hold inside an element; "" is that of names without one. */
function withDeclared(attributes: Map<string, string>, parent: Frame | null): ReadonlyMap<string, string> {
  const inherited = parent?.vocabularies ?? new Map<string, string>();
  const declared = [...attributes].filter(([attribute]) => /^xmlns(:|$)/.test(attribute));
  if (declared.length === 0) return inherited;
  const known = new Map(inherited);
  for (const [attribute, uri] of declared) {
    const prefix = attribute.slice("xmlns:".length);
    // A namespace of its own at the root is what some RSS says of itself; further inside it is something else.
    const unknown = prefix === "" && parent === null ? "" : `${prefix}?:`;
    known.set(prefix, vocabularies[uri.trim().toLowerCase().replace(/\/$/, "")] ?? unknown);
  }
  return known;
}

function nameOf(written: string, known: ReadonlyMap<string, string>): string {
  const at = written.indexOf(":");
  const prefix = written.slice(0, Math.max(at, 0));
  return (known.get(prefix) ?? (at < 0 ? "" : `${prefix}:`)) + written.slice(at + 1);
}
