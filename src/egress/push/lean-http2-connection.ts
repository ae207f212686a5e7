import type { Duplex } from "node:stream";
import * as h2 from "../http2/frames.ts";
import type { ResponseHead } from "../http2/hpack-decoder.ts";
import { PeerSettings } from "../http2/peer-settings.ts";
import { connectionWindow } from "../http2/preface.ts";
import { createHttp2Receiver, type Http2Fault, http2Faults } from "../http2/receiver.ts";
import type { ConnectionLimits, ConnectionOwner, PushConnection } from "./connection.ts";
import { type Exchange, isRead, receiveBody, receiveHead, settle, settleAnswered, settleOverdue } from "./exchange.ts";
import { Liveness } from "./liveness.ts";
import { RequestWriter } from "./request-writer.ts";

/** How long a peer may take to close a socket on which nothing is left to do. */
const lingerMs = 500;
/** A peer that asks for answers (to PING, to SETTINGS) and does not read them. */
const maxUnreadBytes = 4_194_304;
const nothing = Buffer.alloc(0);

type Stream = {
  readonly id: number;
  readonly exchange: Exchange;
  /** What the peer takes of the body now. Below 0 where it has lowered the window of all streams. */
  window: number;
  sentBytes: number;
  receivedBytes: number;
};

/**
 * A connection of HTTP/2 with only what a sender of small POSTs needs of RFC 9113, at a fraction of node:http2's cost: the
 * requests of one turn of the event loop leave in one write, and answers are read without a stream object each. Requests
 * end as in Http2Connection. Whatever is not understood ends the connection, with `fault` said: what is in flight is
 * then uncertain, or not sent where that is known.
 */
export class LeanHttp2Connection implements PushConnection {
  draining = false;
  useful = false;
  fault: Http2Fault | undefined;
  readonly #socket: Duplex;
  readonly #limits: ConnectionLimits;
  readonly #owner: ConnectionOwner;
  readonly #out: RequestWriter;
  readonly #read: (piece: Buffer) => Http2Fault | undefined;
  readonly #peer = new PeerSettings();
  readonly #pulse: Liveness;
  /** By id, so in the order of writing and of deadlines. */
  readonly #streams = new Map<number, Stream>();
  /** Those whose body waits for a window. */
  readonly #blocked = new Set<Stream>();
  #nextId = 1;
  #sendWindow = h2.initialWindow;
  #receiveWindow = connectionWindow;
  #open = false;
  #ended = false;
  #endedAtMs = 0;

