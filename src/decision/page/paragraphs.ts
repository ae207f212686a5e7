import type { MarkupReader } from "../../reading/tokenize-markup.ts";

const maxParagraphs = 20;
/** In UTF-16 units: enough for the first sentences. */
const maxLength = 1000;
/** Elements that hold no text of the story. */
const aside = new Set("nav footer aside figure form script style noscript template textarea select button".split(" "));
/** Elements that end a paragraph whose end is not marked. */
const blocks = new Set("p div ul ol table section article h1 h2 h3 h4 h5 h6 blockquote main".split(" "));

/**
 * Creates a reader of the beginnings of a page's first <p>, as written. It starts at the first <h1>, if there is one.
 * It takes linear time and works together with other readers.
 */
export function paragraphsReader(html: string): MarkupReader<string[]> {
  let found: string[] = [];
  let hasHeading = false;
  let depth = 0;
  let text: string | null = null;
  let tag = "";
  const end = () => {
    if (text !== null && text.trim() !== "" && found.length < maxParagraphs) found.push(text);
    text = null;
  };
  const onOpened = () => {
    if (aside.has(tag)) depth += 1;
    if (tag === "br" && text !== null) text += " ";
    if (!blocks.has(tag)) return;
    end();
    if (tag === "h1" && !hasHeading) [hasHeading, found] = [true, []];
    if (tag === "p" && depth === 0) text = "";
  };
  const add = (part: () => string) => {
    if (text !== null && depth === 0 && text.length < maxLength) text += part();
  };
  const handler: MarkupReader<string[]>["handler"] = {
    onopentagname: (start, stop) => {
      tag = html.slice(start, stop).toLowerCase();
    },
    onopentagend: onOpened,
    onclosetag: (start, stop) => {
      const name = html.slice(start, stop).toLowerCase();
      if (aside.has(name)) depth = Math.max(0, depth - 1);
      if (blocks.has(name)) end();
    },
    ontext: (start, stop) => add(() => html.slice(start, Math.min(stop, start + maxLength))),
    ontextentity: (codePoint) => add(() => String.fromCodePoint(codePoint)),
  };
  const result = () => {
    end();
    return found;
  };
  return { handler, result };
}
