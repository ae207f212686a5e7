import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { ConnectionLimits, ConnectionOwner, PushConnection } from "./connection.ts";
import { type Exchange, receiveBody, receiveHead, settle, settleAnswered, settleOverdue } from "./exchange.ts";

/**
 * A kept-alive HTTP/1.1 connection with one request at a time. If the socket breaks before the status arrives, the
 * request is uncertain. That is also so if the peer only closed an idle socket, because the two cases look the same.
 */
export class Http1Connection implements PushConnection {
  draining = false;
  healthy = false;
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
    // Node's client reuses a socket only through an agent. This agent has a single socket, and never opens another.
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

  maxInFlight(): number {
    return 1;
  }

  hasCapacity(): boolean {
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
    request.once("close", () => this.#onClose(exchange));
    request.end(body);
  }

  sweep(nowMs: number): void {
    if (this.#current !== undefined) {
      if (this.#current.exchange.deadlineAtMs > nowMs) return;
      settleOverdue(this.#current.exchange);
      this.#socket.destroy();
    } else if (this.draining || nowMs > this.#idleSinceMs + this.#limits.idleMs) {
      this.healthy = true;
      this.#socket.destroy();
    }
  }

  close(): void {
    this.draining = true;
    this.healthy = true;
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
    this.healthy = true;
    receiveHead(exchange, response.statusCode!, response.headers);
    response.on("error", () => {});
    response.on("data", (chunk: Buffer) => {
      if (receiveBody(exchange, chunk)) return;
      settleAnswered(exchange);
      this.#socket.destroy();
    });
  }

  /**
   * Settles the exchange, because its answer was read or the socket broke. A socket that is kept alive is free for
   * the next request a moment later.
   */
  #onClose(exchange: Exchange): void {
    this.#current = undefined;
    this.#idleSinceMs = performance.now();
    if (exchange.status > 0) settleAnswered(exchange);
    else settle(exchange, { kind: "uncertain", reason: "socket_closed" });
    this.#owner.onCapacityChange();
  }
}
