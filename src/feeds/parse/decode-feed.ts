import { charsetOfByteOrderMark, supportedCharset } from "../../decision/page/decode-page.ts";

/** Of the letters beyond ASCII, in a text that still counts as UTF-8. In any other encoding nearly all of them break. */
const brokenAtMost = 0.5;

/**
 * The text of a feed, whatever is said about its encoding: byte order mark, UTF-16 without one, then UTF-8 where the
 * bytes are UTF-8 (no other text looks like it by chance), then the header's charset, then the XML declaration's, then
 * windows-1252. A single broken byte does not make windows-1252 of UTF-8. Never throws.
 */
export function decodeFeed({ body, charset }: { body: Uint8Array; charset?: string }): string {
  const certain = charsetOfByteOrderMark(body) ?? wideCharset(body);
  if (certain !== null) return decodeAs(certain, body);
  const isAscii = !body.some((byte) => byte > 0x7f);
  if (!isAscii && isUtf8(body)) return decodeAs("utf-8", body);
  const told = [charset, declared(body)].map(supportedCharset).filter((name) => name !== null);
  const other = told.find((name) => name !== "utf-8" && !name.startsWith("utf-16"));
  if (other !== undefined) return decodeAs(other, body);
  const text = decodeAs("utf-8", body);
  return isAscii || isMostlyWhole(text) ? text : decodeAs("windows-1252", body);
}

function decodeAs(charset: string, body: Uint8Array): string {
  return new TextDecoder(charset).decode(body);
}

/** `<` and NUL: markup of two bytes a letter. */
function wideCharset(body: Uint8Array): string | null {
  if (body[0] === 0x3c && body[1] === 0) return "utf-16le";
  return body[0] === 0 && body[1] === 0x3c ? "utf-16be" : null;
}

function isUtf8(body: Uint8Array): boolean {
  try {
    // A letter that the cut went through is no fault.
    new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function declared(body: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(body.subarray(0, 1_024));
  return /<\?xml[^>]+?encoding\s*=\s*["']\s*([\w:.-]+)/i.exec(start)?.[1];
}

function isMostlyWhole(text: string): boolean {
  let letters = 0;
  let broken = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) letters += 1;
    if (unit === 0xfffd) broken += 1;
  }
  return broken <= letters * brokenAtMost;
}
