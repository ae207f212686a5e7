import { isUtf8 } from "node:buffer";
import { faults } from "../../faults.ts";
import type { Message } from "../../messages.ts";

/** The longest line that is kept in memory. A subscription has about 400 bytes and at most 3 KB. */
export const maxLineBytes = 64 * 1024;

const newline = 0x0a;
const byteOrderMark = Buffer.from("\ufeff");

/** One line of a file. `fault`: the reason why it cannot be read as text. */
export type FileLine = { text: string } | { fault: Message };

/**
 * Yields the lines of a file, separated by LF or CRLF only, without a byte order mark. Holds one chunk and one line in
 * memory, whatever the size of the file. A line over 64 KiB is a fault.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  const line = createLineBuffer();
  let isFirst = true;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      line.add(chunk.subarray(from, end));
      yield line.take(isFirst);
      isFirst = false;
      from = end + 1;
    }
    line.add(chunk.subarray(from));
  }
  if (!line.isEmpty()) yield line.take(isFirst);
}

/** Collects the pieces of the current line. */
function createLineBuffer() {
  let pieces: Buffer[] = [];
  let bytes = 0;
  return {
    isEmpty: () => bytes === 0,
    add(piece: Buffer): void {
      bytes += piece.length;
      if (bytes <= maxLineBytes) pieces.push(piece);
      else pieces = [];
    },
    take(isFirst: boolean): FileLine {
      const isTooLong = bytes > maxLineBytes;
      const bytesOfLine = Buffer.concat(pieces);
      pieces = [];
      bytes = 0;
      if (isTooLong) return { fault: faults.line_too_long() };
      const hasMark = isFirst && bytesOfLine.subarray(0, byteOrderMark.length).equals(byteOrderMark);
      const text = hasMark ? bytesOfLine.subarray(byteOrderMark.length) : bytesOfLine;
      return isUtf8(text) ? { text: text.toString("utf8") } : { fault: faults.not_utf8() };
    },
  };
}
