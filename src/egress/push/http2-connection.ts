import { type ClientHttp2Session, type ClientHttp2Stream, constants } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { ConnectionLimits, ConnectionOwner, PushConnection } from "./connection.ts";
import { type Exchange, receiveBody, receiveHead, settle, settleAnswered, settleOverdue } from "./exchange.ts";
import { Liveness } from "./liveness.ts";

const exchangeOf = Symbol("exchange");
const connectionOf = Symbol("connection");
type PushStream = ClientHttp2Stream & { [exchangeOf]: Exchange; [connectionOf]: Http2Connection };

/** How long a peer may take to close a socket on which nothing is left to do. */
const lingerMs = 500;
const maxStreamId = 2 ** 31 - 1;

/**
 * A session of HTTP/2. A request ends in one of three ways, as RFC 9113 sections 6.8 and 8.7 let us tell: answered;
 * not sent, by REFUSED_STREAM or an id above the last one of a GOAWAY; or uncertain. None is ever sent again from here.
 */
export class Http2Connection implements PushConnection {
  draining = false;
  useful = false;
  readonly #session: ClientHttp2Session;
  readonly #socket: TLSSocket;
  readonly #authority: string;
  readonly #limits: ConnectionLimits;
  readonly #owner: ConnectionOwner;
  /** In the order of writing, so in the order of deadlines. */
  readonly #inFlight = new Set<PushStream>();
  #window = 0;
  #lastStreamId = maxStreamId;
  #goawayCode: number = constants.NGHTTP2_NO_ERROR;
  readonly #pulse: Liveness;

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
    this.#pulse = new Liveness(limits.silenceMs);
    this.#readSettings();
    session.on("remoteSettings", () => {
      this.#readSettings();
      owner.onRoom();
    });
    session.on("goaway", (code, lastStreamId) => this.#onGoaway(code, lastStreamId));
    session.on("error", ignore);
    session.once("close", () => {
      this.draining = true;
      owner.onEnd(this);
    });
  }

  window(): number {
    return this.#window;
  }

  hasRoom(): boolean {
    return !this.draining && this.#inFlight.size < this.#window && !this.#session.closed && !this.#session.destroyed;
  }

  write(exchange: Exchange, nowMs: number): void {
    if (this.#inFlight.size === 0) this.#pulse.restart(nowMs);
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
    const quietMs = this.#pulse.quietMs(nowMs);
    if (this.#inFlight.size > 0) this.#listen(nowMs);
    else if (this.draining && quietMs > lingerMs) this.#socket.destroy();
    else if (quietMs > this.#limits.idleMs) this.close();
  }

  close(): void {
    this.draining = true;
    this.useful = true;
    this.#session.close();
  }

  heard(): void {
    this.#pulse.note();
    this.useful = true;
  }

  leave(stream: PushStream): void {
    this.#inFlight.delete(stream);
    const exchange = stream[exchangeOf];
    if (exchange.status > 0) settleAnswered(exchange);
    else if (!exchange.settled) settle(exchange, this.#verdict(stream));
    this.#owner.onRoom();
  }

  #open(exchange: Exchange): PushStream | undefined {
    const { path, headers, body } = exchange.request;
    // An array is what node:http2 sends with the least work.
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

  #verdict(stream: PushStream): { kind: "notSent" | "uncertain"; reason: string } {
    const { id, rstCode } = stream;
    // Without an id it never reached the wire: the session was closed, or has used up its ids.
    if (id === undefined) {
      this.close();
      return { kind: "notSent", reason: "session_closed" };
    }
    if (id > this.#lastStreamId) return { kind: "notSent", reason: "goaway" };
    // Node gives each stream the code of a GOAWAY that ends the session, which then says nothing about the stream.
    const refused = constants.NGHTTP2_REFUSED_STREAM;
    if (rstCode === refused && this.#goawayCode !== refused) return { kind: "notSent", reason: "refused_stream" };
    return { kind: "uncertain", reason: `stream_closed: ${rstCode}` };
  }

  #readSettings(): void {
    this.#pulse.note();
    const allowed = this.#session.remoteSettings.maxConcurrentStreams ?? this.#limits.maxStreams;
    this.#window = Math.min(allowed, this.#limits.maxStreams);
  }

  /** Runs before Node ends the streams that the GOAWAY cuts off, or all of them where its code is an error. */
  #onGoaway(code: number, lastStreamId: number): void {
    this.draining = true;
    this.#goawayCode = code;
    this.#lastStreamId = Math.min(this.#lastStreamId, lastStreamId);
    this.#owner.onRoom();
  }

  #listen(nowMs: number): void {
    const verdict = this.#pulse.judge(nowMs);
    if (verdict === "lost") this.#socket.destroy();
    if (verdict === "ping" && !this.#session.destroyed) {
      this.#session.ping((error) => this.#pulse.endPing(error === null));
    }
  }
}

// Listeners are functions of the module, not of a request: a closure each would be made thousands of times a second.

function onResponse(this: unknown, headers: Record<string, unknown>): void {
  const stream = this as PushStream;
  stream[connectionOf].heard();
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
  stream[connectionOf].leave(stream);
}

function ignore(): void {}
