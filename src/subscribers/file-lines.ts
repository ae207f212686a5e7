import { isUtf8 } from "node:buffer";

/** A subscription takes some 400 bytes, at most 3 KB. What is longer is not held in memory to be read. */
const maxLineBytes = 64 * 1024;

const newline = 0x0a;
const byteOrderMark = Buffer.from("\ufeff");

/** One line of a file, or in `fault` why it cannot be read as text. */
export type FileLine = { text: string } | { fault: string };

/**
 * The lines of a file, however large, in memory of a chunk and a line: parted by LF or CRLF and by nothing else, without
 * a byte order mark. Of a line over 64 KiB nothing is kept.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine> {
  const line = openLine();
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

/** The line that is being read, in pieces. */
function openLine() {
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
      const whole = Buffer.concat(pieces);
      pieces = [];
      bytes = 0;
      if (isTooLong) return { fault: "is longer than 64 KiB" };
      const isMarked = isFirst && whole.subarray(0, byteOrderMark.length).equals(byteOrderMark);
      const text = isMarked ? whole.subarray(byteOrderMark.length) : whole;
      return isUtf8(text) ? { text: text.toString("utf8") } : { fault: "is not valid UTF-8" };
    },
  };
}
