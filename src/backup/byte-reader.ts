/** Reads a given number of bytes at a time from a stream of buffers of any length. */
export type ByteReader = {
  /** Returns the next `length` bytes. Returns fewer only at the end of the stream, and none after it. */
  readUpTo(length: number): Promise<Buffer>;
};

/** Creates a reader of `source`. Between calls it holds at most one buffer of the source. */
export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const buffers = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return {
    async readUpTo(length) {
      const parts: Buffer[] = [];
      for (let missing = length; missing > 0; ) {
        if (rest.length === 0) {
          const next = await buffers.next();
          if (next.done) break;
          rest = next.value;
        }
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        missing -= part.length;
        parts.push(part);
      }
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    },
  };
}
