import { displayWidth } from "../text.ts";

export type TitleFacts = {
  /** Cleaned titles from the page, the best source first. */
  candidates: string[];
  /** Cleaned headlines from the page's JSON-LD. */
  headlines: string[];
  /** Cleaned texts of <h1>. */
  headings: string[];
  /** Cleaned texts of <h2>. Some pages have their headline there. */
  subheadings: string[];
  /** The names of the site or its publisher, from the page and the site's settings. */
  siteNames: string[];
  /** The page's address. Its host also names the site. */
  url: string;
};

/** A separator between a title and a site's name. Bars need no spaces. A dash without spaces may be part of a word. */
const separators = /\s+[-|–—·•:»«›‹~/]+\s+|\s*[|｜ㅣ¦]\s*/gu;
/** A separator before a name at the end. There a colon needs no spaces, and neither do two dashes. */
const endSeparators = /\s+[-|–—·•:»«›‹~/]+\s+|\s*(?:[|｜ㅣ¦：]|:|--+)\s*/gu;
/**
 * A separator at the beginning or end of what remains of a title without its headline. A colon without a space before
 * it joins two parts.
 */
const restBefore = /[-|｜ㅣ¦–—·•»«›‹~]\s*$|\s\/\s*$/u;
const restAfter = /^\s*[-|｜ㅣ¦–—·•»«›‹~：]|^\s+[:/]\s/u;
const leastWidth = 15;

/**
 * Returns the title of a story without the name of its site at either end, or null if the page gives no title. A title
 * that is the page's headline stays whole, because a site's name in it may belong to it.
 */
export function pickTitle({ candidates, headlines, headings, subheadings, siteNames, url }: TitleFacts): string | null {
  const names = new Set([...siteNames, ...namesOfHost(url)].map(fold).filter((name) => name.length > 1));
  const chosen = candidates.find((title) => !names.has(fold(title))) ?? candidates[0];
  if (chosen === undefined) return null;
  // Quotes that were not escaped end an attribute in the middle of its text: "The band " instead of "The band "Tide"
  // returns".
  const said = [...headlines, ...headings];
  const whole = said.find((text) => text.startsWith(chosen) && /^\s*["“]/.test(text.slice(chosen.length)));
  if (whole !== undefined) return whole;
  const isPart = (text: string) => displayWidth(text) >= leastWidth && agrees(chosen, text);
  const agreed = said.find(isPart) ?? subheadings.find(isPart);
  if (agreed !== undefined) return withoutName(agreed, names);
  const isShown = headings.some((text) => fold(text) === fold(chosen)) && !said.some((text) => isWithin(text, chosen));
  return isShown ? chosen : withoutName(chosen, names);
}

/** Returns whether a headline is only a part of the title. The rest may then be the site's name. */
function isWithin(headline: string, title: string): boolean {
  const [part, whole] = [fold(headline), fold(title)];
  return part !== whole && part.length >= 8 && whole.includes(part);
}

/** Returns whether the title is the headline with something else before or after it, behind a separator. */
function agrees(title: string, headline: string): boolean {
  if (title.length <= headline.length) return false;
  if (title.startsWith(headline)) return restAfter.test(title.slice(headline.length));
  return title.endsWith(headline) && restBefore.test(title.slice(0, -headline.length).slice(-10));
}

function withoutName(title: string, names: Set<string>): string {
  const places = [...title.matchAll(endSeparators)].slice(-20);
  // A name may itself contain separators, so the longest end that is a name is removed.
  for (const { 0: separator, index } of places) {
    const [before, after] = [title.slice(0, index), title.slice(index + separator.length)];
    if (names.has(fold(after)) && before.trim() !== "") return withoutFront(before, names);
  }
  return withoutFront(title, names);
}

function withoutFront(title: string, names: Set<string>): string {
  separators.lastIndex = 0;
  const first = separators.exec(title);
  separators.lastIndex = 0;
  if (first === null) return title;
  const rest = title.slice(first.index + first[0].length).trim();
  return rest !== "" && names.has(fold(title.slice(0, first.index))) ? rest : title;
}

function fold(text: string): string {
  return text
    .slice(0, 500)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the host without "www." and its part before the suffix, such as "herald" of "www.herald.co.uk". */
function namesOfHost(url: string): string[] {
  const host = (URL.parse(url)?.hostname ?? "").replace(/^www\./, "");
  const labels = host.split(".");
  const isSecond =
    labels.length > 2 && /^(com?|org|net|gov|gob|ac|edu)$/.test(labels.at(-2)!) && labels.at(-1)!.length === 2;
  const label = labels.at(isSecond ? -3 : -2) ?? "";
  return [host, label.length > 2 ? label : ""];
}
