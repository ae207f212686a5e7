/** The most bytes in the line of a chunk: its size in hexadecimal digits, and extensions that nobody uses. */
const lineBytesAtMost = 1_024;

/**
 * Creates a reader of chunks (RFC 9112 section 7.1) that, like browsers, accepts lines that end with a bare line
 * feed. The returned function takes the next bytes. It returns the same chunks in the strict form, without extensions
 * and trailers. It drops everything after the last chunk. Throws if the bytes are not chunks.
 */
export function createChunkReader(): (bytes: Buffer) => Buffer[] {
  let line = "";
  /** Bytes of the current chunk that have not arrived yet. */
  let left = 0;
  let expects: "size" | "data" | "line end" | "trailer" | "nothing" = "size";

  function endLine(): string {
    const whole = line.replace(/\r?\n$/, "");
    line = "";
    return whole;
  }

  /** Takes a whole line and returns its strict form. */
  function takeLine(): string {
    const whole = endLine();
    if (expects === "trailer") {
      expects = whole === "" ? "nothing" : "trailer";
      return whole === "" ? "\r\n" : "";
    }
    if (expects === "line end") {
      if (whole !== "") throw new Error("a chunk does not end where its size says");
      expects = "size";
      return "\r\n";
    }
    const size = /^\s*([0-9a-f]{1,8})\s*(;.*)?$/i.exec(whole)?.[1];
    if (size === undefined) throw new Error("a chunk has no size");
    left = Number.parseInt(size, 16);
    expects = left === 0 ? "trailer" : "data";
    return `${size}\r\n`;
  }

  return (bytes) => {
    const strict: Buffer[] = [];
    for (let at = 0; at < bytes.length && expects !== "nothing"; ) {
      if (expects === "data") {
        const data = bytes.subarray(at, at + left);
        strict.push(data);
        [at, left] = [at + data.length, left - data.length];
        if (left === 0) expects = "line end";
        continue;
      }
      const end = bytes.indexOf(0x0a, at);
      const part = bytes.subarray(at, end < 0 ? undefined : end + 1);
      if (line.length + part.length > lineBytesAtMost) throw new Error("a line of a chunk is too long");
      line += part.toString("latin1");
      at += part.length;
      if (end >= 0) strict.push(Buffer.from(takeLine(), "latin1"));
    }
    return strict;
  };
}
