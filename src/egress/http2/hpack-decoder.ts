import { decodeHuffman } from "./hpack-huffman.ts";

/** Names of HPACK's static table (RFC 7541 appendix A), from index 1 on. */
const staticNames =
  ":authority :method :method :path :path :scheme :scheme :status :status :status :status :status :status :status accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control content-disposition content-encoding content-language content-length content-location content-range content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate".split(
    " ",
  );
const firstStatus = 8;
const staticStatuses = [200, 204, 206, 304, 400, 404, 500];

/** What a sender reads of a header block. Status 0: it has none, as trailers have none. */
export type ResponseHead = { status: number; headers: Record<string, string> };

/**
 * Reads a whole header block, `bytes` from `from` up to `to`, of a peer that was told SETTINGS_HEADER_TABLE_SIZE 0: so nothing is remembered from one block
 * to the next. Keeps the status and the headers that `wants` says yes to; others are passed over unread. Undefined: no such block.
 */
export function decodeHead(
  bytes: Buffer,
  from: number,
  to: number,
  wants: (name: string) => boolean,
): ResponseHead | undefined {
  const cursor: Cursor = { bytes, at: from, end: to, broken: false };
  const head: ResponseHead = { status: 0, headers: {} };
  let fields = 0;
  while (cursor.at < to && !cursor.broken) {
    const first = bytes[cursor.at]!;
    if ((first & 0xe0) === 0x20) {
      // A new table size: only 0 is allowed, and only at the start of a block (RFC 7541 section 4.2).
      if (fields > 0 || readInteger(cursor, 5) !== 0) return undefined;
      continue;
    }
    fields += 1;
    if (first >= 0x80) readIndexed(cursor, head, wants);
    else readLiteral(cursor, head, first >= 0x40 ? 6 : 4, wants);
  }
  return cursor.broken ? undefined : head;
}

type Cursor = { readonly bytes: Buffer; at: number; readonly end: number; broken: boolean };

function readIndexed(cursor: Cursor, head: ResponseHead, wants: (name: string) => boolean): void {
  const index = readInteger(cursor, 7);
  const name = staticNames[index - 1];
  if (name === undefined) {
    cursor.broken = true;
    return;
  }
  const status = staticStatuses[index - firstStatus];
  if (status !== undefined) noteStatus(cursor, head, status);
  else if (wants(name)) head.headers[name] ??= "";
}

function readLiteral(cursor: Cursor, head: ResponseHead, prefixBits: number, wants: (name: string) => boolean): void {
  const index = readInteger(cursor, prefixBits);
  const name = index === 0 ? readString(cursor) : staticNames[index - 1];
  if (name === undefined) cursor.broken = true;
  else if (name === ":status") noteStatus(cursor, head, readStatus(cursor));
  else if (!wants(name)) skipString(cursor);
  else {
    // The first of several counts, as in Node.
    const value = readString(cursor) ?? "";
    head.headers[name] ??= value;
  }
}

function noteStatus(cursor: Cursor, head: ResponseHead, status: number): void {
  if (head.status !== 0 || status < 100 || status > 599) cursor.broken = true;
  head.status = status;
}

function readStatus(cursor: Cursor): number {
  const text = readString(cursor) ?? "";
  return /^[0-9]{3}$/.test(text) ? Number(text) : 0;
}

function readString(cursor: Cursor): string | undefined {
  const from = skipString(cursor);
  if (cursor.broken) return undefined;
  const { bytes, at } = cursor;
  const { start, isHuffman } = from;
  if (!isHuffman) return bytes.toString("latin1", start, at);
  const text = decodeHuffman(bytes, start, at);
  if (text === undefined) cursor.broken = true;
  return text;
}

/** Moves behind a string, and tells where it began. */
function skipString(cursor: Cursor): { start: number; isHuffman: boolean } {
  const isHuffman = (cursor.bytes[cursor.at] ?? 0) >= 0x80;
  const length = readInteger(cursor, 7);
  const start = cursor.at;
  cursor.at += length;
  if (cursor.at > cursor.end) cursor.broken = true;
  return { start, isHuffman };
}

/** RFC 7541 section 5.1. Four bytes of continuation are more than any block that is read here can need. */
function readInteger(cursor: Cursor, prefixBits: number): number {
  const { bytes } = cursor;
  const most = (1 << prefixBits) - 1;
  let value = (bytes[cursor.at++] ?? 0) & most;
  if (cursor.at > cursor.end) cursor.broken = true;
  if (value < most) return value;
  for (let shift = 0; shift < 28 && cursor.at < cursor.end; shift += 7) {
    const byte = bytes[cursor.at++]!;
    value += (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  cursor.broken = true;
  return 0;
}
