import { initialWindow, maxWindow } from "../http2/frames.ts";
import type { Http2Fault } from "../http2/receiver.ts";
import { type Exchange, settle } from "./exchange.ts";
import type { RequestWriter } from "./request-writer.ts";

/** A request in flight on a LeanHttp2Connection. */
export type LeanStream = {
  readonly id: number;
  readonly exchange: Exchange;
  /** How many bytes of the body the peer accepts now. Below 0 if the peer lowered the window of all streams. */
  sendWindow: number;
  sentBytes: number;
  /** The writer's flush count at which the socket has the whole request. Infinite before the request is written. */
  wholeAfterFlush: number;
  receivedBytes: number;
};

/**
 * Sends the request bodies of one connection within the flow-control windows of its streams and of the connection
 * (RFC 9113 section 5.2). A body that does not fit waits until a window is enlarged. It then asks `mayStart` again,
 * because the permission may have been withdrawn meanwhile. If it was, the stream is reset and the request counts as
 * not sent: a peer cannot process a request whose end never comes.
 */
export class BodySender {
  readonly #writer: RequestWriter;
  readonly #reset: (stream: LeanStream) => void;
  #connectionWindow = initialWindow;
  readonly #blocked = new Set<LeanStream>();

  constructor(writer: RequestWriter, reset: (stream: LeanStream) => void) {
    this.#writer = writer;
    this.#reset = reset;
  }

  /** Writes as much of the stream's body as both windows allow. `permittedMs`: when the request got permission. */
  send(stream: LeanStream, permittedMs: number): void {
    const { body } = stream.exchange.request;
    const bytes = this.#writer.writeBody(stream.id, body, stream.sentBytes, this.#windowOf(stream), permittedMs);
    stream.sentBytes += bytes;
    stream.sendWindow -= bytes;
    this.#connectionWindow -= bytes;
    if (stream.sentBytes < body.length) {
      this.#blocked.add(stream);
      return;
    }
    stream.wholeAfterFlush = this.#writer.flushes + 1;
    if (this.#blocked.size > 0) this.#blocked.delete(stream);
  }

  /** Continues the waiting bodies that have room. Asks for permission again for each of them. */
  resume(): void {
    for (const stream of this.#blocked) {
      if (this.#windowOf(stream) <= 0) continue;
      const nowMs = performance.now();
      if (stream.exchange.request.mayStart?.() === false) this.#withdraw(stream);
      else this.send(stream, nowMs);
    }
  }

  #withdraw(stream: LeanStream): void {
    if (stream.exchange.status === 0) settle(stream.exchange, { kind: "notSent", reason: "not_started" });
    this.#reset(stream);
  }

  /** Stops sending the body of a stream that has ended. */
  remove(stream: LeanStream): void {
    this.#blocked.delete(stream);
  }

  #windowOf(stream: LeanStream): number {
    return Math.min(stream.sendWindow, this.#connectionWindow);
  }

  /** Applies a WINDOW_UPDATE for a stream, or for the connection if there is none. */
  enlarge(bytes: number, stream?: LeanStream): Http2Fault | undefined {
    if (stream === undefined) this.#connectionWindow += bytes;
    else stream.sendWindow += bytes;
    if (this.#connectionWindow > maxWindow || (stream?.sendWindow ?? 0) > maxWindow) return "window_overflow";
    this.resume();
    return undefined;
  }
}

/** Applies a change of the initial window by SETTINGS to all streams (RFC 9113 section 6.9.2). It may be negative. */
export function resizeWindows(streams: Iterable<LeanStream>, change: number): Http2Fault | undefined {
  for (const stream of streams) {
    stream.sendWindow += change;
    if (stream.sendWindow > maxWindow) return "window_overflow";
  }
  return undefined;
}
