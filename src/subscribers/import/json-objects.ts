/** One object of a file. It spans the lines `line` to `lastLine` (from 1). `text` is undefined if it is too long. */
export type JsonObject = { text: string | undefined; line: number; lastLine: number };

const [quote, backslash, open, close, newline] = ['"', "\\", "{", "}", "\n"].map((sign) => sign.charCodeAt(0));
const maxObjectBytes = 64 * 1024;

/**
 * Yields the outermost objects of a file of JSON: the elements of a list, or objects one after the other. Holds one
 * chunk and one object in memory. Skips what stands between objects. An object that does not end is yielded as far as
 * it goes.
 */
export async function* readJsonObjects(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonObject> {
  const scanner = createScanner();
  for await (const chunk of chunks) yield* scanner.scan(chunk);
  yield* scanner.end();
}

/** Returns the texts of the first outermost objects, at most `limit`. */
export function objectsIn(bytes: Buffer, limit: number): string[] {
  const found: string[] = [];
  for (const { text } of createScanner().scan(bytes)) {
    if (text !== undefined) found.push(text);
    if (found.length === limit) break;
  }
  return found;
}

function createScanner() {
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

  function* scan(chunk: Buffer): Generator<JsonObject> {
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

  function* end(): Generator<JsonObject> {
    if (bytes > 0) yield take();
  }

  return { scan, end };
}
