import { type Call, type History, now } from "./history.ts";

/** Calls the API over real HTTP and records each call with its outcome. */
export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Call>;

export type CallOptions = {
  body?: unknown;
  idempotencyKey?: string;
  /** The API process and the key to use instead of those of the fixture. */
  url?: string;
  apiKey?: string;
};

/** Callers give up after this time. The outcome of the call is then unknown. */
const waitBudgetMs = 30_000;

export function createCaller(history: History, defaults: () => { url: string; apiKey: string }): Caller {
  return async (method, path, { body, idempotencyKey, ...over } = {}) => {
    const { url, apiKey } = { ...defaults(), ...over };
    const call = { kind: "call" as const, method, path, idempotencyKey: idempotencyKey ?? null, at: now() };
    const recorded = {
      ...call,
      ...(await request(url + path, { method, apiKey, body, idempotencyKey })),
      endedAt: now(),
    };
    history.events.push(recorded);
    return recorded;
  };
}

type Request = { method: string; apiKey: string; body: unknown; idempotencyKey: string | undefined };
type Answer = Pick<Call, "outcome" | "status" | "hasRetryAfter" | "body">;

async function request(url: string, { method, apiKey, body, idempotencyKey }: Request): Promise<Answer> {
  try {
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(waitBudgetMs),
    });
    const { status } = answer;
    const outcome = status < 400 ? "ok" : status < 500 ? "refused" : "failed";
    const text = await answer.text();
    return { outcome, status, hasRetryAfter: answer.headers.has("retry-after"), body: JSON.parse(text || "{}") };
  } catch {
    return { outcome: "unknown", status: 0, hasRetryAfter: false, body: {} };
  }
}
