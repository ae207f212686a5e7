import { tokenizeMarkup } from "./tokenize-markup.ts";

/** Returns the text of HTML: tags dropped, entities decoded. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  const parts: string[] = [];
  tokenizeMarkup(html, {
    ontext: (start, end) => void parts.push(html.slice(start, end)),
    ontextentity: (codePoint) => void parts.push(String.fromCodePoint(codePoint)),
    oncdata: (start, end, rest) => void parts.push(html.slice(start, end - rest)),
    onopentagname: (start, end) => void parts.push(gapOf(html.slice(start, end))),
    onclosetag: (start, end) => void parts.push(gapOf(html.slice(start, end))),
  });
  return parts.join("");
}

/** Returns what replaces a tag. A block element separates words, but an inline one such as <b> does not. */
function gapOf(tag: string): string {
  return /^(br|p|div|li|h\d|tr|td)$/i.test(tag) ? " " : "";
}
