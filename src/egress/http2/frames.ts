/** The frames of HTTP/2 (RFC 9113 sections 4 and 6) that a client needs. */

export const dataFrame = 0;
export const headersFrame = 1;
export const priorityFrame = 2;
export const rstStreamFrame = 3;
export const settingsFrame = 4;
export const pushPromiseFrame = 5;
export const pingFrame = 6;
export const goawayFrame = 7;
export const windowUpdateFrame = 8;
export const continuationFrame = 9;

export const endStreamFlag = 0x1;
export const ackFlag = 0x1;
export const endHeadersFlag = 0x4;
export const paddedFlag = 0x8;
export const priorityFlag = 0x20;

export const noError = 0;
export const protocolError = 1;
export const flowControlError = 3;
export const frameSizeError = 6;
export const refusedStream = 7;
export const cancel = 8;
export const compressionError = 9;
export const enhanceYourCalm = 11;

export const frameHeadBytes = 9;
/** The largest payload that we accept or send: the initial SETTINGS_MAX_FRAME_SIZE, which no peer may set lower. */
export const maxFrameBytes = 16_384;
export const maxWindow = 2 ** 31 - 1;
export const initialWindow = 65_535;

/** Called with each frame; its payload is `bytes` from `from` up to `to`. Returning false stops reading. */
export type OnFrame = (type: number, flags: number, id: number, bytes: Buffer, from: number, to: number) => boolean;

/** Writes the nine bytes of a frame's head into `out` at the offset `at`. Returns the end offset. */
export function writeFrameHead(
  out: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  id: number,
): number {
  out[at] = length >>> 16;
  out[at + 1] = length >>> 8;
  out[at + 2] = length;
  out[at + 3] = type;
  out[at + 4] = flags;
  return writeUint32(out, at + 5, id);
}

/** Writes big-endian and returns the end offset. Faster than Buffer's own method, which checks its arguments. */
export function writeUint32(out: Buffer, at: number, value: number): number {
  out[at] = value >>> 24;
  out[at + 1] = value >>> 16;
  out[at + 2] = value >>> 8;
  out[at + 3] = value;
  return at + 4;
}

export function readUint32(bytes: Buffer, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

export function uint32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) writeUint32(bytes, 4 * i, value);
  return bytes;
}

export function frameOf(type: number, flags: number, id: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  writeFrameHead(head, 0, payload.length, type, flags, id);
  return Buffer.concat([head, payload]);
}

/** Returns the length in bytes, with its head, of the frame that begins at `at`. Reads its first three bytes. */
export function frameBytesAt(bytes: Buffer, at: number): number {
  return frameHeadBytes + ((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!);
}

/**
 * Creates a reader that splits a byte stream into frames, in order. It does not copy a frame that lies within one
 * chunk. Returns a function that takes the next chunk. That function returns false if a frame is larger than
 * `maxFrameBytes` or `onFrame` returned false. Do not call it again then.
 */
export function createFrameReader(onFrame: OnFrame): (chunk: Buffer) => boolean {
  let parts: Buffer[] = [];
  let haveBytes = 0;
  let needBytes = frameHeadBytes;

  const keep = (rest: Buffer): boolean => {
    parts = [rest];
    haveBytes = rest.length;
    needBytes = haveBytes < frameHeadBytes ? frameHeadBytes : frameBytesAt(rest, 0);
    return needBytes <= frameHeadBytes + maxFrameBytes;
  };

  return (chunk) => {
    let bytes = chunk;
    if (haveBytes > 0) {
      parts.push(chunk);
      haveBytes += chunk.length;
      if (haveBytes < needBytes) return true;
      bytes = Buffer.concat(parts);
      parts = [];
      haveBytes = 0;
    }
    let at = 0;
    while (bytes.length - at >= frameHeadBytes) {
      const end = at + frameBytesAt(bytes, at);
      if (end - at > frameHeadBytes + maxFrameBytes) return false;
      if (end > bytes.length) break;
      const id = readUint32(bytes, at + 5) & 0x7fffffff;
      if (!onFrame(bytes[at + 3]!, bytes[at + 4]!, id, bytes, at + frameHeadBytes, end)) return false;
      at = end;
    }
    return at === bytes.length || keep(bytes.subarray(at));
  };
}
