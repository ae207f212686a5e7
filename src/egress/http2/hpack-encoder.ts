/** Indexes of names in HPACK's static table (RFC 7541 appendix A). */
const staticIndexOf = new Map([
  ["authorization", 23],
  ["content-encoding", 26],
  ["content-type", 31],
]);

const tableSizeZero = 0x20;
const methodPost = 0x83;
const schemeHttps = 0x87;
/**
 * The first bytes of the two literals, with the static index of the name. The authority is not indexed here. The path
 * must not be indexed by any intermediary either.
 */
const authorityLiteral = 0x01;
const pathNeverIndexed = 0x14;

/** The head of a POST over https. `fields`: its other headers, by `encodeHeaderFields`. */
export type RequestHead = { path: string; fields: Buffer; contentLength: number };

export type RequestEncoder = ReturnType<typeof createRequestEncoder>;

/**
 * Creates the encoder for the header blocks of one connection. It uses no dynamic table. The first block says so,
 * which is valid for every SETTINGS_HEADER_TABLE_SIZE of the peer. The path is marked "never indexed", because the
 * path of a push subscription is a secret.
 */
export function createRequestEncoder(authority: string) {
  const start = Buffer.concat([Buffer.from([methodPost, schemeHttps, authorityLiteral]), encodeString(authority)]);
  const firstStart = Buffer.concat([Buffer.from([tableSizeZero]), start]);
  let isFirst = true;

  return {
    /** Returns an upper bound for the length of the block, in bytes. */
    maxBytes({ path, fields }: RequestHead): number {
      return firstStart.length + path.length + fields.length + 32;
    },
    /** Writes the block into `out` at the offset `at`. Returns the end offset. */
    write(out: Buffer, at: number, { path, fields, contentLength }: RequestHead): number {
      const head = isFirst ? firstStart : start;
      isFirst = false;
      let end = at + head.copy(out, at);
      out[end++] = pathNeverIndexed;
      end = writeLength(out, end, path.length);
      end += out.write(path, end, "latin1");
      end += fields.copy(out, end);
      // The index of content-length, 28, does not fit into the four bits of its prefix.
      out[end++] = 0x0f;
      out[end++] = 28 - 15;
      const digits = String(contentLength);
      end = writeLength(out, end, digits.length);
      return end + out.write(digits, end, "latin1");
    },
  };
}

/**
 * Encodes headers as part of a block. The result can be used in many blocks and connections. Names are in lower case.
 * `authorization` is marked "never indexed".
 */
export function encodeHeaderFields(headers: Record<string, string>): Buffer {
  const parts: Buffer[] = [];
  for (const name in headers) {
    // The upper four bits: 0001 means never indexed, 0000 means not indexed here.
    const form = name === "authorization" ? 0x10 : 0;
    const index = staticIndexOf.get(name);
    if (index === undefined) parts.push(Buffer.from([form]), encodeString(name));
    else parts.push(Buffer.from([form | 0x0f, index - 15]));
    parts.push(encodeString(headers[name]!));
  }
  return Buffer.concat(parts);
}

/** Encodes a string without Huffman coding, because the bytes that it saves are not worth the time. */
function encodeString(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length + 6);
  const at = writeLength(bytes, 0, text.length);
  return bytes.subarray(0, at + bytes.write(text, at, "latin1"));
}

/**
 * Writes an integer with a prefix of seven bits; the eighth bit is 0 (RFC 7541 section 5.1). Returns the end offset.
 */
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
