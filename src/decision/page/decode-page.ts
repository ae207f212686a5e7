/** How far browsers and this service look for a charset in the markup (HTML Standard: 1,024 bytes; sites need more). */
const sniffedBytes = 4096;

/**
 * The text of an HTML document. As browsers do: byte order mark, then the header's charset, then the one in the markup,
 * then UTF-8 if it is valid, else windows-1252. Never throws; what cannot be decoded becomes U+FFFD.
 */
export function decodePage({ body, charset }: { body: Uint8Array; charset?: string }): string {
  const declared = charsetOfByteOrderMark(body) ?? supportedCharset(charset) ?? supportedCharset(charsetInMarkup(body));
  if (declared !== null) return new TextDecoder(declared).decode(body);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return new TextDecoder("windows-1252").decode(body);
  }
}

/** The charset that a byte order mark tells, or null. */
export function charsetOfByteOrderMark(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return "utf-8";
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be";
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le";
  return null;
}

/** A charset that TextDecoder has, or null: an unknown one says nothing. */
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
  const label = /<meta[^>]+?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1];
  // Markup that could be read as ASCII is not UTF-16, whatever it says (HTML Standard).
  return label?.toLowerCase().startsWith("utf-16") ? "utf-8" : label;
}
