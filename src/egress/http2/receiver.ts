import * as h2 from "./frames.ts";
import { decodeHead, type ResponseHead } from "./hpack-decoder.ts";

/** The violations of RFC 9113 that a peer can commit, with the error code to send to it (section 7). */
export const http2Faults = {
  frame_too_large: h2.frameSizeError,
  unknown_stream: h2.protocolError,
  header_block_broken_off: h2.protocolError,
  unexpected_continuation: h2.protocolError,
  endless_headers: h2.enhanceYourCalm,
  malformed_headers: h2.protocolError,
  malformed_header_block: h2.compressionError,
  malformed_data: h2.protocolError,
  malformed_reset: h2.protocolError,
  malformed_settings: h2.protocolError,
  malformed_ping: h2.protocolError,
  malformed_goaway: h2.protocolError,
  malformed_window_update: h2.protocolError,
  push_promise: h2.protocolError,
  invalid_settings: h2.protocolError,
  window_exceeded: h2.flowControlError,
  unread_answers: h2.enhanceYourCalm,
  window_overflow: h2.flowControlError,
} as const;

export type Http2Fault = keyof typeof http2Faults;
type Result = Http2Fault | undefined;

/** The events of a connection, from validated frames. `id`: a stream that was opened; it may have ended since. */
export type Http2Events = {
  /** Returns whether we opened this stream. A frame for any other stream is a fault. */
  wasOpened(id: number): boolean;
  /** A complete header block: of a final response, of an interim response (1xx), or of trailers. */
  onHead(id: number, head: ResponseHead, ends: boolean): void;
  /** A piece of a body. `windowBytes`: how much of the flow-control windows it uses, padding included. */
  onBody(id: number, chunk: Buffer, windowBytes: number, ends: boolean): Result;
  onReset(id: number, code: number): void;
  /** An enlarged window. `id` 0 is the window of the connection. */
  onWindowUpdate(id: number, bytes: number): Result;
  onSettings(payload: Buffer): Result;
  onPing(data: Buffer, isAck: boolean): void;
  onGoaway(lastId: number, code: number): void;
};

const maxHeaderBytes = 65_536;
const maxContinuations = 64;

type Frame = { flags: number; id: number; bytes: Buffer; from: number; to: number };
type Block = { id: number; ends: boolean; parts: Buffer[]; bytes: number };

/**
 * Creates the parser of what a server sends to a client without server push and header table. Returns a function that
 * takes the next chunk. That function returns a fault if it finds one. Do not call it again then. `isWanted`: accepts
 * the names of the headers that `onHead` gets.
 */
export function createHttp2Receiver(
  events: Http2Events,
  isWanted: (name: string) => boolean,
): (chunk: Buffer) => Http2Fault | undefined {
  let fault: Result;
  let block: Block | undefined;

  const onBlock = (id: number, ends: boolean, bytes: Buffer, from: number, to: number): Result => {
    const head = decodeHead(bytes, from, to, isWanted);
    if (head === undefined) return "malformed_header_block";
    events.onHead(id, head, ends);
    return undefined;
  };

  const onHeaders = (frame: Frame): Result => {
    const { flags, id, bytes } = frame;
    const end = unpad(frame, flags & h2.priorityFlag ? 5 : 0);
    if (id === 0 || end < 0) return "malformed_headers";
    const ends = (flags & h2.endStreamFlag) !== 0;
    if (flags & h2.endHeadersFlag) return onBlock(id, ends, bytes, frame.from, end);
    block = { id, ends, parts: [bytes.subarray(frame.from, end)], bytes: end - frame.from };
    return undefined;
  };

  const onContinuation = ({ flags, id, bytes, from, to }: Frame): Result => {
    if (block === undefined || block.id !== id) return "unexpected_continuation";
    block.parts.push(bytes.subarray(from, to));
    block.bytes += to - from;
    if (block.bytes > maxHeaderBytes || block.parts.length > maxContinuations) return "endless_headers";
    if ((flags & h2.endHeadersFlag) === 0) return undefined;
    const { ends, parts, bytes: length } = block;
    block = undefined;
    return onBlock(id, ends, Buffer.concat(parts), 0, length);
  };

  const onFrame = (type: number, frame: Frame): Result => {
    if (block !== undefined && type !== h2.continuationFrame) return "header_block_broken_off";
    if (frame.id !== 0 && type <= h2.continuationFrame && type !== h2.priorityFrame && !events.wasOpened(frame.id)) {
      return "unknown_stream";
    }
    if (type === h2.headersFrame) return onHeaders(frame);
    if (type === h2.continuationFrame) return onContinuation(frame);
    return readOtherFrame(events, type, frame);
  };

  const read = h2.createFrameReader((type, flags, id, bytes, from, to) => {
    fault = onFrame(type, { flags, id, bytes, from, to });
    return fault === undefined;
  });
  return (chunk) => (read(chunk) ? undefined : (fault ?? "frame_too_large"));
}

/**
 * Reads a frame that is neither HEADERS nor CONTINUATION. Ignores PRIORITY and unknown types (RFC 9113 section 5.5).
 */
function readOtherFrame(events: Http2Events, type: number, frame: Frame): Result {
  const { flags, id, bytes, from, to } = frame;
  const length = to - from;
  switch (type) {
    case h2.dataFrame: {
      const end = unpad(frame, 0);
      if (id === 0 || end < 0) return "malformed_data";
      return events.onBody(id, bytes.subarray(frame.from, end), length, (flags & h2.endStreamFlag) !== 0);
    }
    case h2.rstStreamFrame:
      if (id === 0 || length !== 4) return "malformed_reset";
      events.onReset(id, h2.readUint32(bytes, from));
      return undefined;
    case h2.settingsFrame:
      if (id !== 0 || (flags & h2.ackFlag && length > 0)) return "malformed_settings";
      return flags & h2.ackFlag ? undefined : events.onSettings(bytes.subarray(from, to));
    case h2.pingFrame:
      if (id !== 0 || length !== 8) return "malformed_ping";
      events.onPing(bytes.subarray(from, to), (flags & h2.ackFlag) !== 0);
      return undefined;
    case h2.goawayFrame:
      if (id !== 0 || length < 8) return "malformed_goaway";
      events.onGoaway(h2.readUint32(bytes, from) & h2.maxWindow, h2.readUint32(bytes, from + 4));
      return undefined;
    case h2.windowUpdateFrame: {
      const opened = length === 4 ? h2.readUint32(bytes, from) & h2.maxWindow : 0;
      return opened === 0 ? "malformed_window_update" : events.onWindowUpdate(id, opened);
    }
    default:
      return type === h2.pushPromiseFrame ? "push_promise" : undefined;
  }
}

/**
 * Moves `frame.from` past the padding's length and `extraBytes` more (RFC 9113 section 6.1). Returns the offset at
 * which the padding begins, or -1 if the frame is too short.
 */
function unpad(frame: Frame, extraBytes: number): number {
  const { flags, bytes, from, to } = frame;
  const isPadded = (flags & h2.paddedFlag) !== 0;
  if (isPadded && from === to) return -1;
  frame.from += (isPadded ? 1 : 0) + extraBytes;
  const end = to - (isPadded ? bytes[from]! : 0);
  return frame.from > end ? -1 : end;
}
