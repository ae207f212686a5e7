import { plainText } from "../../reading/plain-text.ts";
import { readText } from "../../reading/text.ts";
import { displayWidth } from "../text.ts";

export type DescriptionFacts = {
  /** Descriptions from the page, as written, the best source first. */
  candidates: string[];
  /** What the page says of its site. These are slogans and no text of the story. */
  slogans: string[];
  /** The title and the names of the site. */
  names: string[];
  /** Returns the beginnings of the paragraphs, as written. It is called only if they are needed. */
  paragraphs(): string[];
};

/** In UTF-16 units. It is more than a notification's text may have, so that the checks see whether it will be cut. */
const maxLength = 2000;
/** In columns. A shorter paragraph is a label, and a shorter beginning of a text says too little. */
const leastParagraph = 80;
const leastText = 40;
/** The least part of a paragraph, in UTF-16 units, that serves as a description. */
const enough = 120;

/** A byline such as "By Jane Doe – ": one to five words that begin with a capital, and the mark before the text. */
const by = "(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]f|[Aa]v)";
const name = "\\p{Lu}[\\p{L}.'’-]+(?:\\s+(?:(?:and|und|et|y|e|en|van|de|der|den|von)\\s+)?\\p{Lu}[\\p{L}.'’-]*){0,4}";
const byline = new RegExp(`^(?:(?:Posted|Written|Published|Text)\\s+)?${by}\\s+${name}\\s*[|:•·–—-]+\\s+`, "u");
const bylineAtEnd = new RegExp(`(?<=[.!?]\\s)${by}\\s+${name}$`, "u");
/** A byline without an end. Nothing tells where the text begins. */
const openByline = /^(?:posted|written|published) by\s/i;
/** What sites say of themselves on every page, and notes that are no text of a story. */
const boilerplate =
  /^(get|read|find|follow|discover|your (source|home))( all)?( the)? (latest|breaking|top|news|stories)|^(the )?latest (news|stories)( and| from|,)|^(aktuelle |die neuesten )nachrichten|^(toute l['’]actualité|últimas noticias|le ultime notizie|het laatste nieuws|последние новости|son dakika haberleri)|(all rights reserved|©)/iu;
/**
 * Sentences of consent banners, of pages without scripts, and of forms to subscribe. A story may also be about these
 * things.
 */
const notices = [
  /(^|[.!?]\s)(we( and our| use)?|(this|our|the) (web)?sites?|by (continuing|using)|wir( und unsere)?|diese (web)?seite|unsere (web)?seite|nous|ce site|(este|nuestro) sitio|utilizamos|usamos|(questo|il) sito|utilizziamo|deze (web)?site|wij|ta strona|denna webbplats|vi (använder|bruger|bruker)|сайт|мы)\b.{0,60}\bcookies?\b/iu,
  /\bcookies?\b.{0,40}\b(to (improve|ensure|give|provide|personali[sz]e|analy[sz]e)|settings|policy|preferences|akzeptier|zustimm|zu verbessern)|\b(accept|allow|manage|reject) (all |our )?cookies?\b/iu,
  /\b(enable|activate|turn on|requires?|needs?|without|disabled|aktivieren|aktivez|activer|active|habilite?|abilita(re)?) (your )?java\s?script\b|\bjava\s?script\b.{0,40}\b(enabled?|disabled|required|needed|turned o(n|ff)|not supported|aktivieren|aktiviert|deaktiviert|désactivé|activé|desactivado|disabilitato)\b/iu,
  /\b(sign up|subscribe|register|join|abonnieren|anmelden|melden sie sich|inscrivez|abonnez|suscr[ií]b|iscriviti|schrijf je)\b.{0,60}\bnewsletters?\b|\bnewsletters?\b.{0,20}\b(abonnieren|anmelden|bestellen|sign-?up|abonnez)\b/iu,
];
/** Scripts that have no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]$/u;
/**
 * The note that WordPress adds to the text of a feed, in the largest languages: "The post TITLE appeared first on
 * SITE."
 */
const feedNote =
  /(?:^|\s)(?:The post|Der Beitrag|L[’']article|La entrada|L[’']articolo|Het bericht|O (?:post|conteúdo)|Artykuł|Inlägget|Indlægget|Innlegget|Запись|Příspěvek|Artikkeli) .{1,300} (?:appeared first on|erschien zuerst auf|est apparu en premier sur|(?:se publicó|apareció) primero en|proviene da|verscheen eerst op|(?:apareceu|aparece) primeiro em|pochodzi z serwisu|dök först upp på|blev først udgivet på|dukket først opp på|впервые появилась|pochází z|julkaistiin ensimmäisen kerran) .{1,200}$/u;
const cutMark = /\s*(?:\[?(?:\.{3}|…)\]?|(?:\b[Rr]ead|Read) [Mm]ore\b.*|(?:\b[Cc]ontinue|Continue) [Rr]eading\b.*)$/u;
const ended = /[.!?。！？…؟।"'”’»)\]]$/u;

/**
 * Returns a text to show below the title, on one line, without tags, entities, byline and half words. It is the first
 * description that is neither a name nor a slogan, else the beginning of the first paragraph, else null. If a
 * description breaks off, another description or a paragraph with the same beginning completes it to the end of its
 * sentence.
 */
export function pickDescription({ candidates, slogans, names, paragraphs }: DescriptionFacts): string | null {
  const unwanted = new Set([...slogans, ...names].map((text) => fold(tidy(text))));
  const own = candidates
    .map(tidy)
    .filter((text) => text !== "" && !unwanted.has(fold(text)) && !isBoilerplate(text.slice(0, 120)));
  const chosen = own.find((text) => !openByline.test(text));
  if (chosen !== undefined && ended.test(chosen) && !cutMark.test(chosen)) return chosen;
  const texts = paragraphs()
    .map(tidy)
    .filter((text) => displayWidth(text) >= leastParagraph && !isBoilerplate(text) && !openByline.test(text));
  if (chosen === undefined) return texts[0] === undefined ? (own[0] ?? null) : sentences(texts[0]);
  return completed(chosen, [...own, ...texts]);
}

function isBoilerplate(text: string): boolean {
  return boilerplate.test(text) || notices.some((notice) => notice.test(text));
}

function tidy(raw: string): string {
  // Twice, because a template may have escaped a text that was already escaped in an attribute.
  const text = plainText(plainText(raw.slice(0, 2 * maxLength)));
  const line = (readText(text, 2 * maxLength) ?? "").replace(feedNote, "").replace(/[\s|]+$/u, "");
  return line.replace(byline, "").replace(bylineAtEnd, "").slice(0, maxLength).toWellFormed().trim();
}

/** Returns the text up to the end of the sentence where it breaks off, or else up to its last whole word. */
function completed(text: string, others: string[]): string {
  const stem = text.replace(cutMark, "").trimEnd();
  const longer = others.find(
    (other) => other.length > stem.length + 3 && other.startsWith(stem) && !cutMark.test(other),
  );
  if (longer !== undefined) return displayWidth(stem) < leastText ? sentences(longer) : sentences(longer, stem.length);
  if (stem === text) return text;
  // The last word before the mark may be half a word. In scripts without spaces nothing tells where words end.
  if (unspaced.test(stem)) return `${stem}…`;
  const words = stem.slice(0, Math.max(stem.lastIndexOf(" "), 0));
  return words === "" ? text : `${words.replace(/[\s,;:–—-]+$/u, "")}…`;
}

/**
 * Returns the first whole sentences that together have at least `least` UTF-16 units, or the whole text if it is
 * shorter.
 */
function sentences(text: string, least = enough): string {
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)) {
    end = index + segment.length;
    if (end >= least) break;
  }
  return text.slice(0, end).trim();
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
