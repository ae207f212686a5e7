import { plainText } from "./plain-text.ts";

/** Line breaks and tabs separate words and become a space. */
const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/**
 * Characters that are removed: other control characters, and those that reverse the direction of the text after them.
 */
const deceptive = /[\p{Cc}\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/**
 * Cleans a line of text before it is stored, counted or shown: NFC, one line, trimmed, without control and
 * bidi-override characters. Lone surrogates become U+FFFD. Inner spaces stay.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(lineBreaks, " ").replace(deceptive, "").normalize("NFC").trim();
}

/** An entity with its semicolon. Without a semicolon it may be a parameter of an address, such as "&copy=2". */
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;
/** Elements that occur in lines of text. Others, such as the <b> of "How to use <b>", may be what the text is about. */
const tagNames =
  "a|abbr|b|big|br|cite|code|div|em|font|h[1-6]|hr|i|img|li|mark|ol|p|q|s|small|span|strong|sub|sup|u|ul|wbr";
const closedTag = new RegExp(`</(?:${tagNames})>|<(?:br|hr|img|wbr)\\b`, "i");
const tag = new RegExp(`</?(${tagNames})(?:\\s[^<>]{0,500})?/?>`, "gi");
const separating = /^(?:br|div|h[1-6]|hr|li|p)$/i;

/**
 * Reads a line of text of a page or a feed, from an attribute, an element or JSON. Decodes entities twice, because a
 * template may have escaped them again. Removes tags, soft hyphens and what `cleanText` removes. A run of spaces
 * becomes one space. Returns at most `max` UTF-16 units, or null if nothing is left. Reads at most four times as many,
 * because the composed form may be shorter, and composing thousands of combining marks takes quadratic time.
 */
export function readText(raw: string, max: number): string | null {
  const start = raw
    .trim()
    .replace(/\s+/g, " ")
    .slice(0, 4 * max);
  const clean = cleanText(
    withoutTags(decoded(start))
      .replaceAll("\u00ad", "")
      .slice(0, 4 * max),
  );
  return clean.replace(/\s+/g, " ").trim().slice(0, max).toWellFormed().trim() || null;
}

/** Reads an address that a template may have escaped: "?a=1&amp;b=2" is "?a=1&b=2". */
export function readAddress(raw: string): string {
  return decoded(raw.trim());
}

function decoded(text: string): string {
  let current = text;
  for (let pass = 0; pass < 2 && current.includes("&"); pass += 1) current = current.replace(entity, plainText);
  return current;
}

function withoutTags(text: string): string {
  if (!text.includes("<") || !closedTag.test(text)) return text;
  return text.replace(tag, (_all, name: string) => (separating.test(name) ? " " : ""));
}
