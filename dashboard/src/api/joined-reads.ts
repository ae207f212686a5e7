import { loadSaidWords } from "../words/said-words.ts";

/** Splits a URL. Reads of paths below the same tenant can be joined. */
const belowTenant = /^(.*\/dashboard\/api\/tenants\/[^/?]+)(.*)$/;

/** The most reads that the service answers in one request. */
const mostReads = 16;

/** The body of the answer. Null: the page has to read the path by itself. */
export type Answer = { body: unknown } | null;
type Waiting = { path: string; settle: (answer: Answer) => void };

const waiting = new Map<string, Waiting[]>();

// A message arrives after everything that the page reads while it renders. Unlike a timer, it has no delay of its own.
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => {
  for (const [tenant, reads] of waiting) {
    while (reads.length > 0) void ask(tenant, reads.splice(0, mostReads));
  }
  waiting.clear();
};

/**
 * Reads that began before the code of the page was there, by URL. `sinceMs`: when the first of them began. Undefined
 * once the page hears of changes.
 */
let ahead: { sinceMs: number; answers: Map<string, Promise<Answer>> } | undefined = {
  sinceMs: Number.POSITIVE_INFINITY,
  answers: new Map(),
};

/** Begins a read that the page makes later, and returns its answer. The page gets the answer once. */
export function readAhead(url: string, answer = readJoined(url)): Promise<Answer> {
  if (ahead === undefined) return answer;
  ahead.sinceMs = Math.min(ahead.sinceMs, performance.now());
  ahead.answers.set(url, answer);
  return answer;
}

/** Returns when the oldest answer of the page was requested (ms, as performance.now counts). */
export const readSinceMs = () => Math.min(ahead?.sinceMs ?? Number.POSITIVE_INFINITY, performance.now());

/** Drops the answers that the page has not asked for. From now on, it hears of changes, or reads everything again. */
export function endReadingAhead(): void {
  ahead = undefined;
}

/** Reads a URL of the dashboard's API, together with all URLs that are read at the same moment, in one request. */
export function readJoined(url: string): Promise<Answer> {
  const known = ahead?.answers.get(url);
  if (known !== undefined) {
    ahead?.answers.delete(url);
    return known;
  }
  const [, tenant, path] = belowTenant.exec(url) ?? [];
  if (tenant === undefined || path === undefined) return Promise.resolve(null);
  return new Promise((settle) => {
    if (waiting.size === 0) port2.postMessage(null);
    waiting.set(tenant, [...(waiting.get(tenant) ?? []), { path, settle }]);
  });
}

async function ask(tenant: string, reads: Waiting[]): Promise<void> {
  const open = new Set(reads);
  try {
    if (reads.length === 1) return;
    const query = new URLSearchParams(reads.map(({ path }) => ["path", path]));
    const answer = await fetch(`${tenant}/reads?${query}`);
    if (!answer.ok || answer.body === null) return;
    for await (const line of linesOf(answer.body)) {
      const { at, body } = JSON.parse(line) as { at: number; body?: unknown };
      const read = reads[at]!;
      open.delete(read);
      void loadSaidWords(line).then(() => read.settle(body === undefined ? null : { body }));
    }
  } catch {
    // Each of the remaining paths is then read by itself, and gets its own error.
  } finally {
    for (const { settle } of open) settle(null);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (text + value).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}
