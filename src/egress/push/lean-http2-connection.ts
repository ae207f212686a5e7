import type { Duplex } from "node:stream";
import * as h2 from "../http2/frames.ts";
import type { ResponseHead } from "../http2/hpack-decoder.ts";
import { createHttp2Receiver, type Http2Fault, http2Faults } from "../http2/receiver.ts";
import { connectionWindow, PeerSettings } from "../http2/settings.ts";
import { BodySender, type LeanStream, resizeWindows } from "./body-sender.ts";
import { type ConnectionLimits, type ConnectionOwner, lingerMs, type PushConnection } from "./connection.ts";
import {
  type Exchange,
  isAnswerHeader,
  receiveBody,
  receiveHead,
  settle,
  settleAnswered,
  settleOverdue,
} from "./exchange.ts";
import { Liveness } from "./liveness.ts";
import { RequestWriter } from "./request-writer.ts";

/** With more bytes than this in the socket's buffer, the peer demands replies (to PING, to SETTINGS) but reads none. */
const maxUnreadBytes = 4_194_304;
const emptyPayload = Buffer.alloc(0);

/**
 * An HTTP/2 connection that implements only the part of RFC 9113 that a sender of small POSTs needs. It costs a
 * fraction of node:http2: all requests of one turn of the event loop leave in one write, and answers are read without
 * a stream object each. Requests end as in Http2Connection. An invalid or unsupported frame ends the connection and
 * sets `fault`. Requests in flight are then uncertain, or notSent if that is known.
 */
export class LeanHttp2Connection implements PushConnection {
  draining = false;
  healthy = false;
  fault: Http2Fault | undefined;
  readonly #socket: Duplex;
  readonly #limits: ConnectionLimits;
  readonly #owner: ConnectionOwner;
  readonly #writer: RequestWriter;
  readonly #bodies: BodySender;
  readonly #receive: (chunk: Buffer) => Http2Fault | undefined;
  readonly #peerSettings = new PeerSettings();
  readonly #liveness: Liveness;
  /** The streams by id, in the order of their writes, which is the order of their deadlines. */
  readonly #streams = new Map<number, LeanStream>();
  #nextId = 1;
  #receiveWindow = connectionWindow;
  #isConstructed = false;
  #ended = false;
  #endedAtMs = 0;

