import type { FileLayout } from "../../../src/subscribers/import/file-layout.ts";

/** The size of a request: small enough for a slow connection, and large enough for some thousand subscribers. */
export const partBytes = 512 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;
type Format = FileLayout["format"];
type Source = Pick<File, "name" | "stream">;

/**
 * A part of a file with whole records. `end`: how many bytes of the file have been read. For a packed file, they are
 * packed bytes.
 */
export type FilePart = { bytes: Bytes; end: number; hasMore: boolean };

const [newline, carriageReturn, quote, backslash, open, close] = ["\n", "\r", '"', "\\", "{", "}"].map((sign) =>
  sign.charCodeAt(0),
);

/** Returns the first bytes of a file, unpacked. */
export async function sampleOf(file: Source, maxBytes: number): Promise<Bytes> {
  let sample: Bytes = new Uint8Array();
  for await (const { chunk } of chunksOf(file)) {
    sample = joined(sample, chunk);
    if (sample.length >= maxBytes) break;
  }
  return sample.slice(0, maxBytes);
}

/**
 * Splits a file into parts of whole records of at most `maxBytes` each. Unpacks the file if its name ends with .gz.
 * Reads it as a stream, so that a large file takes the memory of only a part or two. For a line longer than
 * `maxBytes`, yields only its beginning, as its own part, which the service refuses as too long.
 */
export async function* partsOf(file: Source, format: Format, maxBytes = partBytes): AsyncGenerator<FilePart> {
  let held: FilePart | undefined;
  for await (const part of cutParts(file, format, maxBytes)) {
    if (held !== undefined) yield held;
    held = { ...part, hasMore: true };
  }
  if (held !== undefined) yield { ...held, hasMore: false };
}

async function* cutParts(file: Source, format: Format, maxBytes: number): AsyncGenerator<Omit<FilePart, "hasMore">> {
  let rest: Bytes = new Uint8Array();
  let isWithinLine = false;
  let end = 0;
  for await (const { chunk, readBytes } of chunksOf(file)) {
    rest = joined(rest, chunk);
    end = readBytes;
    while (rest.length >= maxBytes) {
      const piece = rest.subarray(0, maxBytes);
      // A quote that does not begin a quoted text must not hide the rest of the file.
      const size = recordsEnd(piece, format) || recordsEnd(piece, "ndjson");
      if (!isWithinLine) yield { bytes: piece.slice(0, size || maxBytes), end };
      isWithinLine = size === 0;
      rest = rest.slice(isWithinLine ? maxBytes : size);
    }
    if (isWithinLine) {
      const at = rest.indexOf(newline!);
      rest = at < 0 ? new Uint8Array() : rest.slice(at + 1);
      isWithinLine = at < 0;
    }
  }
  if (rest.length > 0) yield { bytes: rest, end };
}

/** Returns the lines of a part, as the service numbers them. A line break at the end is followed by an empty line. */
export function linesOf(bytes: Uint8Array, format: Format): string[] {
  return new TextDecoder().decode(bytes).split(format === "csv" ? /\r\n|\n|\r/ : "\n");
}

async function* chunksOf(file: Source): AsyncGenerator<{ chunk: Bytes; readBytes: number }> {
  let readBytes = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Bytes, Bytes>({
      transform(chunk, controller) {
        readBytes += chunk.length;
        controller.enqueue(chunk);
      },
    }),
  );
  const unpacked = file.name.endsWith(".gz") ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const reader = unpacked.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield { chunk: read.value, readBytes };
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Returns where the last whole record of `bytes` ends, or 0 if none ends. `bytes` begin with a record. */
function recordsEnd(bytes: Uint8Array, format: Format): number {
  if (format === "ndjson") return bytes.lastIndexOf(newline!) + 1;
  return format === "csv" ? csvEnd(bytes) : jsonEnd(bytes);
}

/**
 * Returns the end of the last CSV record. A line break (CR, LF or both) ends a record unless it is within quotes. A
 * doubled quote closes and opens the quoted text again. A CR at the end of `bytes` may be half of a line break, so it
 * does not count.
 */
function csvEnd(bytes: Uint8Array): number {
  let end = 0;
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (bytes[at] === newline) end = at + 1;
    else if (bytes[at] === carriageReturn && at + 1 < bytes.length && bytes[at + 1] !== newline) end = at + 1;
  }
  return end;
}

/** Returns the end of the last outermost object. */
function jsonEnd(bytes: Uint8Array): number {
  let [end, depth, isInText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInText) {
      if (byte === backslash) at++;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = depth > 0;
    else if (byte === open) depth++;
    else if (byte === close && depth > 0 && --depth === 0) end = at + 1;
  }
  return end;
}

function joined(first: Bytes, second: Bytes): Bytes {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
