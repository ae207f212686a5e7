import { charsetOfByteOrderMark, supportedCharset } from "../../decision/page/decode-page.ts";

/**
 * The highest share of broken characters among those beyond ASCII, in a text that counts as UTF-8. In a text with
 * another encoding nearly all of them break.
 */
const maxBrokenShare = 0.5;

/**
 * Decodes the text of a feed. Declarations of the encoding are often wrong, so the bytes come first. The order is: a
 * byte order mark, UTF-16 without one, UTF-8 if the bytes are valid (text in another encoding is not valid UTF-8 by
 * chance), the charset of the header, the charset of the XML declaration, UTF-8 if few characters are broken, and
 * windows-1252. Never throws.
 */
export function decodeFeed({ body, charset }: { body: Uint8Array; charset?: string }): string {
  const certain = charsetOfByteOrderMark(body) ?? wideCharset(body);
  if (certain !== null) return decodeAs(certain, body);
  const isAscii = !body.some((byte) => byte > 0x7f);
  if (!isAscii && isUtf8(body)) return decodeAs("utf-8", body);
  const declared = [charset, declaredCharset(body)].map(supportedCharset).filter((name) => name !== null);
  const other = declared.find((name) => name !== "utf-8" && !name.startsWith("utf-16"));
  if (other !== undefined) return decodeAs(other, body);
  const text = decodeAs("utf-8", body);
  return isAscii || isMostlyValid(text) ? text : decodeAs("windows-1252", body);
}

function decodeAs(charset: string, body: Uint8Array): string {
  return new TextDecoder(charset).decode(body);
}

/**
 * Returns the UTF-16 encoding of markup without a byte order mark. Markup begins with `<`, and a NUL before or after
 * it means two bytes a character (XML 1.0 appendix F).
 */
function wideCharset(body: Uint8Array): string | null {
  if (body[0] === 0x3c && body[1] === 0) return "utf-16le";
  return body[0] === 0 && body[1] === 0x3c ? "utf-16be" : null;
}

function isUtf8(body: Uint8Array): boolean {
  try {
    // With `stream`, an incomplete character at the end, where the document was cut off, is no error.
    new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns the encoding of the XML declaration (XML 1.0 section 4.3.3). */
function declaredCharset(body: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(body.subarray(0, 1_024));
  return /<\?xml[^>]+?encoding\s*=\s*["']\s*([\w:.-]+)/i.exec(start)?.[1];
}

function isMostlyValid(text: string): boolean {
  let beyondAscii = 0;
  let broken = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) beyondAscii += 1;
    if (unit === 0xfffd) broken += 1;
  }
  return broken <= beyondAscii * maxBrokenShare;
}
