import type { FieldFault } from "../../../src/errors.ts";
import { loadSaidWords } from "../words/said-words.ts";
import { withWords, words } from "../words/words.ts";
import { addressOf } from "./address.ts";
import { readJoined } from "./joined-reads.ts";
import type { Refusal } from "./refusals.ts";

/** A fault of a field. `label`: the field's name on the page, or "". */
type Fault = Pick<FieldFault, "path" | "message"> & { label: string };

type ErrorBody = Refusal & { requestId?: string; errors?: FieldFault[] };

/** Loads the words for refusals, with the first error answer. */
const loadRefusals = withWords(() => import("./refusals.ts"), "refusals");

/** Loads the many sentences for faults, with the first answer that names a field. */
const loadFaults = withWords(() => import("./faults.ts"), "faults");

/**
 * An error answer of the service, or a missing answer (`code` "offline"). `message` and the messages of `faults` are
 * for people, and say what to do.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly faults: Fault[];

  constructor(status: number, body: Omit<ErrorBody, "errors">, faults: Fault[] = []) {
    super(body.message);
    this.name = "ApiError";
    this.status = status;
    this.code = body.code ?? (status === 401 ? "unauthenticated" : "unknown");
    this.requestId = body.requestId;
    this.faults = faults;
  }

  /** Returns the fault of a field as a sentence, or undefined. */
  faultOf(field: string): string | undefined {
    return this.faults.find(({ path }) => path === `/${field}`)?.message;
  }
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: "internal", message: words.api.broken });
}

/** `body`: sent as JSON. A Blob is sent unchanged, with the content type in `headers`. */
export type CallOptions = {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether the request goes on after its page is closed. */
  keepalive?: boolean;
};

/** Calls the service and returns its JSON answer, or undefined if the answer has no body. Throws ApiError. */
export async function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { body, headers, signal, keepalive = false } = options;
  const joined = method === "GET" && signal === undefined ? await readJoined(addressOf(path)) : null;
  if (joined !== null) return joined.body as Answer;
  const request: RequestInit = {
    method,
    keepalive,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
  const answer = await fetch(addressOf(path), request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, { code: "offline", message: words.api.offline });
  });
  const text = await answer.text().catch(() => "");
  const json = parse(text);
  if (answer.ok) {
    await loadSaidWords(text);
    return json as Answer;
  }
  // The answer is a page of a proxy, not an answer of the service.
  if (!isErrorBody(json)) throw new ApiError(answer.status, { code: "away", message: words.api.away });
  // The service sends no code with a 401.
  const code = json.code ?? (answer.status === 401 ? "unauthenticated" : undefined);
  const { messageOf } = await loadRefusals();
  const message = messageOf(code === undefined ? json : { ...json, code });
  throw new ApiError(answer.status, { ...json, message }, await sayFaults(json.errors ?? []));
}

async function sayFaults(errors: FieldFault[]): Promise<Fault[]> {
  if (errors.length === 0) return [];
  const { labelOf, wordsOfFault } = await loadFaults();
  return errors.map((fault) => ({ path: fault.path, message: wordsOfFault(fault), label: labelOf(fault.path) }));
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isErrorBody(json: unknown): json is ErrorBody {
  return typeof json === "object" && json !== null && "message" in json;
}
