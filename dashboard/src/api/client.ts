import type { FieldFault } from "../../../src/errors.ts";
import { ownPage } from "../../../src/own-page.ts";
import { withWords, words } from "../words/words.ts";
import { readJoined } from "./joined-reads.ts";
import type { Refusal } from "./refusals.ts";

/** What is wrong with a field, by its path. `label`: its name on the page, or "". */
type Fault = FieldFault & { label: string };

type ErrorBody = Refusal & { requestId?: string; errors?: FieldFault[] };

/** Loaded with the first error answer. */
const loadRefusals = withWords(() => import("./refusals.ts"), "refusals");

/** Returns the dashboard's words for a refusal that stands in an answer. */
export const messageOfRefusal = async (refusal: Refusal) => (await loadRefusals()).messageOf(refusal);

/** Loaded with the first answer that names a field: the sentences are many. */
const loadFaults = withWords(() => import("./faults.ts"), "faults");

/**
 * An error answer of the service, or no answer (`code` "offline"). `message`, and those of `faults`, are for people and
 * say what to do.
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

  /** Returns what is wrong with a field as a sentence, by its name. */
  faultOf(field: string): string | undefined {
    return this.faults.find(({ path }) => path === `/${field}`)?.message;
  }
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, { code: "internal", message: words.api.broken });
}

/**
 * Returns the URL of `path`, below the path at which a proxy serves the service. For a path that leads elsewhere it
 * returns the URL of the first page.
 */
export function addressOf(path: string): string {
  return ownPage(path, document.baseURI) ?? document.baseURI;
}

/** `body`: sent as JSON; a Blob is sent unchanged, with the content type in `headers`. */
export type CallOptions = {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether the request goes on when its page is closed. */
  keepalive?: boolean;
};

/** Calls the service and returns its JSON answer; undefined if the answer has no body. Throws ApiError. */
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
  if (answer.ok) return json as Answer;
  // Of a proxy, whose page is no answer of the service.
  if (!isErrorBody(json)) throw new ApiError(answer.status, { code: "away", message: words.api.away });
  // The service leaves this one code out.
  const code = json.code ?? (answer.status === 401 ? "unauthenticated" : undefined);
  const { messageOf } = await loadRefusals();
  const message = messageOf(code === undefined ? json : { ...json, code });
  throw new ApiError(answer.status, { ...json, message }, await sayFaults(json.errors ?? []));
}

async function sayFaults(errors: FieldFault[]): Promise<Fault[]> {
  if (errors.length === 0) return [];
  const { labelOf, wordsOfFault } = await loadFaults();
  return errors.map(({ path, message }) => ({ path, message: wordsOfFault(message), label: labelOf(path) }));
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
