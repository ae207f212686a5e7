import type { PushRequest } from "../push/exchange.ts";
import { RecentHeaders } from "./recent-headers.ts";

/** Indexes of names in HPACK's static table (RFC 7541 appendix A). */
const staticIndexOf = new Map([
  ["authorization", 23],
  ["content-encoding", 26],
  ["content-type", 31],
]);

const noTable = 0x20;
const methodPost = 0x83;
const schemeHttps = 0x87;
/** Literal without indexing, and the form that no one on the way may index either; each with the index of a name. */
const authorityLiteral = 0x01;
const pathNeverIndexed = 0x14;

export type RequestEncoder = ReturnType<typeof createRequestEncoder>;

/**
 * Writes the header blocks of one connection. No dynamic table is used: the first block says so, and it holds whatever the
 * peer's SETTINGS_HEADER_TABLE_SIZE is or becomes. The path (whoever has it can nudge the reader) and the authorization
 * are marked never to be indexed. What is the same from message to message is written once and copied.
 */
export function createRequestEncoder(authority: string) {
  const start = Buffer.concat([Buffer.from([methodPost, schemeHttps, authorityLiteral]), stringOf(authority)]);
  const firstStart = Buffer.concat([Buffer.from([noTable]), start]);
  const blocks = new RecentHeaders<Buffer>();
  let isFirst = true;

  return {
    /** How many bytes the block of a request takes at most, and its part that does not change. */
    measure({ path, headers }: PushRequest): { fields: Buffer; atMostBytes: number } {
      const fields = blocks.valueOf(headers, encodeFields);
      return { fields, atMostBytes: firstStart.length + path.length + fields.length + 32 };
    },
    /** Writes the block into `out` at `at`; `fields` from `measure`. Gives where it ends. */
    write(out: Buffer, at: number, { path, body }: PushRequest, fields: Buffer): number {
      const head = isFirst ? firstStart : start;
      isFirst = false;
      let end = at + head.copy(out, at);
      out[end++] = pathNeverIndexed;
      end = writeLength(out, end, path.length);
      end += out.write(path, end, "latin1");
      end += fields.copy(out, end);
      // content-length: index 28 does not fit into the four bits of its prefix.
      out[end++] = 0x0f;
      out[end++] = 28 - 15;
      const digits = String(body.length);
      end = writeLength(out, end, digits.length);
      return end + out.write(digits, end, "latin1");
    },
  };
}

function encodeFields(headers: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  for (const name in headers) {
    // Four bits of prefix; 0001 says never indexed, 0000 not indexed here.
    const form = name === "authorization" ? 0x10 : 0;
    const index = staticIndexOf.get(name);
    if (index === undefined) parts.push(Buffer.from([form]), stringOf(name));
    else parts.push(Buffer.from([form | 0x0f, index - 15]));
    parts.push(stringOf(headers[name]!));
  }
  return Buffer.concat(parts);
}

/** Without Huffman: the bytes saved are not worth the time. */
function stringOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length + 6);
  const at = writeLength(bytes, 0, text.length);
  return bytes.subarray(0, at + bytes.write(text, at, "latin1"));
}

/** An integer of seven bits of prefix, the eighth 0 (RFC 7541 section 5.1). */
function writeLength(out: Buffer, at: number, length: number): number {
  if (length < 127) {
    out[at] = length;
    return at + 1;
  }
  out[at++] = 127;
  let rest = length - 127;
  for (; rest >= 128; rest >>>= 7) out[at++] = (rest & 127) | 128;
  out[at] = rest;
  return at + 1;
}
