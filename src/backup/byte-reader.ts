/** Reads bytes by number from a stream of buffers of any length. */
export type ByteReader = {
  /** Returns the next `length` bytes; fewer only at the end of the stream, where further calls return none. */
  readUpTo(length: number): Promise<Buffer>;
};

/** Creates a reader of `source`. It holds at most one buffer of the source beside what a call returns. */
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
