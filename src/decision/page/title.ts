import { displayWidth } from "../text.ts";

export type TitleFacts = {
  /** Titles as the page gives them, the best source first; cleaned. */
  candidates: string[];
  /** What the page says is its headline: JSON-LD, then <h1>; cleaned. */
  headlines: string[];
  /** What the page says is the name of its site or publisher. */
  siteNames: string[];
  /** The page's address, whose host names the site too. */
  url: string;
};

/** A separator of a title and a site's name. Bars need no spaces; a dash without them may be part of a word. */
const separators = /\s+[-|–—·•:»«›‹~/]+\s+|\s*[|｜ㅣ¦]\s*/gu;
/** The same at the beginning or end of what a headline leaves of a title. A colon joins two parts of one headline. */
const restBefore = /[-|｜ㅣ¦–—·•»«›‹~]\s*$/u;
const restAfter = /^\s*[-|｜ㅣ¦–—·•»«›‹~]/u;
const leastWidth = 15;

/** Returns the title of a story without the name of its site at either end, or null if the page gives no title. */
export function pickTitle({ candidates, headlines, siteNames, url }: TitleFacts): string | null {
  const names = [...siteNames, siteLabel(url)].map(fold).filter((name) => name.length > 1);
  const chosen = candidates.find((title) => !names.includes(fold(title))) ?? candidates[0];
  if (chosen === undefined) return null;
  // Quotes that were not escaped end an attribute in the middle of its text: "The band " for "The band "Tide" returns".
  const whole = headlines.find((text) => text.startsWith(chosen) && /^\s*["“]/.test(text.slice(chosen.length)));
  if (whole !== undefined) return whole;
  const agreed = headlines.find((text) => displayWidth(text) >= leastWidth && agrees(chosen, text));
  return withoutName(agreed ?? chosen, names);
}

/** Returns whether the title is the headline and something else behind a separator. */
function agrees(title: string, headline: string): boolean {
  if (title.length <= headline.length) return false;
  if (title.startsWith(headline)) return restAfter.test(title.slice(headline.length));
  return title.endsWith(headline) && restBefore.test(title.slice(0, -headline.length).slice(-10));
}

function withoutName(title: string, names: string[]): string {
  const places = [...title.matchAll(separators)].slice(-20);
  // A name may hold separators itself: the longest end that is a name goes.
  for (const { 0: separator, index } of places) {
    const [before, after] = [title.slice(0, index), title.slice(index + separator.length)];
    if (isName(after, names) && before.trim() !== "") return withoutFront(before, names);
  }
  return withoutFront(title, names);
}

function withoutFront(title: string, names: string[]): string {
  separators.lastIndex = 0;
  const first = separators.exec(title);
  separators.lastIndex = 0;
  if (first === null) return title;
  const rest = title.slice(first.index + first[0].length).trim();
  return rest !== "" && names.includes(fold(title.slice(0, first.index))) ? rest : title;
}

/** "CBC News" is the name of a site that calls itself CBC, and so is "Regtransfers.co.uk" at that host. */
function isName(text: string, names: string[]): boolean {
  if (names.includes(fold(text))) return true;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const beginnings = words.map((_, n) => fold(words.slice(0, n + 1).join("")));
  return words.length <= 4 && beginnings.some((beginning) => beginning.length > 2 && names.includes(beginning));
}

function fold(text: string): string {
  return text
    .slice(0, 500)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the part of the host before its suffix: "herald" of "www.herald.co.uk". */
function siteLabel(url: string): string {
  const labels = (URL.parse(url)?.hostname ?? "").split(".");
  const isSecond =
    labels.length > 2 && /^(com?|org|net|gov|gob|ac|edu)$/.test(labels.at(-2)!) && labels.at(-1)!.length === 2;
  const label = labels.at(isSecond ? -3 : -2) ?? "";
  return label.length > 2 ? label : "";
}
