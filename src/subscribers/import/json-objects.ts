/** One object of a file, in the lines `line` to `lastLine` (from 1). `text` is undefined if it is too long. */
export type JsonObject = { text: string | undefined; line: number; lastLine: number };

const [quote, backslash, open, close, newline] = ['"', "\\", "{", "}", "\n"].map((sign) => sign.charCodeAt(0));
const maxObjectBytes = 64 * 1024;

/**
 * Yields the outermost objects of a file of JSON: the elements of a list, or objects one after the other. Holds one chunk
 * and one object in memory. What is between them is not looked at. An object that does not end is yielded as it is.
 */
export async function* readJsonObjects(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonObject> {
  let [depth, line, firstLine, bytes] = [0, 1, 1, 0];
  let [isInText, isEscaped] = [false, false];
  let pieces: Buffer[] = [];
  const add = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxObjectBytes) pieces.push(piece);
    else pieces = [];
  };
  const take = (): JsonObject => {
    const text = bytes > maxObjectBytes ? undefined : Buffer.concat(pieces).toString("utf8");
    [pieces, bytes] = [[], 0];
    return { text, line: firstLine, lastLine: line };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === newline) line++;
      if (depth === 0) {
        if (byte !== open) continue;
        [depth, from, firstLine] = [1, at, line];
      } else if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInText = false;
      } else if (byte === quote) isInText = true;
      else if (byte === open) depth++;
      else if (byte === close && --depth === 0) {
        add(chunk.subarray(from, at + 1));
        yield take();
      }
    }
    if (depth > 0) add(chunk.subarray(from));
  }
  if (bytes > 0) yield take();
}
