/** The number of bytes that are searched for a charset. The HTML Standard says 1,024, but real sites need more. */
const sniffedBytes = 4096;

/**
 * Decodes an HTML document as browsers do. Uses the byte order mark, else the charset in the header, else the charset
 * in the markup, else UTF-8 if the bytes are valid, else windows-1252. Never throws. Invalid bytes become U+FFFD.
 */
export function decodePage({ body, charset }: { body: Uint8Array; charset?: string }): string {
  const declared = charsetOfByteOrderMark(body) ?? supportedCharset(charset) ?? supportedCharset(charsetInMarkup(body));
  if (declared !== null) return new TextDecoder(declared).decode(body);
  try {
    // As a stream, so that a page that was cut within a letter still counts as UTF-8.
    return new TextDecoder("utf-8", { fatal: true }).decode(body, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(body);
  }
}

/** Returns the charset of a byte order mark, or null if there is none. */
export function charsetOfByteOrderMark(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return null;
}

/** Returns the name that TextDecoder uses for a charset, or null for an unknown one. */
export function supportedCharset(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function charsetInMarkup(body: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(body.subarray(0, sniffedBytes));
  // Searches tag by tag, with no two parts that could share a run of spaces. One pattern for the whole would take
  // cubic time.
  const label = [...start.matchAll(/<meta[^>]([^>]*)/gi)]
    .map(([, attributes]) => /charset\s*=[\s"']*([\w:.-]+)/i.exec(attributes!)?.[1])
    .find((found) => found !== undefined);
  // Markup that is readable as ASCII cannot be UTF-16, whatever it declares (HTML Standard).
  return label?.toLowerCase().startsWith("utf-16") ? "utf-8" : label;
}