  /** `received`: what has come so far, at least the peer's SETTINGS. `leanGreeting` has been written. */
  constructor(socket: Duplex, received: Buffer, authority: string, limits: ConnectionLimits, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#limits = limits;
    this.#owner = owner;
    this.#out = new RequestWriter(socket, authority, () => this.#onLate());
    this.#read = this.#receiver();
    this.#pulse = new Liveness(limits.silenceMs);
    socket.on("data", (piece: Buffer) => this.#onData(piece));
    socket.on("error", () => {});
    socket.once("end", () => {
      this.draining = true;
    });
    socket.once("close", () => {
      this.#end(`stream_closed: ${h2.cancel}`);
      owner.onEnd(this);
    });
    this.#onData(received);
    this.#open = true;
  }

  window(): number {
    return Math.min(this.#peer.maxStreams, this.#limits.maxStreams);
  }

  hasRoom(): boolean {
    return !this.draining && this.#streams.size < this.window() && this.#socket.writable;
  }

  write(exchange: Exchange, nowMs: number): void {
    if (this.#streams.size === 0) this.#pulse.restart(nowMs);
    exchange.deadlineAtMs = nowMs + this.#limits.deadlineMs;
    const id = this.#nextId;
    this.#nextId += 2;
    if (this.#nextId >= h2.maxWindow) this.draining = true;
    const stream: Stream = { id, exchange, window: this.#peer.initialWindow, sentBytes: 0, receivedBytes: 0 };
    this.#streams.set(id, stream);
    this.#out.writeHead(id, exchange.request, nowMs);
    this.#writeBody(stream);
  }

  sweep(nowMs: number): void {
    for (const stream of this.#streams.values()) {
      if (stream.exchange.deadlineAtMs > nowMs) break;
      settleOverdue(stream.exchange);
      this.#reset(stream, h2.cancel);
    }
    const quietMs = this.#pulse.quietMs(nowMs);
    if (this.#streams.size > 0) this.#listen(nowMs);
    else if (this.draining) this.#leave(nowMs);
    else if (quietMs > this.#limits.idleMs) this.close();
  }

  close(): void {
    this.draining = true;
    this.useful = true;
    if (this.#streams.size === 0) this.#leave(performance.now());
  }

  #receiver(): (piece: Buffer) => Http2Fault | undefined {
    return createHttp2Receiver(
      {
        // Even ids are of pushed streams, which were refused.
        wasBegun: (id) => id % 2 === 1 && id <= this.#out.flushedId,
        onHead: (id, head, ends) => this.#onHead(id, head, ends),
        onBody: (id, part, windowBytes, ends) => this.#onBody(id, part, windowBytes, ends),
        onReset: (id, code) => this.#onReset(id, code),
        onWindowUpdate: (id, bytes) => this.#onWindowUpdate(id, bytes),
        onSettings: (payload) => this.#onSettings(payload),
        onPing: (data, isAck) => this.#onPing(data, isAck),
        onGoaway: (lastId, code) => this.#onGoaway(lastId, code),
      },
      isRead,
    );
  }

  #onData(piece: Buffer): void {
    if (this.#ended) return;
    const fault = this.#socket.writableLength > maxUnreadBytes ? "unread_answers" : this.#read(piece);
    if (fault === undefined || this.#ended) return;
    this.fault = fault;
    this.#end(`http2_fault: ${fault}`, http2Faults[fault]);
  }

  /** As much of it as both windows let through. */
  #writeBody(stream: Stream): void {
    const { body } = stream.exchange.request;
    const bytes = this.#out.writeBody(stream.id, body, stream.sentBytes, Math.min(stream.window, this.#sendWindow));
    stream.sentBytes += bytes;
    stream.window -= bytes;
    this.#sendWindow -= bytes;
    if (stream.sentBytes < body.length) this.#blocked.add(stream);
    else if (this.#blocked.size > 0) this.#blocked.delete(stream);
  }

  #onHead(id: number, head: ResponseHead, ends: boolean): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    const { exchange } = stream;
    const isFinal = head.status >= 200;
    // After the answer only trailers may come, before it only 1xx, and either in its form.
    if (exchange.status > 0 ? head.status > 0 || !ends : head.status === 0 || (ends && !isFinal)) {
      this.#reset(stream, h2.protocolError);
      return;
    }
    if (isFinal) {
      this.#pulse.note();
      this.useful = true;
      receiveHead(exchange, head.status, head.headers);
    }
    if (ends) this.#finish(stream);
  }

  #onBody(id: number, part: Buffer, windowBytes: number, ends: boolean): Http2Fault | undefined {
    this.#receiveWindow -= windowBytes;
    if (this.#receiveWindow < 0) return "window_exceeded";
    if (this.#receiveWindow < connectionWindow / 2) {
      this.#out.writeFrame(h2.windowUpdateFrame, 0, 0, h2.uint32s(connectionWindow - this.#receiveWindow));
      this.#receiveWindow = connectionWindow;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return undefined;
    stream.receivedBytes += windowBytes;
    if (stream.receivedBytes > h2.initialWindow) return "window_exceeded";
    if (stream.exchange.status === 0) {
      this.#reset(stream, h2.protocolError);
      return undefined;
    }
    const wantsMore = receiveBody(stream.exchange, part);
    if (ends) this.#finish(stream);
    else if (!wantsMore) this.#reset(stream, h2.cancel);
    return undefined;
  }

  /** The peer has said all. That may be before the body has left: the rest of it is not wanted. */
  #finish(stream: Stream): void {
    if (stream.sentBytes < stream.exchange.request.body.length) this.#reset(stream, h2.cancel);
    else this.#forget(stream, "");
  }

  #reset(stream: Stream, code: number): void {
    this.#out.writeFrame(h2.rstStreamFrame, 0, stream.id, h2.uint32s(code));
    this.#forget(stream, `stream_closed: ${code}`);
  }

  #forget(stream: Stream, reason: string): void {
    this.#streams.delete(stream.id);
    this.#blocked.delete(stream);
    if (stream.exchange.status > 0) settleAnswered(stream.exchange);
    else settle(stream.exchange, { kind: "uncertain", reason });
    this.#onRoom();
  }

  /** Its owner does not know this connection while it is being made. */
  #onRoom(): void {
    if (this.#open) this.#owner.onRoom();
  }

  #onReset(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (code === h2.refusedStream && stream.exchange.status === 0) {
      settle(stream.exchange, { kind: "notSent", reason: "refused_stream" });
    }
    this.#forget(stream, `stream_closed: ${code}`);
  }

  #onWindowUpdate(id: number, bytes: number): Http2Fault | undefined {
    if (id === 0) this.#sendWindow += bytes;
    const stream = this.#streams.get(id);
    if (stream !== undefined) stream.window += bytes;
    if (this.#sendWindow > h2.maxWindow || (stream?.window ?? 0) > h2.maxWindow) return "window_overflow";
    for (const blocked of this.#blocked) this.#writeBody(blocked);
    return undefined;
  }

  #onSettings(payload: Buffer): Http2Fault | undefined {
    const windowBefore = this.#peer.initialWindow;
    if (!this.#peer.read(payload)) return "invalid_settings";
    const raised = this.#peer.initialWindow - windowBefore;
    for (const stream of this.#streams.values()) {
      stream.window += raised;
      if (stream.window > h2.maxWindow) return "window_overflow";
    }
    this.#pulse.note();
    this.#out.writeFrame(h2.settingsFrame, h2.ackFlag, 0, nothing);
    for (const blocked of this.#blocked) this.#writeBody(blocked);
    this.#onRoom();
    return undefined;
  }

  #onPing(data: Buffer, isAck: boolean): void {
    if (isAck) this.#pulse.endPing(true);
    else this.#out.writeFrame(h2.pingFrame, h2.ackFlag, 0, data);
  }

  #onGoaway(lastId: number, code: number): void {
    this.draining = true;
    this.#notSent(lastId, "goaway");
    // The peer ends the connection with an error (RFC 9113 section 5.4.1): no answer is to be waited for.
    if (code !== h2.noError) this.#end(`goaway: ${code}`);
    this.#onRoom();
  }

  /** Nothing can be written any more. The answers to what had left are still read, and then it ends. */
  #onLate(): void {
    this.draining = true;
    this.useful = true;
    this.#notSent(this.#out.flushedId, "not_started");
    this.#onRoom();
  }

  /** Nothing of the streams after `lastId` was processed, but for those that were answered. */
  #notSent(lastId: number, reason: string): void {
    for (const stream of this.#streams.values()) {
      if (stream.id <= lastId || stream.exchange.status > 0) continue;
      settle(stream.exchange, { kind: "notSent", reason });
      this.#forget(stream, "");
    }
  }

  #listen(nowMs: number): void {
    const verdict = this.#pulse.judge(nowMs);
    if (verdict === "lost") this.#socket.destroy();
    if (verdict === "ping") this.#out.writeFrame(h2.pingFrame, 0, 0, Buffer.alloc(8));
  }

  /** Nothing is in flight, and nothing more will be. */
  #leave(nowMs: number): void {
    if (!this.#ended) {
      this.#out.flush();
      this.#end("");
    } else if (nowMs > this.#endedAtMs + lingerMs) {
      this.#socket.destroy();
    }
  }

  /** Ends the connection, and says of each request in flight what is known of it: what the socket never got was not sent. */
  #end(reason: string, code: number = h2.noError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.draining = true;
    this.#endedAtMs = performance.now();
    this.#out.end(h2.frameOf(h2.goawayFrame, 0, 0, h2.uint32s(0, code)));
    for (const stream of this.#streams.values()) {
      if (stream.id > this.#out.flushedId) settle(stream.exchange, { kind: "notSent", reason: "connection_lost" });
      this.#forget(stream, reason);
    }
  }
}
