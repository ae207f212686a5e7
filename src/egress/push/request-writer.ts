import type { Writable } from "node:stream";
import * as h2 from "../http2/frames.ts";
import { createRequestEncoder, encodeHeaderFields, type RequestEncoder } from "../http2/hpack-encoder.ts";
import type { PushRequest } from "./exchange.ts";
import { HeaderCache } from "./header-cache.ts";

const bufferBytes = 65_536;
/**
 * The longest time from the permission of a request or body (`mayStart`) to its write to the socket. It is normally a
 * millisecond or two. An older permission may have been withdrawn. This time and the largest age of a run signal
 * (run-watch.ts) add up to a second.
 */
const maxStartDelayMs = 200;

/**
 * Writes the HTTP/2 frames of one connection. Collects the frames of one turn of the event loop in one buffer, and
 * passes it to `socket` in one write, because a write per message would cost more than the message. Reuses a buffer
 * once the socket has taken it. If the process stood still during a turn (SIGSTOP, a hypervisor's pause), it drops
 * the frames of that turn, writes nothing more, and calls `onLate`.
 */
export class RequestWriter {
  readonly #socket: Writable;
  readonly #encoder: RequestEncoder;
  readonly #encodedFields = new HeaderCache<Buffer>();
  readonly #onLate: () => void;
  #buffer: Buffer = Buffer.allocUnsafe(bufferBytes);
  #at = 0;
  #spareBuffer: Buffer | undefined;
  #isScheduled = false;
  /** When the first request or body in the buffer was permitted; infinite if the buffer holds none. */
  #permittedAtMs = Number.POSITIVE_INFINITY;
  /** When the last request or body of this turn was permitted; infinite if there is none. */
  #lastPermittedAtMs = Number.POSITIVE_INFINITY;
  #isLate = false;
  #lastId = 0;
  #flushedId = 0;
  #flushes = 0;

  constructor(socket: Writable, authority: string, onLate: () => void) {
    this.#socket = socket;
    this.#onLate = onLate;
    this.#encoder = createRequestEncoder(authority);
  }

  /** Returns the highest id of a stream with bytes that were passed to the socket. */
  get flushedId(): number {
    return this.#flushedId;
  }

  /** Returns how many times the buffer was passed to the socket. */
  get flushes(): number {
    return this.#flushes;
  }

  /** Returns whether writing has stopped, because the process stood still. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /**
   * Writes the HEADERS frame of a request that was permitted at `nowMs`, and CONTINUATION frames if it is large. Ends
   * the stream if there is no body.
   */
  writeHead(id: number, { path, headers, body }: PushRequest, nowMs: number): void {
    this.#permit(nowMs);
    const streamFlag = body.length === 0 ? h2.endStreamFlag : 0;
    const fields = this.#encodedFields.get(headers, encodeHeaderFields);
    const head = { path, fields, contentLength: body.length };
    const maxBytes = this.#encoder.maxBytes(head);
    if (maxBytes > h2.maxFrameBytes) {
      this.#lastId = id;
      const block = Buffer.allocUnsafe(maxBytes);
      this.#writeLongHead(id, block.subarray(0, this.#encoder.write(block, 0, head)), streamFlag);
      return;
    }
    this.#reserve(h2.frameHeadBytes + maxBytes);
    this.#lastId = id;
    const blockAt = this.#at + h2.frameHeadBytes;
    const end = this.#encoder.write(this.#buffer, blockAt, head);
    h2.writeFrameHead(this.#buffer, this.#at, end - blockAt, h2.headersFrame, h2.endHeadersFlag | streamFlag, id);
    this.#at = end;
  }

  /**
   * Writes DATA frames of `body` from the offset `from`, at most `window` bytes, permitted at `nowMs`. Returns how
   * many bytes it wrote. The last byte of the body ends the stream.
   */
  writeBody(id: number, body: Buffer, from: number, window: number, nowMs: number): number {
    const end = Math.min(body.length, from + Math.max(0, window));
    if (end > from) this.#permit(nowMs);
    for (let at = from; at < end; at += h2.maxFrameBytes) {
      const to = Math.min(end, at + h2.maxFrameBytes);
      this.writeFrame(h2.dataFrame, to === body.length ? h2.endStreamFlag : 0, id, body, at, to);
    }
    return end - from;
  }

  /** Writes a frame with the payload from `from` up to `to`, at most 16 KB. */
  writeFrame(type: number, flags: number, id: number, payload: Buffer, from = 0, to = payload.length): void {
    this.#reserve(h2.frameHeadBytes + to - from);
    this.#at = h2.writeFrameHead(this.#buffer, this.#at, to - from, type, flags, id);
    this.#at += payload.copy(this.#buffer, this.#at, from, to);
  }

  flush(): void {
    if (this.#at === 0 || !this.#socket.writable) return;
    this.#isLate ||= performance.now() - this.#permittedAtMs > maxStartDelayMs;
    if (this.#isLate) {
      this.#at = 0;
      return;
    }
    const full = this.#buffer;
    const bytes = full.subarray(0, this.#at);
    this.#buffer = this.#spareBuffer ?? Buffer.allocUnsafe(bufferBytes);
    this.#spareBuffer = undefined;
    this.#at = 0;
    this.#permittedAtMs = Number.POSITIVE_INFINITY;
    this.#flushedId = this.#lastId;
    this.#flushes += 1;
    this.#socket.write(bytes, () => {
      this.#spareBuffer = full;
    });
  }

  /** Discards the bytes that were not flushed, writes `lastFrame` and ends the socket. */
  end(lastFrame: Buffer): void {
    this.#at = 0;
    if (this.#socket.writable) this.#socket.end(lastFrame);
  }

  /** Records that the next bytes were permitted at `nowMs`. */
  #permit(nowMs: number): void {
    this.#permittedAtMs = Math.min(this.#permittedAtMs, nowMs);
    this.#lastPermittedAtMs = nowMs;
  }

  #writeLongHead(id: number, block: Buffer, streamFlag: number): void {
    for (let at = 0; at < block.length; at += h2.maxFrameBytes) {
      const to = Math.min(block.length, at + h2.maxFrameBytes);
      const flags = (at === 0 ? streamFlag : 0) | (to === block.length ? h2.endHeadersFlag : 0);
      this.writeFrame(at === 0 ? h2.headersFrame : h2.continuationFrame, flags, id, block, at, to);
    }
  }

  /** Makes space for `bytes` more in the buffer, and schedules a flush at the end of this turn. */
  #reserve(bytes: number): void {
    if (this.#at + bytes > bufferBytes) {
      this.flush();
      // The buffer may get the rest of the last request.
      this.#permittedAtMs = this.#lastPermittedAtMs;
    }
    // A closed socket takes nothing, so this buffer is never sent. Start again at its beginning.
    if (this.#at + bytes > bufferBytes) this.#at = 0;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#flushTurn);
  }

  readonly #flushTurn = (): void => {
    this.#isScheduled = false;
    this.flush();
    this.#lastPermittedAtMs = Number.POSITIVE_INFINITY;
    if (this.#isLate) this.#onLate();
  };
}