  /** `received`: the bytes received so far, which begin with the peer's SETTINGS. `clientPreface` has been written. */
  constructor(socket: Duplex, received: Buffer, authority: string, limits: ConnectionLimits, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#limits = limits;
    this.#owner = owner;
    this.#writer = new RequestWriter(socket, authority, () => this.#onLate());
    this.#bodies = new BodySender(this.#writer, (stream) => this.#reset(stream, h2.cancel));
    this.#receive = this.#createReceiver();
    this.#liveness = new Liveness(limits.silenceMs);
    socket.on("data", (chunk: Buffer) => this.#onData(chunk));
    socket.on("error", () => {});
    socket.once("end", () => {
      this.draining = true;
    });
    socket.once("close", () => {
      this.#end(`stream_closed: ${h2.cancel}`);
      owner.onEnd(this);
    });
    this.#onData(received);
    this.#isConstructed = true;
  }

  maxInFlight(): number {
    return Math.min(this.#peerSettings.maxStreams, this.#limits.maxStreams);
  }

  hasCapacity(): boolean {
    return !this.draining && this.#streams.size < this.maxInFlight() && this.#socket.writable;
  }

  write(exchange: Exchange, nowMs: number): void {
    if (this.#streams.size === 0) this.#liveness.restart(nowMs);
    exchange.deadlineAtMs = nowMs + this.#limits.deadlineMs;
    const id = this.#nextId;
    this.#nextId += 2;
    if (this.#nextId >= h2.maxWindow) this.draining = true;
    const stream: LeanStream = {
      id,
      exchange,
      sendWindow: this.#peerSettings.initialWindow,
      sentBytes: 0,
      wholeAfterFlush: Number.POSITIVE_INFINITY,
      receivedBytes: 0,
    };
    this.#streams.set(id, stream);
    this.#writer.writeHead(id, exchange.request, nowMs);
    this.#bodies.send(stream, nowMs);
  }

  sweep(nowMs: number): void {
    for (const stream of this.#streams.values()) {
      if (stream.exchange.deadlineAtMs > nowMs) break;
      settleOverdue(stream.exchange, this.#isWhole(stream));
      this.#reset(stream, h2.cancel);
    }
    const silentMs = this.#liveness.silentForMs(nowMs);
    if (this.#streams.size > 0) this.#checkLiveness(nowMs);
    else if (this.draining) this.#endWhenIdle(nowMs);
    else if (silentMs > this.#limits.idleMs) this.close();
  }

  close(): void {
    this.draining = true;
    this.healthy = true;
    if (this.#streams.size === 0) this.#endWhenIdle(performance.now());
  }

  #createReceiver(): (chunk: Buffer) => Http2Fault | undefined {
    return createHttp2Receiver(
      {
        // Even ids belong to pushed streams, which our SETTINGS forbid.
        wasOpened: (id) => id % 2 === 1 && id <= this.#writer.flushedId,
        onHead: (id, head, ends) => this.#onHead(id, head, ends),
        onBody: (id, chunk, windowBytes, ends) => this.#onBody(id, chunk, windowBytes, ends),
        onReset: (id, code) => this.#onReset(id, code),
        onWindowUpdate: (id, bytes) => this.#onWindowUpdate(id, bytes),
        onSettings: (payload) => this.#onSettings(payload),
        onPing: (data, isAck) => this.#onPing(data, isAck),
        onGoaway: (lastId, code) => this.#onGoaway(lastId, code),
      },
      isAnswerHeader,
    );
  }

  #onData(chunk: Buffer): void {
    if (this.#ended) return;
    const fault = this.#socket.writableLength > maxUnreadBytes ? "unread_answers" : this.#receive(chunk);
    if (fault === undefined || this.#ended) return;
    this.fault = fault;
    this.#end(`http2_fault: ${fault}`, http2Faults[fault]);
  }

  #onHead(id: number, head: ResponseHead, ends: boolean): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    const { exchange } = stream;
    const isFinal = head.status >= 200;
    // Before the final response only 1xx may come. After it only trailers may come, and they must end the stream.
    if (exchange.status > 0 ? head.status > 0 || !ends : head.status === 0 || (ends && !isFinal)) {
      this.#reset(stream, h2.protocolError);
      return;
    }
    if (isFinal) {
      this.#liveness.recordReceived();
      this.healthy = true;
      receiveHead(exchange, head.status, head.headers);
    }
    if (ends) this.#finish(stream);
  }

  #onBody(id: number, chunk: Buffer, windowBytes: number, ends: boolean): Http2Fault | undefined {
    this.#receiveWindow -= windowBytes;
    if (this.#receiveWindow < 0) return "window_exceeded";
    if (this.#receiveWindow < connectionWindow / 2) {
      this.#writer.writeFrame(h2.windowUpdateFrame, 0, 0, h2.uint32s(connectionWindow - this.#receiveWindow));
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
    const wantsMore = receiveBody(stream.exchange, chunk);
    if (ends) this.#finish(stream);
    else if (!wantsMore) this.#reset(stream, h2.cancel);
    return undefined;
  }

  /**
   * Ends a stream that the peer has ended. If the request's body was not sent whole, the peer does not want the rest.
   */
  #finish(stream: LeanStream): void {
    if (stream.sentBytes < stream.exchange.request.body.length) this.#reset(stream, h2.cancel);
    else this.#remove(stream, "");
  }

  #reset(stream: LeanStream, code: number): void {
    this.#writer.writeFrame(h2.rstStreamFrame, 0, stream.id, h2.uint32s(code));
    this.#remove(stream, `stream_closed: ${code}`);
  }

  #remove(stream: LeanStream, reason: string): void {
    this.#streams.delete(stream.id);
    this.#bodies.remove(stream);
    if (stream.exchange.status > 0) settleAnswered(stream.exchange);
    else settle(stream.exchange, { kind: "uncertain", reason });
    this.#onCapacityChange();
  }

  /** Tells the owner, except during the constructor: the owner does not know this connection yet. */
  #onCapacityChange(): void {
    if (this.#isConstructed) this.#owner.onCapacityChange();
  }

  #onReset(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    if (code === h2.refusedStream && stream.exchange.status === 0) {
      settle(stream.exchange, { kind: "notSent", reason: "refused_stream" });
    }
    this.#remove(stream, `stream_closed: ${code}`);
  }

  #onWindowUpdate(id: number, bytes: number): Http2Fault | undefined {
    const stream = this.#streams.get(id);
    if (id !== 0 && stream === undefined) return undefined;
    return this.#bodies.enlarge(bytes, stream);
  }

  #onSettings(payload: Buffer): Http2Fault | undefined {
    const windowBefore = this.#peerSettings.initialWindow;
    if (!this.#peerSettings.read(payload)) return "invalid_settings";
    const change = this.#peerSettings.initialWindow - windowBefore;
    const fault = resizeWindows(this.#streams.values(), change);
    if (fault !== undefined) return fault;
    this.#liveness.recordReceived();
    this.#writer.writeFrame(h2.settingsFrame, h2.ackFlag, 0, emptyPayload);
    this.#bodies.resume();
    this.#onCapacityChange();
    return undefined;
  }

  #onPing(data: Buffer, isAck: boolean): void {
    if (isAck) this.#liveness.endPing(true);
    else this.#writer.writeFrame(h2.pingFrame, h2.ackFlag, 0, data);
  }

  #onGoaway(lastId: number, code: number): void {
    this.draining = true;
    this.#settleNotSent(({ id }) => id > lastId, "goaway");
    // With an error code the peer ends the connection (RFC 9113 section 5.4.1), so no more answers will come.
    if (code !== h2.noError) this.#end(`goaway: ${code}`);
    this.#onCapacityChange();
  }

  /** Drains the connection, because the writer has stopped. It ends after the answers to whole requests were read. */
  #onLate(): void {
    this.draining = true;
    this.healthy = true;
    this.#settleNotSent((stream) => !this.#isWhole(stream), "not_started");
    this.#onCapacityChange();
  }

