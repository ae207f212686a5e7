import { plainText } from "./plain-text.ts";

/** The deepest nesting that is read. No description of a story is so deep, so a deeper text is hostile. */
const maxDepth = 1000;
/**
 * What is skipped outside of strings: comments to the end of a line, marks around a script, and leftovers of
 * templates.
 */
const skipped = /\/\/[ \t]{0,20}(?:<!\[CDATA\[|\]\]>)|\/\/[^\n]*|<!--|-->|<!\[CDATA\[|\]\]>|[\s\p{Cc}\ufeff]+/uy;

/**
 * The result of parsing. `isCut`: the text breaks off, and `value` has only the whole members. `value`: null if
 * nothing can be read.
 */
export type StructuredData = { value: unknown; isCut: boolean };

/**
 * Parses JSON as pages and feeds write it. Accepts comments, CDATA and HTML comment marks, stray semicolons, trailing
 * commas, raw control characters in strings, escapes that JSON lacks, quotes that are not escaped, too many or too few
 * brackets, and JSON that is escaped as HTML. Several values beside each other become a list. Reads no text that is
 * nested over 1,000 levels deep. Takes linear time.
 */
export function parseStructuredData(text: string): StructuredData {
  const unescaped = /^\s*[[{]\s*&(?:quot|#34|#x22);/i.test(text) ? plainText(text) : text;
  const forms = [
    () => ({ json: unescaped, isCut: false }),
    () => repair(unescaped, "drop"),
    () => repair(unescaped, "close"),
    () => repair(unescaped, "drop", "within"),
  ];
  for (const form of forms) {
    try {
      const { json, isCut } = form();
      return { value: JSON.parse(json) as unknown, isCut };
    } catch {
      // Try the next form.
    }
  }
  return { value: null, isCut: false };
}

/** The open brackets, the innermost first. All moments at which a bracket was open share one object. */
type Open = { closer: "}" | "]"; outer: Open } | null;

/**
 * What happens to a bracket that does not close the innermost value. `drop`: it is one too many. `close`: other
 * brackets are missing before it.
 */
type Mismatch = "drop" | "close";

/**
 * What a quote within a string is. `end`: the end of the string. `within`: a part of the string that was not escaped,
 * unless a mark of JSON follows.
 */
type Quotes = "end" | "within";
const endAfterQuote = /\s{0,100}(?:[,:;}\]]|$)/y;

/** A walk over the text that writes valid JSON. */
type Walk = {
  out: string[];
  open: Open;
  /** The number of open brackets of each kind. */
  depths: Record<"}" | "]", number>;
  mismatch: Mismatch;
  quotes: Quotes;
  /** A comma waits to be written. It is written once a member follows. */
  hasComma: boolean;
  /** The state at the end of the last whole member: how many parts of `out` are written, and what is open there. */
  whole: { written: number; open: Open };
  values: number;
};

function repair(text: string, mismatch: Mismatch, quotes: Quotes = "end"): { json: string; isCut: boolean } {
  const nothing = { written: 0, open: null };
  const walk: Walk = {
    out: [],
    open: null,
    depths: { "}": 0, "]": 0 },
    mismatch,
    quotes,
    hasComma: false,
    whole: nothing,
    values: 0,
  };
  for (let at = 0; at < text.length; ) {
    at = step(walk, text, at);
    if (walk.depths["}"] + walk.depths["]"] > maxDepth) return { json: "", isCut: false };
  }
  const isCut = walk.open !== null;
  const out = isCut ? walk.out.slice(0, walk.whole.written) : walk.out;
  for (let open = isCut ? walk.whole.open : null; open !== null; open = open.outer) out.push(open.closer);
  const json = out.join("");
  return { json: walk.values > 1 ? `[${json}]` : json, isCut };
}

/** Reads what is at the position `at`, and returns the position where it ends. */
function step(walk: Walk, text: string, at: number): number {
  const char = text[at]!;
  if (char === "{" || char === "[") openBracket(walk, char);
  else if (char === '"' && walk.open !== null) return copyString(walk, text, at);
  else if (walk.open !== null && (char === "}" || char === "]")) closeBracket(walk, char);
  else if (char === "," || char === ";") endMember(walk);
  else if (text.startsWith("/*", at)) return endOf(text, "*/", at + 2);
  else {
    skipped.lastIndex = at;
    const length = skipped.exec(text)?.[0].length ?? 0;
    if (length > 0) return at + length;
    // Outside of all values, nothing is read.
    if (walk.open !== null) write(walk, char);
  }
  return at + 1;
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

function openBracket(walk: Walk, char: "{" | "["): void {
  if (walk.open === null) {
    // A second value beside another at the top level.
    if (walk.values > 0) walk.out.push(",");
    walk.values += 1;
    walk.hasComma = false;
  }
  write(walk, char);
  const closer = char === "{" ? "}" : "]";
  walk.open = { closer, outer: walk.open };
  walk.depths[closer] += 1;
}

function closeBracket(walk: Walk, char: "}" | "]"): void {
  const isOuter = walk.mismatch === "close" && walk.depths[char] > 0;
  while (isOuter && walk.open!.closer !== char) closeInnermost(walk);
  if (walk.open!.closer === char) closeInnermost(walk);
}

function closeInnermost(walk: Walk): void {
  const { closer, outer } = walk.open!;
  walk.hasComma = false;
  walk.out.push(closer);
  walk.open = outer;
  walk.depths[closer] -= 1;
  walk.whole = { written: walk.out.length, open: outer };
}

function endMember(walk: Walk): void {
  if (walk.open === null) return;
  if (!walk.hasComma) walk.whole = { written: walk.out.length, open: walk.open };
  walk.hasComma = !/^[[{,]$/.test(walk.out.at(-1) ?? "[");
}

function write(walk: Walk, part: string): void {
  if (walk.hasComma && part.trim() !== "") {
    walk.out.push(",");
    walk.hasComma = false;
  }
  walk.out.push(part);
}

/** Copies a string in one piece. */
function copyString(walk: Walk, text: string, start: number): number {
  const end = endOfString(text, start + 1, walk.quotes);
  if (end >= text.length) return text.length;
  const valid = text
    .slice(start + 1, end)
    .replace(/\p{Cc}+/gu, " ")
    .replace(/"|\\(u[\da-f]{4}|.?)/gis, (written, char: string | undefined) => {
      if (char === undefined) return '\\"';
      return /^(?:u.{4}|["\\/bfnrt])$/.test(char) ? written : char;
    });
  const before = walk.out.at(-1) ?? "";
  const isValue = walk.open!.closer === "]" || before === ":";
  // A comma is missing between two members.
  if (/["}\]]$/.test(before)) walk.hasComma = true;
  write(walk, `"${valid}"`);
  if (isValue) walk.whole = { written: walk.out.length, open: walk.open };
  return end + 1;
}

function endOfString(text: string, from: number, quotes: Quotes): number {
  for (let at = from; at < text.length; at += text[at] === "\\" ? 2 : 1) {
    if (text[at] !== '"') continue;
    endAfterQuote.lastIndex = at + 1;
    if (quotes === "end" || endAfterQuote.test(text)) return at;
  }
  return text.length;
}
