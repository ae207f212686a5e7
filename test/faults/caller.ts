import { type Call, type History, now } from "./history.ts";

/** Calls the API over real HTTP and notes each call with what became of it. */
export type Caller = (method: string, path: string, options?: CallOptions) => Promise<Call>;

export type CallOptions = {
  body?: unknown;
  idempotencyKey?: string;
  /** The API to ask, and on whose behalf, where it is another than the trial's. */
  url?: string;
  apiKey?: string;
};

/** Nobody waits longer for an answer; what became of the call is then unknown. */
const waitBudgetMs = 30_000;

export function createCaller(history: History, usual: () => { url: string; apiKey: string }): Caller {
  return async (method, path, { body, idempotencyKey, ...over } = {}) => {
    const { url, apiKey } = { ...usual(), ...over };
    const call = { kind: "call" as const, method, path, idempotencyKey: idempotencyKey ?? null, at: now() };
    const noted = { ...call, ...(await ask(url + path, { method, apiKey, body, idempotencyKey })), endedAt: now() };
    history.events.push(noted);
    return noted;
  };
}

type Asked = { method: string; apiKey: string; body: unknown; idempotencyKey: string | undefined };
type Answered = Pick<Call, "outcome" | "status" | "hasRetryAfter" | "body">;

async function ask(url: string, { method, apiKey, body, idempotencyKey }: Asked): Promise<Answered> {
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
