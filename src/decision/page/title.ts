import { displayWidth } from "../text.ts";

export type TitleFacts = {
  /** Titles as the page gives them, the best source first; cleaned. */
  candidates: string[];
  /** What the page says is its headline in JSON-LD; cleaned. */
  headlines: string[];
  /** <h1>; cleaned. */
  headings: string[];
  /** <h2>, where some pages have their headline; cleaned. */
  subheadings: string[];
  /** What the page and the site's settings say is the name of the site or its publisher. */
  siteNames: string[];
  /** The page's address, whose host names the site too. */
  url: string;
};

/** A separator of a title and a site's name. Bars need no spaces; a dash without them may be part of a word. */
const separators = /\s+[-|–—·•:»«›‹~/]+\s+|\s*[|｜ㅣ¦]\s*/gu;
/** The same before a name at the end, where a colon needs no spaces, and dashes none if there are two. */
const endSeparators = /\s+[-|–—·•:»«›‹~/]+\s+|\s*(?:[|｜ㅣ¦：]|:|--+)\s*/gu;
/**
 * The same at the beginning or end of what a headline leaves of a title. A colon without a space before it joins two
 * parts.
 */
const restBefore = /[-|｜ㅣ¦–—·•»«›‹~]\s*$|\s\/\s*$/u;
const restAfter = /^\s*[-|｜ㅣ¦–—·•»«›‹~：]|^\s+[:/]\s/u;
const leastWidth = 15;

/**
 * Returns the title of a story without the name of its site at either end, or null if the page gives no title. A title
 * that is the page's headline stays whole: a part of it may be the site's name and belong to it.
 */
export function pickTitle({ candidates, headlines, headings, subheadings, siteNames, url }: TitleFacts): string | null {
  const names = new Set([...siteNames, ...namesOfHost(url)].map(fold).filter((name) => name.length > 1));
  const chosen = candidates.find((title) => !names.has(fold(title))) ?? candidates[0];
  if (chosen === undefined) return null;
  // Quotes that were not escaped end an attribute in the middle of its text: "The band " for "The band "Tide" returns".
  const said = [...headlines, ...headings];
  const whole = said.find((text) => text.startsWith(chosen) && /^\s*["“]/.test(text.slice(chosen.length)));
  if (whole !== undefined) return whole;
  const isPart = (text: string) => displayWidth(text) >= leastWidth && agrees(chosen, text);
  const agreed = said.find(isPart) ?? subheadings.find(isPart);
  if (agreed !== undefined) return withoutName(agreed, names);
  const isShown = headings.some((text) => fold(text) === fold(chosen)) && !said.some((text) => isWithin(text, chosen));
  return isShown ? chosen : withoutName(chosen, names);
}

/** Whether a headline is a part of the title: then the rest may be the site's name. */
function isWithin(headline: string, title: string): boolean {
  const [part, whole] = [fold(headline), fold(title)];
  return part !== whole && part.length >= 8 && whole.includes(part);
}

/** Returns whether the title is the headline and something else behind a separator. */
function agrees(title: string, headline: string): boolean {
  if (title.length <= headline.length) return false;
  if (title.startsWith(headline)) return restAfter.test(title.slice(headline.length));
  return title.endsWith(headline) && restBefore.test(title.slice(0, -headline.length).slice(-10));
}

function withoutName(title: string, names: Set<string>): string {
  const places = [...title.matchAll(endSeparators)].slice(-20);
  // A name may hold separators itself: the longest end that is a name goes.
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

/** Returns the host without "www.", and its part before the suffix: "herald" of "www.herald.co.uk". */
function namesOfHost(url: string): string[] {
  const host = (URL.parse(url)?.hostname ?? "").replace(/^www\./, "");
  const labels = host.split(".");
  const isSecond =
    labels.length > 2 && /^(com?|org|net|gov|gob|ac|edu)$/.test(labels.at(-2)!) && labels.at(-1)!.length === 2;
  const label = labels.at(isSecond ? -3 : -2) ?? "";
  return [host, label.length > 2 ? label : ""];
}
