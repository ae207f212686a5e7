import type { Writable } from "node:stream";
import * as h2 from "../http2/frames.ts";
import { createRequestEncoder, type RequestEncoder } from "../http2/hpack-encoder.ts";
import type { PushRequest } from "./exchange.ts";

const slabBytes = 65_536;
/**
 * From a request's permission to start to its write to the socket: in a process that runs a millisecond or two. What was
 * allowed longer ago may be forbidden by now. With the age that the word on a run may have (run-watch.ts) a second.
 */
const longestTurnMs = 200;

/**
 * Writes the frames of one connection. What is written in one turn of the event loop goes into one buffer and one write to
 * `socket`: a write of its own for each message costs more than the message. A buffer is used again once the socket has taken it.
 * A process that stood still amid a turn, by SIGSTOP or a hypervisor's pause, writes nothing of that turn and nothing after it:
 * `onLate` is called instead.
 */
export class RequestWriter {
  readonly #socket: Writable;
  readonly #encoder: RequestEncoder;
  readonly #onLate: () => void;
  #slab: Buffer = Buffer.allocUnsafe(slabBytes);
  #at = 0;
  #free: Buffer | undefined;
  #isScheduled = false;
  /** When the first request of the buffer was allowed to start; none is in it: never. */
  #allowedMs = Number.POSITIVE_INFINITY;
  #isLate = false;
  #lastId = 0;
  #flushedId = 0;

  constructor(socket: Writable, authority: string, onLate: () => void) {
    this.#socket = socket;
    this.#onLate = onLate;
    this.#encoder = createRequestEncoder(authority);
  }

  /** The highest id of a stream of which the socket was given something. */
  get flushedId(): number {
    return this.#flushedId;
  }

  /**
   * HEADERS of a request that was allowed to start at `nowMs`, and CONTINUATION where they are large. Ends the stream where
   * there is no body.
   */
  writeHead(id: number, request: PushRequest, nowMs: number): void {
    this.#allowedMs = Math.min(this.#allowedMs, nowMs);
    const ends = request.body.length === 0 ? h2.endStreamFlag : 0;
    const { fields, atMostBytes } = this.#encoder.measure(request);
    if (atMostBytes > h2.maxFrameBytes) {
      this.#lastId = id;
      const block = Buffer.allocUnsafe(atMostBytes);
      this.#writeLongHead(id, block.subarray(0, this.#encoder.write(block, 0, request, fields)), ends);
      return;
    }
    this.#reserve(h2.frameHeadBytes + atMostBytes);
    this.#lastId = id;
    const blockAt = this.#at + h2.frameHeadBytes;
    const end = this.#encoder.write(this.#slab, blockAt, request, fields);
    h2.writeFrameHead(this.#slab, this.#at, end - blockAt, h2.headersFrame, h2.endHeadersFlag | ends, id);
    this.#at = end;
  }

  /** DATA of a body from `from` on, at most `window` bytes. Gives how many; its last byte ends the stream. */
  writeBody(id: number, body: Buffer, from: number, window: number): number {
    const end = Math.min(body.length, from + Math.max(0, window));
    for (let at = from; at < end; at += h2.maxFrameBytes) {
      const to = Math.min(end, at + h2.maxFrameBytes);
      this.writeFrame(h2.dataFrame, to === body.length ? h2.endStreamFlag : 0, id, body, at, to);
    }
    return end - from;
  }

  /** A frame whose payload is `payload`, no more than 16 KB, from `from` up to `to`. */
  writeFrame(type: number, flags: number, id: number, payload: Buffer, from = 0, to = payload.length): void {
    this.#reserve(h2.frameHeadBytes + to - from);
    this.#at = h2.writeFrameHead(this.#slab, this.#at, to - from, type, flags, id);
    this.#at += payload.copy(this.#slab, this.#at, from, to);
  }

  flush(): void {
    if (this.#at === 0 || !this.#socket.writable) return;
    this.#isLate ||= performance.now() - this.#allowedMs > longestTurnMs;
    if (this.#isLate) {
      this.#at = 0;
      return;
    }
    const full = this.#slab;
    const bytes = full.subarray(0, this.#at);
    this.#slab = this.#free ?? Buffer.allocUnsafe(slabBytes);
    this.#free = undefined;
    this.#at = 0;
    this.#allowedMs = Number.POSITIVE_INFINITY;
    this.#flushedId = this.#lastId;
    this.#socket.write(bytes, () => {
      this.#free = full;
    });
  }

  /** Forgets what the socket was not given yet, gives it `lastWord` and ends it. */
  end(lastWord: Buffer): void {
    this.#at = 0;
    if (this.#socket.writable) this.#socket.end(lastWord);
  }

  #writeLongHead(id: number, block: Buffer, ends: number): void {
    for (let at = 0; at < block.length; at += h2.maxFrameBytes) {
      const to = Math.min(block.length, at + h2.maxFrameBytes);
      const flags = (at === 0 ? ends : 0) | (to === block.length ? h2.endHeadersFlag : 0);
      this.writeFrame(at === 0 ? h2.headersFrame : h2.continuationFrame, flags, id, block, at, to);
    }
  }

  /** Makes room for `bytes` more, and sees to it that they leave at the end of this turn. */
  #reserve(bytes: number): void {
    if (this.#at + bytes > slabBytes) this.flush();
    // A socket that is gone takes nothing: what is written to it goes nowhere, over and over in the same place.
    if (this.#at + bytes > slabBytes) this.#at = 0;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#atEndOfTurn);
  }

  readonly #atEndOfTurn = (): void => {
    this.#isScheduled = false;
    this.flush();
    if (this.#isLate) this.#onLate();
  };
}
