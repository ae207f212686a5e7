/** The size of a request: small enough for a slow connection, and enough for some thousand subscribers. */
export const partBytes = 512 * 1024;

const newline = 0x0a;

/** A part of a file with whole lines. `end`: the offset in the file up to which it has been read. */
export type FilePart = { bytes: Uint8Array<ArrayBuffer>; end: number; hasMore: boolean };

/**
 * Splits a file into parts of whole lines, of at most `maxBytes` each. Reads one part at a time, so that a large file
 * takes the
 * memory of one part. Of a line longer than `maxBytes`, only the beginning is yielded, as its own part, which the
 * service
 * refuses as too long.
 */
export async function* partsOf(file: Blob, maxBytes = partBytes): AsyncGenerator<FilePart> {
  let isWithinLine = false;
  for (let at = 0; at < file.size; ) {
    const bytes = new Uint8Array(await file.slice(at, at + maxBytes).arrayBuffer());
    if (isWithinLine) {
      const end = bytes.indexOf(newline);
      at += end < 0 ? bytes.length : end + 1;
      isWithinLine = end < 0;
      continue;
    }
    const isLast = at + bytes.length >= file.size;
    const size = isLast ? bytes.length : bytes.lastIndexOf(newline) + 1;
    isWithinLine = size === 0;
    at += size || bytes.length;
    yield { bytes: bytes.subarray(0, size || bytes.length), end: at, hasMore: at < file.size };
  }
}
