import type { MarkupReader } from "../../reading/tokenize-markup.ts";

/** What the body of a page shows about its kind. Texts are as written, not cleaned. */
export type PageBody = {
  /** The texts of <h1>, at most 5, each at most 500 UTF-16 units. */
  headings: string[];
  /** The texts of <h2>, with the same limits. Some pages have their headline in the first one. */
  subheadings: string[];
  /** Columns of text outside of links, in runs of 80 or more. Such runs are prose, not menus or teasers. */
  prose: number;
  links: number;
  /** The number of <article>. A story has one, and a list has one for each entry. */
  articles: number;
  hasPassword: boolean;
  /** The page has a <time>, or a short text with a day, a month and a year. */
  showsDate: boolean;
  /** Local names of the types in microdata, at most 100. */
  itemTypes: Set<string>;
};

const minRun = 80;
const maxHeading = 500;
const maxHeadings = 5;
/** In UTF-16 units. Dates within a longer text belong to its events. */
const maxDateText = 80;
const shownDate =
  /\b\d{1,2}[./-]\d{1,2}[./-](19|20)\d\d\b|\b(19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}\b|(19|20)\d\d\s?[年년]\s?\d{1,2}|\b\d{1,2}(\.|st|nd|rd|th)?\s+(de\s+)?\p{L}{3,12}\.?,?\s+(de\s+)?(19|20)\d\d\b|\p{L}{3,12}\.?\s+\d{1,2},?\s+(19|20)\d\d\b/u;
/** Elements that do not end a run of text. All others end it. */
const inline = new Set(
  "a abbr b bdi bdo big cite code em font i ins kbd mark q s small span strong sub sup time u wbr".split(" "),
);
const silent = new Set(["script", "style", "noscript", "textarea", "template", "select", "button", "title"]);
const readTags = new Set(["a", "article", "input", "time"]);
const readAttributes = new Set(["href", "type", "itemtype", "datetime"]);

/** Creates a reader of the body of an HTML page. It takes linear time and works together with other readers. */
export function bodyReader(html: string): MarkupReader<PageBody> {
  const body = emptyBody();
  let tag = "";
  let attributes = new Map<string, string>();
  let attribute = "";
  let silentTag = "";
  let run = 0;
  let isLink = false;
  let heading: string | null = null;

  const endRun = () => {
    if (run >= minRun) body.prose += run;
    run = 0;
    isLink = false;
  };
  const onOpened = () => {
    if (!inline.has(tag)) endRun();
    if (tag === "a") isLink = attributes.has("href");
    if (silent.has(tag) && silentTag === "") silentTag = tag;
    if (tag === "h1" || tag === "h2") heading = "";
    recordElement(body, tag, attributes);
  };
  const handler: MarkupReader<PageBody>["handler"] = {
    onopentagname: (start, end) => {
      tag = html.slice(start, end).toLowerCase();
      attributes = new Map();
    },
    onattribname: (start, end) => {
      const name = html.slice(start, end).toLowerCase();
      const isRead = readAttributes.has(name) && (readTags.has(tag) || name === "itemtype") && !attributes.has(name);
      attribute = isRead ? name : "";
      if (isRead) attributes.set(name, "");
    },
    onattribdata: (start, end) => {
      if (attribute !== "") attributes.set(attribute, html.slice(start, Math.min(end, start + 200)));
    },
    onopentagend: onOpened,
    onselfclosingtag: onOpened,
    onclosetag: (start, end) => {
      const name = html.slice(start, end).toLowerCase();
      if (name === silentTag) silentTag = "";
      if (name === "a") isLink = false;
      if (!inline.has(name)) endRun();
      if ((name === "h1" || name === "h2") && heading !== null) {
        const list = name === "h1" ? body.headings : body.subheadings;
        if (heading.trim() !== "" && list.length < maxHeadings) list.push(heading);
        heading = null;
      }
    },
    ontext: (start, end) => {
      if (silentTag !== "") return;
      if (!isLink) run += columns(html, start, end);
      body.showsDate ||= end - start < maxDateText && shownDate.test(html.slice(start, end));
      if (heading !== null && heading.length < maxHeading)
        heading += html.slice(start, Math.min(end, start + maxHeading));
    },
    ontextentity: (codePoint) => {
      if (heading !== null && heading.length < maxHeading) heading += String.fromCodePoint(codePoint);
    },
  };
  const result = () => {
    endRun();
    return body;
  };
  return { handler, result };
}

/**
 * Counts columns. A run of spaces counts once. A character of East Asian scripts counts as two, because it says as
 * much as two letters.
 */
function columns(html: string, start: number, end: number): number {
  let count = 0;
  let wasSpace = true;
  for (let at = start; at < end; at += 1) {
    const code = html.charCodeAt(at);
    const isSpace = code <= 32;
    if (!isSpace || !wasSpace) count += code >= 0x2e80 && code <= 0xd7a3 ? 2 : 1;
    wasSpace = isSpace;
  }
  return count;
}

function recordElement(body: PageBody, tag: string, attributes: Map<string, string>): void {
  if (tag === "a" && attributes.has("href")) body.links += 1;
  if (tag === "article") body.articles += 1;
  if (tag === "input" && attributes.get("type")?.toLowerCase() === "password") body.hasPassword = true;
  const itemType = attributes.get("itemtype");
  if (itemType !== undefined && body.itemTypes.size < 100) {
    for (const type of itemType.trim().split(/\s+/)) body.itemTypes.add(type.replace(/^.*[/#:]/, ""));
  }
  if (tag === "time" && attributes.has("datetime")) body.showsDate = true;
}

function emptyBody(): PageBody {
  const counts = { prose: 0, links: 0, articles: 0 };
  return { ...counts, headings: [], subheadings: [], hasPassword: false, showsDate: false, itemTypes: new Set() };
}
