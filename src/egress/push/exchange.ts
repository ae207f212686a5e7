/** One request to a push service and the part of its answer that has arrived. All parts of the transport share it. */

/** A POST to a push service. `origin`: https only, as in `URL.origin`. Header names are in lower case. */
export type PushRequest = {
  origin: string;
  path: string;
  /** Sent unchanged. Only `content-length` is added. */
  headers: Record<string, string>;
  body: Buffer;
  /**
   * Called right before the request is written. If it returns false, the request is not written, and the answer is
   * notSent `not_started`. Over lean HTTP/2 it is also called before each write of a body that had to wait for a
   * window. The answer is the same if that call returns false, or if the process stood still between a call and its
   * write.
   */
  mayStart?(): boolean;
};

export type PushAnswer =
  /** `headers` has retry-after, location and x-wns-*; `body` is at most 16 KB, and empty for a status below 300. */
  | { kind: "answered"; status: number; headers: Record<string, string>; body: string }
  /** The push service has processed nothing of the request. */
  | { kind: "notSent"; reason: string }
  /** The request was written, but it is not known whether it was processed. */
  | { kind: "uncertain"; reason: string };

export const maxAnswerBytes = 16_384;

export type Exchange = {
  readonly request: PushRequest;
  readonly resolve: (answer: PushAnswer) => void;
  /** When the request expires in the queue, on the clock of `performance.now()`. */
  readonly queuedUntilMs: number;
  /** The deadline on the same clock. Set when the request is written. */
  deadlineAtMs: number;
  settled: boolean;
  /** 0 until the status is known. */
  status: number;
  headers: Record<string, string>;
  chunks: Buffer[];
  bodyBytes: number;
};

export function createExchange(
  request: PushRequest,
  queuedUntilMs: number,
  resolve: (answer: PushAnswer) => void,
): Exchange {
  return {
    request,
    resolve,
    queuedUntilMs,
    deadlineAtMs: 0,
    settled: false,
    status: 0,
    headers: {},
    chunks: [],
    bodyBytes: 0,
  };
}

/** Resolves the exchange with `answer`, unless it is settled already. */
export function settle(exchange: Exchange, answer: PushAnswer): void {
  if (exchange.settled) return;
  exchange.settled = true;
  exchange.resolve(answer);
}

/**
 * Settles with the answer as far as it has arrived. A known status is an answer, even if the rest of the body never
 * comes.
 */
export function settleAnswered(exchange: Exchange): void {
  if (exchange.settled) return;
  const { status, headers, chunks } = exchange;
  const body = chunks.length === 0 ? "" : Buffer.concat(chunks).toString("utf8", 0, maxAnswerBytes);
  settle(exchange, { kind: "answered", status, headers, body });
}

/**
 * Settles an exchange whose deadline has passed, with its status if that is known. `isWhole`: false if the peer
 * surely never got the end of the request, and so cannot process it.
 */
export function settleOverdue(exchange: Exchange, isWhole = true): void {
  if (exchange.status > 0) settleAnswered(exchange);
  else settle(exchange, { kind: isWhole ? "uncertain" : "notSent", reason: "deadline" });
}

/** Returns whether a PushAnswer includes the header `name`. */
export function isAnswerHeader(name: string): boolean {
  return name === "retry-after" || name === "location" || name.startsWith("x-wns-");
}

/** Stores status and headers. Settles a success immediately, because nothing in its body matters. */
export function receiveHead(exchange: Exchange, status: number, headers: Record<string, unknown>): void {
  exchange.status = status;
  for (const name in headers) {
    if (isAnswerHeader(name)) exchange.headers[name] = String(headers[name]);
  }
  if (status < 300) settleAnswered(exchange);
}

/**
 * Stores a chunk of the body. Returns false if the body is longer than an answer keeps; the stream should then be
 * closed.
 */
export function receiveBody(exchange: Exchange, chunk: Buffer): boolean {
  exchange.bodyBytes += chunk.length;
  if (!exchange.settled) exchange.chunks.push(chunk);
  return exchange.bodyBytes <= maxAnswerBytes;
}
