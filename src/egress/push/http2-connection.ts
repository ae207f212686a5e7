import { type ClientHttp2Session, type ClientHttp2Stream, constants } from "node:http2";
import type { TLSSocket } from "node:tls";
import { type ConnectionLimits, type ConnectionOwner, lingerMs, type PushConnection } from "./connection.ts";
import { type Exchange, receiveBody, receiveHead, settle, settleAnswered, settleOverdue } from "./exchange.ts";
import { Liveness } from "./liveness.ts";

const exchangeOf = Symbol("exchange");
const connectionOf = Symbol("connection");
type PushStream = ClientHttp2Stream & { [exchangeOf]: Exchange; [connectionOf]: Http2Connection };

const maxStreamId = 2 ** 31 - 1;

/**
 * A connection over node:http2. By RFC 9113 sections 6.8 and 8.7, a request ends in one of three ways: answered; not
 * sent, because of REFUSED_STREAM or an id above the last one of a GOAWAY; or uncertain. This class never sends a
 * request twice. If a body waits for a window, node:http2 sends it later without asking `mayStart` again.
 */
export class Http2Connection implements PushConnection {
  draining = false;
  healthy = false;
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #authority: string;
  readonly #limits: ConnectionLimits;
  readonly #owner: ConnectionOwner;
  /** The requests in the order of their writes, which is the order of their deadlines. */
  readonly #inFlight = new Set<PushStream>();
  #maxInFlight = 0;
  #lastStreamId = maxStreamId;
  #goawayCode: number = constants.NGHTTP2_NO_ERROR;
  readonly #liveness: Liveness;

  constructor(
    session: ClientHttp2Session,
    socket: TLSSocket,
    authority: string,
    limits: ConnectionLimits,
    owner: ConnectionOwner,
  ) {
    this.#session = session;
    this.#socket = socket;
    this.#authority = authority;
    this.#limits = limits;
    this.#owner = owner;
    this.#liveness = new Liveness(limits.silenceMs);
    this.#readSettings();
    session.on("remoteSettings", () => {
      this.#readSettings();
      owner.onCapacityChange();
    });
    session.on("goaway", (code, lastStreamId) => this.#onGoaway(code, lastStreamId));
    session.on("error", ignore);
    session.once("close", () => {
      this.draining = true;
      owner.onEnd(this);
    });
  }

  maxInFlight(): number {
    return this.#maxInFlight;
  }

  hasCapacity(): boolean {
    return (
      !this.draining && this.#inFlight.size < this.#maxInFlight && !this.#session.closed && !this.#session.destroyed
    );
  }

  write(exchange: Exchange, nowMs: number): void {
    if (this.#inFlight.size === 0) this.#liveness.restart(nowMs);
    exchange.deadlineAtMs = nowMs + this.#limits.deadlineMs;
    const stream = this.#open(exchange);
    if (stream === undefined) return;
    stream[exchangeOf] = exchange;
    stream[connectionOf] = this;
    this.#inFlight.add(stream);
    stream.on("response", onResponse);
    stream.on("error", ignore);
    stream.on("close", onClose);
    stream.end(exchange.request.body);
  }

  sweep(nowMs: number): void {
    for (const stream of this.#inFlight) {
      if (stream[exchangeOf].deadlineAtMs > nowMs) break;
      settleOverdue(stream[exchangeOf]);
      stream.close(constants.NGHTTP2_CANCEL);
    }
    const silentMs = this.#liveness.silentForMs(nowMs);
    if (this.#inFlight.size > 0) this.#checkLiveness(nowMs);
    else if (this.draining && silentMs > lingerMs) this.#socket.destroy();
    else if (silentMs > this.#limits.idleMs) this.close();
  }

  close(): void {
    this.draining = true;
    this.healthy = true;
    this.#session.close();
  }

  recordAnswer(): void {
    this.#liveness.recordReceived();
    this.healthy = true;
  }

  endStream(stream: PushStream): void {
    this.#inFlight.delete(stream);
    const exchange = stream[exchangeOf];
    if (exchange.status > 0) settleAnswered(exchange);
    else if (!exchange.settled) settle(exchange, this.#answerWithoutStatus(stream));
    this.#owner.onCapacityChange();
  }

  #open(exchange: Exchange): PushStream | undefined {
    const { path, headers, body } = exchange.request;
    // An array is the cheapest form of headers for node:http2.
    const list = [":method", "POST", ":authority", this.#authority, ":scheme", "https", ":path", path];
    for (const name in headers) list.push(name, headers[name]!);
    list.push("content-length", String(body.length));
    try {
      return this.#session.request(list) as PushStream;
    } catch (error) {
      settle(exchange, { kind: "notSent", reason: `invalid_request: ${(error as NodeJS.ErrnoException).code}` });
      return undefined;
    }
  }

  #answerWithoutStatus(stream: PushStream): { kind: "notSent" | "uncertain"; reason: string } {
    const { id, rstCode } = stream;
    // A stream without an id never reached the wire: the session was closed, or has used up its ids.
    if (id === undefined) {
      this.close();
      return { kind: "notSent", reason: "session_closed" };
    }
    if (id > this.#lastStreamId) return { kind: "notSent", reason: "goaway" };
    // Node gives each stream the error code of a GOAWAY that ends the session. The code then says nothing about the
    // stream.
    const refused = constants.NGHTTP2_REFUSED_STREAM;
    if (rstCode === refused && this.#goawayCode !== refused) return { kind: "notSent", reason: "refused_stream" };
    return { kind: "uncertain", reason: `stream_closed: ${rstCode}` };
  }

  #readSettings(): void {
    this.#liveness.recordReceived();
    const allowed = this.#session.remoteSettings.maxConcurrentStreams ?? this.#limits.maxStreams;
    this.#maxInFlight = Math.min(allowed, this.#limits.maxStreams);
  }

  /** Runs before Node ends the streams above the last id of the GOAWAY, or all streams if its code is an error. */
  #onGoaway(code: number, lastStreamId: number): void {
    this.draining = true;
    this.#goawayCode = code;
    this.#lastStreamId = Math.min(this.#lastStreamId, lastStreamId);
    this.#owner.onCapacityChange();
  }

  #checkLiveness(nowMs: number): void {
    const step = this.#liveness.nextStep(nowMs);
    if (step === "lost") this.#socket.destroy();
    if (step === "ping" && !this.#session.destroyed) {
      this.#session.ping((error) => this.#liveness.endPing(error === null));
    }
  }
}

// Listeners are functions of the module, because a closure per request would be created thousands of times a second.

function onResponse(this: unknown, headers: Record<string, unknown>): void {
  const stream = this as PushStream;
  stream[connectionOf].recordAnswer();
  receiveHead(stream[exchangeOf], headers[":status"] as number, headers);
  if (stream.endAfterHeaders) stream.resume();
  else stream.on("data", onData);
}

function onData(this: unknown, chunk: Buffer): void {
  const stream = this as PushStream;
  if (receiveBody(stream[exchangeOf], chunk)) return;
  settleAnswered(stream[exchangeOf]);
  stream.close(constants.NGHTTP2_CANCEL);
}

function onClose(this: unknown): void {
  const stream = this as PushStream;
  stream[connectionOf].endStream(stream);
}

function ignore(): void {}
