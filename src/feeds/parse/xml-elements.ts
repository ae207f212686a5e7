import { tokenizeMarkup } from "../../reading/tokenize-markup.ts";
import { maxField } from "./entry.ts";
import { createNamespaces, type Declared } from "./xml-namespaces.ts";

/** An open element. */
export type Element = {
  /**
   * The local name in lower case, with the prefix of its namespace (xml-namespaces.ts): `atom:`, `dc:`, `rdf:`,
   * `feedburner:`, `news:` or none. In an unknown namespace, the name as written.
   */
  name: string;
  /** By lower-case name. Values have at most `maxField` units. Only those of `readAttributes`, and namespaces. */
  attributes: Map<string, string>;
  parent: Element | null;
};

/** Callbacks of `walkElements`, in document order. */
export type ElementReader = {
  opened(element: Element): void;
  closed(element: Element): void;
  /** Text inside `element`, entities decoded. */
  text(element: Element, text: string): void;
};

/** Attributes that readers of feeds use. */
const readAttributes = new Set([
  "href",
  "rel",
  "type",
  "ispermalink",
  "term",
  "label",
  "xml:base",
  "about",
  "url",
  "medium",
]);

/** Deeper elements are skipped. No feed nests so deep, and a hostile one would fill the memory. */
const maxDepth = 100;

/** Longer names of elements and attributes are cut. */
const maxNameLength = 200;

/**
 * An open element on the stack. `written`: its name in the document, by which an end tag finds it. `declared`: the
 * prefixes that the element itself declares.
 */
type Frame = Element & { written: string; parent: Frame | null; declared: Declared[] };

/**
 * Walks through XML that may be broken anywhere. An end tag closes the element that it names and all elements that are
 * open within it. An end tag that names no open element is skipped. The end of the text closes nothing. Declarations
 * are not read, so entities that a document declares are neither expanded nor fetched. Returns whether elements were
 * open at the end.
 */
export function walkElements(xml: string, reader: ElementReader): { isCut: boolean } {
  const stack = createStack(reader);
  let name = "";
  let attributes = new Map<string, string>();
  let attribute = "";
  let value = "";
  const slice = (start: number, end: number, max: number) => xml.slice(start, Math.min(end, start + max));

  tokenizeMarkup(
    xml,
    {
      onopentagname: (start, end) => {
        name = slice(start, end, maxNameLength).toLowerCase();
        attributes = new Map();
      },
      onattribname: (start, end) => {
        const written = slice(start, end, maxNameLength).toLowerCase();
        const isRead = readAttributes.has(written) || /^xmlns(:|$)|:about$/.test(written);
        attribute = isRead && attributes.size < 50 && !attributes.has(written) ? written : "";
        value = "";
      },
      onattribdata: (start, end) => {
        if (attribute !== "" && value.length < maxField) value += slice(start, end, maxField);
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
      onclosetag: (start, end) => stack.close(slice(start, end, maxNameLength).toLowerCase()),
      ontext: (start, end) => stack.text(slice(start, end, maxField)),
      ontextentity: (codePoint) => stack.text(String.fromCodePoint(codePoint)),
      oncdata: (start, end, rest) => stack.text(slice(start, end - rest, maxField)),
    },
    { isXml: true },
  );
  return { isCut: !stack.isEmpty() };
}

/** Creates the stack of open elements, which calls `reader`. */
function createStack(reader: ElementReader) {
  let top: Frame | null = null;
  let depth = 0;
  /** The number of open elements beyond `maxDepth`, which are not on the stack. */
  let skippedDepth = 0;
  /**
   * The number of open elements of each name. It lets an end tag be skipped without a search: searches for a million
   * end tags would take quadratic time.
   */
  const openNames = new Map<string, number>();
  const namespaces = createNamespaces();

  const countOpen = (written: string, change: 1 | -1) => {
    const count = (openNames.get(written) ?? 0) + change;
    if (count === 0) openNames.delete(written);
    else openNames.set(written, count);
    depth += change;
  };
  const pop = (frame: Frame) => {
    reader.closed(frame);
    countOpen(frame.written, -1);
    namespaces.leave(frame.declared);
    top = frame.parent;
  };
  return {
    isEmpty: () => depth === 0,
    open(written: string, attributes: Map<string, string>): void {
      if (depth >= maxDepth) {
        skippedDepth += 1;
        return;
      }
      const declared = namespaces.enter(attributes, top === null ? written : null);
      top = { written, name: namespaces.nameOf(written), attributes, parent: top, declared };
      countOpen(written, 1);
      reader.opened(top);
    },
    close(written: string): void {
      if (skippedDepth > 0) skippedDepth -= 1;
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