  /** Returns whether the socket has the whole request. The peer cannot process a request whose end never comes. */
  #isWhole(stream: LeanStream): boolean {
    return stream.wholeAfterFlush <= this.#writer.flushes;
  }

  /** Settles the streams that the peer has not processed as notSent. Skips streams that already have a status. */
  #settleNotSent(isUnprocessed: (stream: LeanStream) => boolean, reason: string): void {
    for (const stream of this.#streams.values()) {
      if (!isUnprocessed(stream) || stream.exchange.status > 0) continue;
      settle(stream.exchange, { kind: "notSent", reason });
      this.#remove(stream, "");
    }
  }

  #checkLiveness(nowMs: number): void {
    // A late writer sends no ping, so the peer's silence says nothing. Only the deadlines apply.
    if (this.#writer.isLate) return;
    const step = this.#liveness.nextStep(nowMs);
    if (step === "lost") this.#socket.destroy();
    if (step === "ping") this.#writer.writeFrame(h2.pingFrame, 0, 0, Buffer.alloc(8));
  }

  /** Ends a draining connection without requests: sends GOAWAY, and destroys the socket if the peer does not close. */
  #endWhenIdle(nowMs: number): void {
    if (!this.#ended) {
      this.#writer.flush();
      this.#end("");
    } else if (nowMs > this.#endedAtMs + lingerMs) {
      this.#socket.destroy();
    }
  }

  /** Ends the connection and settles the requests in flight. Requests that the peer never got whole are notSent. */
  #end(reason: string, code: number = h2.noError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.draining = true;
    this.#endedAtMs = performance.now();
    this.#writer.end(h2.frameOf(h2.goawayFrame, 0, 0, h2.uint32s(0, code)));
    this.#settleNotSent((stream) => !this.#isWhole(stream), "connection_lost");
    for (const stream of this.#streams.values()) this.#remove(stream, reason);
  }
}
