import { Transform } from "node:stream";
import { createChunkReader } from "./lenient-chunks.ts";

/** The most bytes of an answer's head. A longer head is passed on as it is, and the parser refuses it. */
export const headBytesAtMost = 32 * 1024;

/**
 * Creates a stream that rewrites an answer of HTTP/1 as browsers read it: its head (`lenientHead`) and the lines of
 * its chunks (`createChunkReader`). The rest of the body does not change. An interim answer (1xx) has its own head.
 */
export function createAnswerReader(): Transform {
  let head = createHead();
  /** Reads the body; undefined while a head is read. */
  let readBody: ((bytes: Buffer) => Buffer[]) | undefined;

  /** Takes bytes as they arrive and returns the bytes for the parser. */
  function read(bytes: Buffer): Buffer[] {
    if (readBody !== undefined) return readBody(bytes);
    const end = head.add(bytes);
    if (end === undefined && head.bytes() <= headBytesAtMost) return [];
    const given = head.text();
    // The parser refuses a head that is too long, by the same limit.
    const text = end === undefined ? given : lenientHead(given);
    if (end === undefined || !/^HTTP\/\S+\s+1\d\d\b/.test(text)) {
      readBody = /^transfer-encoding: .*\bchunked$/im.test(text) ? createChunkReader() : (body) => [body];
    }
    head = createHead();
    const rest = end === undefined ? [] : bytes.subarray(end);
    return [Buffer.from(text, "latin1"), ...(rest.length > 0 ? read(rest as Buffer) : [])];
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        for (const bytes of read(chunk)) this.push(bytes);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      done(null, readBody === undefined ? Buffer.from(head.text(), "latin1") : undefined);
    },
  });
}

/**
 * Creates the collector of a head. `add` returns the offset in `chunk` after the empty line that ends the head, or
 * undefined if the head continues. Bytes after the head are not collected. Each byte is read once. Line breaks before
 * the first line do not end the head.
 */
function createHead() {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isEmptyLine = true;
  let hasBegun = false;

  function endIn(chunk: Buffer): number | undefined {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === 0x0a && isEmptyLine && hasBegun) return at + 1;
      if (byte === 0x0a) isEmptyLine = true;
      else if (byte !== 0x0d) {
        isEmptyLine = false;
        hasBegun = true;
      }
    }
    return undefined;
  }

  return {
    add(chunk: Buffer): number | undefined {
      const end = endIn(chunk);
      chunks.push(chunk.subarray(0, end));
      bytes += end ?? chunk.length;
      return end;
    },
    bytes: () => bytes,
    text: () => Buffer.concat(chunks).toString("latin1"),
  };
}

/**
 * Returns the head of an answer as browsers read it, because the parser refuses what RFC 9112 forbids. `head`:
 * Latin-1, with the empty line at its end. Lines may end with a bare line feed. A line is left out if it has no colon
 * or its name is not a token (`X Powered By`). Control characters become spaces, and a folded line becomes one line.
 * A Content-Length that repeats the same value is kept once. Beside `chunked`, none is kept.
 */
export function lenientHead(head: string): string {
  const [status = "", ...lines] = unfold(head.trim().split(/\r?\n/)).map((line) =>
    line.replaceAll(/[^\t -~\x80-\xff]/g, " "),
  );
  const fields = lines.flatMap(readField);
  const isChunked = fields.some(([name, value]) => name === "transfer-encoding" && /\bchunked\s*$/i.test(value));
  const kept = fields.filter(([name, value], at) => {
    if (name !== "content-length") return true;
    return !isChunked && fields.findIndex((one) => one[0] === name && one[1] === value) === at;
  });
  return [status.trim(), ...kept.map((field) => field.join(": ")), "", ""].join("\r\n");
}

function unfold(lines: string[]): string[] {
  const unfolded: string[] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line) && unfolded.length > 1) unfolded.push(`${unfolded.pop()} ${line.trim()}`);
    else unfolded.push(line);
  }
  return unfolded;
}

/** Returns the name, in lower case, and the value of a field. Returns an empty list for a line that browsers skip. */
function readField(line: string): [string, string][] {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  // A proxy joins two equal headers to `Content-Length: 5, 5`.
  const value = line.slice(colon + 1).trim();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) return [];
  return [[name, name === "content-length" ? value.replace(/^(\d+)(\s*,\s*\1)+$/, "$1") : value]];
}
