import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { ConnectionLimits, ConnectionOwner, PushConnection } from "./connection.ts";
import { type Exchange, receiveBody, receiveHead, settle, settleAnswered, settleOverdue } from "./exchange.ts";

/**
 * A kept-alive socket of HTTP/1.1: one request at a time. A socket that breaks before the status leaves it uncertain,
 * also where the peer closed it idle in the same moment: that cannot be told from a request taken and not answered.
 */
export class Http1Connection implements PushConnection {
  draining = false;
  useful = false;
  readonly #socket: TLSSocket;
  readonly #authority: string;
  readonly #limits: ConnectionLimits;
  readonly #owner: ConnectionOwner;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #current: { exchange: Exchange; request: ClientRequest } | undefined;
  #idleSinceMs = performance.now();

  constructor(socket: TLSSocket, authority: string, limits: ConnectionLimits, owner: ConnectionOwner) {
    this.#socket = socket;
    this.#authority = authority;
    this.#limits = limits;
    this.#owner = owner;
    // Node's client keeps a socket alive through an agent only: this one knows a single socket and never opens another.
    this.#agent.createConnection = () => socket;
    socket.on("error", () => {});
    socket.on("end", () => {
      this.draining = true;
    });
    socket.once("close", () => {
      this.draining = true;
      owner.onEnd(this);
    });
  }

  window(): number {
    return 1;
  }

  hasRoom(): boolean {
    return !this.draining && this.#current === undefined && this.#socket.writable;
  }

  write(exchange: Exchange, nowMs: number): void {
    exchange.deadlineAtMs = nowMs + this.#limits.deadlineMs;
    const { path, headers, body } = exchange.request;
    const request = this.#open(exchange, path, { host: this.#authority, ...headers, "content-length": body.length });
    if (request === undefined) return;
    this.#current = { exchange, request };
    request.on("error", () => {});
    request.once("response", (response) => this.#onResponse(exchange, response));
    request.once("close", () => this.#leave(exchange));
    request.end(body);
  }

  sweep(nowMs: number): void {
    if (this.#current !== undefined) {
      if (this.#current.exchange.deadlineAtMs > nowMs) return;
      settleOverdue(this.#current.exchange);
      this.#socket.destroy();
    } else if (this.draining || nowMs > this.#idleSinceMs + this.#limits.idleMs) {
      this.useful = true;
      this.#socket.destroy();
    }
  }

  close(): void {
    this.draining = true;
    this.useful = true;
    if (this.#current === undefined) this.#socket.destroy();
  }

  #open(exchange: Exchange, path: string, headers: Record<string, string | number>): ClientRequest | undefined {
    try {
      return httpRequest({ agent: this.#agent, method: "POST", path, headers, setHost: false });
    } catch (error) {
      settle(exchange, { kind: "notSent", reason: `invalid_request: ${(error as NodeJS.ErrnoException).code}` });
      return undefined;
    }
  }

  #onResponse(exchange: Exchange, response: IncomingMessage): void {
    this.useful = true;
    receiveHead(exchange, response.statusCode!, response.headers);
    response.on("error", () => {});
    response.on("data", (chunk: Buffer) => {
      if (receiveBody(exchange, chunk)) return;
      settleAnswered(exchange);
      this.#socket.destroy();
    });
  }

  /** The answer is read, or the socket has broken. A socket to be kept is free for the next request a moment later. */
  #leave(exchange: Exchange): void {
    this.#current = undefined;
    this.#idleSinceMs = performance.now();
    if (exchange.status > 0) settleAnswered(exchange);
    else settle(exchange, { kind: "uncertain", reason: "socket_closed" });
    this.#owner.onRoom();
  }
}
