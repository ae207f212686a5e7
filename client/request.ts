import { ConnectionError, PressbellError } from "./errors.ts";
import { pause } from "./pause.ts";

/** One call of the API. */
export type Call = {
  method: "GET" | "POST" | "PATCH";
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  idempotencyKey?: string;
  /**
   * Whether the service may take the call twice without a further effect. Such a call is repeated after a lost
   * answer.
   */
  repeatable: boolean;
  signal?: AbortSignal | undefined;
};

export type Transport = {
  /** The address of the service, without a slash at its end. */
  url: string;
  apiKey: string;
  /** How often a call is repeated. */
  retries: number;
  /** The time limit of one attempt. */
  timeoutMs: number;
  /** The wait before the first repetition. It doubles with each repetition, up to ten seconds. */
  firstRetryMs: number;
  /** The longest Retry-After that is waited for. */
  maxRetryAfterMs: number;
  fetch: typeof fetch;
};

const maxRetryMs = 10_000;
/** Statuses from the service, or a proxy before it, that do not say whether the request was taken. */
const passing = [502, 503, 504];

/**
 * Calls the API and returns the answer's JSON. Repeats the call where that is safe. Throws PressbellError for a
 * refusal, ConnectionError if no answer came, the reason of `signal` if it is aborted, and TypeError for a body that
 * JSON cannot hold.
 */
export async function request<T>(transport: Transport, call: Call): Promise<T> {
  // Outside the attempts, because a repetition does not help if the body cannot be written as JSON.
  const init = initOf(transport, call);
  for (let attempt = 0; ; attempt++) {
    try {
      return (await exchange(transport, call, init)) as T;
    } catch (error) {
      const waitMs = attempt < transport.retries ? waitBefore(transport, call, attempt, error) : null;
      if (waitMs === null) throw error;
      await pause(waitMs, call.signal);
    }
  }
}

/**
 * Returns the wait before a repetition, or null if the call must not be repeated. A rate-limited request (429) was
 * not taken, so every call is repeated after it. After other failures, the request may have been taken.
 */
function waitBefore(transport: Transport, call: Call, attempt: number, error: unknown): number | null {
  const isAnswer = error instanceof PressbellError;
  if (!isAnswer && !(error instanceof ConnectionError)) return null;
  const isPassing = !isAnswer || passing.includes(error.status);
  if (!(isAnswer && error.status === 429) && !(call.repeatable && isPassing)) return null;
  if (isAnswer && error.retryAfterMs !== null) {
    return error.retryAfterMs > transport.maxRetryAfterMs ? null : error.retryAfterMs;
  }
  // A random wait keeps clients that failed together from coming back together.
  return Math.min(maxRetryMs, transport.firstRetryMs * 2 ** attempt) * (0.5 + Math.random() / 2);
}

async function exchange(transport: Transport, call: Call, init: RequestInit): Promise<unknown> {
  const { answer, text } = await fetchText(transport, call, init);
  if (!answer.ok) throw new PressbellError(answer, text);
  try {
    return JSON.parse(text);
  } catch {
    throw new PressbellError(answer, text);
  }
}

async function fetchText(
  transport: Transport,
  call: Call,
  init: RequestInit,
): Promise<{ answer: Response; text: string }> {
  const { signal } = call;
  signal?.throwIfAborted();
  // This does not use AbortSignal.any or AbortSignal.timeout, because the first versions of Node.js 20 have no `any`.
  const attempt = new AbortController();
  const onAbort = () => attempt.abort();
  signal?.addEventListener("abort", onAbort, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    attempt.abort();
  }, transport.timeoutMs);
  try {
    const answer = await transport.fetch(addressOf(transport, call), { ...init, signal: attempt.signal });
    return { answer, text: await answer.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const what = isLate ? `did not answer within ${transport.timeoutMs} ms` : "could not be reached, or broke off";
    throw new ConnectionError(`${call.method} ${call.path}: the service ${what}.`, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function addressOf({ url }: Transport, { path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? url + path : `${url}${path}?${search}`;
}

/** Redirects are not followed: a POST would become a GET, and the key would go to another address. */
function initOf({ apiKey }: Transport, { method, body, idempotencyKey }: Call): RequestInit {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
  return { method, headers, redirect: "manual", ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}
