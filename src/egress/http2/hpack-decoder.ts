import { decodeHuffman } from "./hpack-huffman.ts";

/** Names of HPACK's static table (RFC 7541 appendix A), from index 1 on. */
const staticNames = `
  :authority :method :method :path :path :scheme :scheme :status :status :status :status :status :status :status
  accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age allow
  authorization cache-control content-disposition content-encoding content-language content-length
  content-location content-range content-type cookie date etag expect expires from host if-match if-modified-since
  if-none-match if-range if-unmodified-since last-modified link location max-forwards proxy-authenticate
  proxy-authorization range referer refresh retry-after server set-cookie strict-transport-security
  transfer-encoding user-agent vary via www-authenticate
`
  .trim()
  .split(/\s+/);
const firstStatus = 8;
const staticStatuses = [200, 204, 206, 304, 400, 404, 500];

/**
 * The part of a header block that the caller asked for. `status` is 0 if the block has none, for example in trailers.
 */
export type ResponseHead = { status: number; headers: Record<string, string> };

/**
 * Decodes a complete header block: `bytes` from `from` up to `to`. The peer must have been sent
 * SETTINGS_HEADER_TABLE_SIZE 0, so that blocks do not depend on each other. Returns the status and the headers whose
 * names `isWanted` accepts. Skips other values without decoding them. Returns undefined if the block is malformed.
 */
export function decodeHead(
  bytes: Buffer,
  from: number,
  to: number,
  isWanted: (name: string) => boolean,
): ResponseHead | undefined {
  const cursor: Cursor = { bytes, at: from, end: to, malformed: false };
  const head: ResponseHead = { status: 0, headers: {} };
  let fields = 0;
  while (cursor.at < to && !cursor.malformed) {
    const first = bytes[cursor.at]!;
    if ((first & 0xe0) === 0x20) {
      // A new table size: only 0 is allowed, and only at the start of a block (RFC 7541 section 4.2).
      if (fields > 0 || readInteger(cursor, 5) !== 0) return undefined;
      continue;
    }
    fields += 1;
    if (first >= 0x80) readIndexed(cursor, head, isWanted);
    else readLiteral(cursor, head, first >= 0x40 ? 6 : 4, isWanted);
  }
  return cursor.malformed ? undefined : head;
}

type Cursor = { readonly bytes: Buffer; at: number; readonly end: number; malformed: boolean };

function readIndexed(cursor: Cursor, head: ResponseHead, isWanted: (name: string) => boolean): void {
  const index = readInteger(cursor, 7);
  const name = staticNames[index - 1];
  if (name === undefined) {
    cursor.malformed = true;
    return;
  }
  const status = staticStatuses[index - firstStatus];
  if (status !== undefined) setStatus(cursor, head, status);
  else if (isWanted(name)) head.headers[name] ??= "";
}

function readLiteral(
  cursor: Cursor,
  head: ResponseHead,
  prefixBits: number,
  isWanted: (name: string) => boolean,
): void {
  const index = readInteger(cursor, prefixBits);
  const name = index === 0 ? readString(cursor) : staticNames[index - 1];
  if (name === undefined) cursor.malformed = true;
  else if (name === ":status") setStatus(cursor, head, readStatus(cursor));
  else if (!isWanted(name)) skipString(cursor);
  else {
    // The first of several headers with one name wins, as in Node.js.
    const value = readString(cursor) ?? "";
    head.headers[name] ??= value;
  }
}

function setStatus(cursor: Cursor, head: ResponseHead, status: number): void {
  if (head.status !== 0 || status < 100 || status > 599) cursor.malformed = true;
  head.status = status;
}

function readStatus(cursor: Cursor): number {
  const text = readString(cursor) ?? "";
  return /^[0-9]{3}$/.test(text) ? Number(text) : 0;
}

function readString(cursor: Cursor): string | undefined {
  const { start, isHuffman } = skipString(cursor);
  if (cursor.malformed) return undefined;
  const { bytes, at } = cursor;
  if (!isHuffman) return bytes.toString("latin1", start, at);
  const text = decodeHuffman(bytes, start, at);
  if (text === undefined) cursor.malformed = true;
  return text;
}

/** Moves the cursor behind a string, and returns the start of its bytes. */
function skipString(cursor: Cursor): { start: number; isHuffman: boolean } {
  const isHuffman = (cursor.bytes[cursor.at] ?? 0) >= 0x80;
  const length = readInteger(cursor, 7);
  const start = cursor.at;
  cursor.at += length;
  if (cursor.at > cursor.end) cursor.malformed = true;
  return { start, isHuffman };
}

/**
 * Reads an integer (RFC 7541 section 5.1) of at most four continuation bytes. No block that is decoded here needs
 * more.
 */
function readInteger(cursor: Cursor, prefixBits: number): number {
  const { bytes } = cursor;
  const max = (1 << prefixBits) - 1;
  let value = (bytes[cursor.at++] ?? 0) & max;
  if (cursor.at > cursor.end) cursor.malformed = true;
  if (value < max) return value;
  for (let shift = 0; shift < 28 && cursor.at < cursor.end; shift += 7) {
    const byte = bytes[cursor.at++]!;
    value += (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  cursor.malformed = true;
  return 0;
}
