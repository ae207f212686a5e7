/** What is sent at once: small enough for a slow line, and some thousand readers. */
export const partBytes = 512 * 1024;

const newline = 0x0a;

/** Whole lines of a file. `end`: the bytes of the file that are done with it. */
export type FilePart = { bytes: Uint8Array<ArrayBuffer>; end: number; hasMore: boolean };

/**
 * A file in parts of whole lines of at most `maxBytes`, read as they are asked for: a file of any size takes the memory
 * of one part. Of a longer line its beginning is a part of its own, which the service finds too long.
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
