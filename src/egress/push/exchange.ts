/** One message on its way: what is asked, what came back so far. Shared by the transport's parts. */

/** A POST to a push service. `origin` as `URL.origin` writes it, https only; header names in lower case. */
export type PushRequest = {
  origin: string;
  path: string;
  /** Sent as they are, with `content-length` added and nothing else. */
  headers: Record<string, string>;
  body: Buffer;
  /**
   * Asked once, when the request would be written. False: it is not, and the answer is notSent `not_started`; over the lean
   * HTTP/2 also where the process stood still between this and the write.
   */
  mayStart?(): boolean;
};

export type PushAnswer =
  /** `headers` holds retry-after, location and x-wns-*; `body` at most 16 KB, empty for a status below 300. */
  | { kind: "answered"; status: number; headers: Record<string, string>; body: string }
  /** The push service has processed nothing of it. */
  | { kind: "notSent"; reason: string }
  /** It was written, and nobody can tell whether it was processed. */
  | { kind: "uncertain"; reason: string };

export const maxAnswerBytes = 16_384;

export type Exchange = {
  readonly request: PushRequest;
  readonly resolve: (answer: PushAnswer) => void;
  /** On the clock of `performance.now()`: in the queue no longer than this. */
  readonly queuedUntilMs: number;
  /** On the same clock, set when it is written. */
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

export function settle(exchange: Exchange, answer: PushAnswer): void {
  if (exchange.settled) return;
  exchange.settled = true;
  exchange.resolve(answer);
}

/** A known status is an answer, whatever becomes of the rest of the body. */
export function settleAnswered(exchange: Exchange): void {
  if (exchange.settled) return;
  const { status, headers, chunks } = exchange;
  const body = chunks.length === 0 ? "" : Buffer.concat(chunks).toString("utf8", 0, maxAnswerBytes);
  settle(exchange, { kind: "answered", status, headers, body });
}

/** Whether a header of an answer is handed on. */
export function isRead(name: string): boolean {
  return name === "retry-after" || name === "location" || name.startsWith("x-wns-");
}

/** Notes the status. A success is answered at once: nothing in its body counts. */
export function receiveHead(exchange: Exchange, status: number, headers: Record<string, unknown>): void {
  exchange.status = status;
  for (const name in headers) {
    if (isRead(name)) exchange.headers[name] = String(headers[name]);
  }
  if (status < 300) settleAnswered(exchange);
}

/** Notes a part of the body. False: there is more than is read, so the stream is to be closed. */
export function receiveBody(exchange: Exchange, chunk: Buffer): boolean {
  exchange.bodyBytes += chunk.length;
  if (!exchange.settled) exchange.chunks.push(chunk);
  return exchange.bodyBytes <= maxAnswerBytes;
}

/** The deadline is over: what is known counts. */
export function settleOverdue(exchange: Exchange): void {
  if (exchange.status > 0) settleAnswered(exchange);
  else settle(exchange, { kind: "uncertain", reason: "deadline" });
}
