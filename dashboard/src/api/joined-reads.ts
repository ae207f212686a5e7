/** Splits a URL. Reads of paths below the same tenant can be joined. */
const belowTenant = /^(.*\/dashboard\/api\/tenants\/[^/?]+)(.*)$/;

/** The most reads that the service answers in one request. */
const mostReads = 16;

/** The body of the answer. Null: the page has to read the path by itself. */
type Answer = { body: unknown } | null;
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

/** Reads a URL of the dashboard's API, together with all URLs that are read at the same moment, in one request. */
export function readJoined(url: string): Promise<Answer> {
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
      read.settle(body === undefined ? null : { body });
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
