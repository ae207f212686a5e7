import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Journal } from "./journal.ts";
import { type Mapping, mapPayload } from "./mapping.ts";
import type { Queue } from "./queue.ts";
import { isSame, isSignedByGhost } from "./signature.ts";

/** How a sender proves itself: by a token in the path, or by Ghost's signature. If both are set, both are required. */
export type Trust = { token: string | undefined; ghostSecret: string | undefined };

type Answer = { status: number; body: Record<string, unknown> };

const maxBytes = 5 * 1024 * 1024;

/** Creates the server that takes webhooks: POST /hooks/TOKEN, or POST /hooks with a signature. */
export function createReceiver(trust: Trust, mapping: Mapping, journal: Journal, queue: Queue): Server {
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
      // The disk is full, or the sender went away. The CMS may post again.
      () => response.writeHead(503, { "content-type": "application/json" }).end('{"error":"not taken, post it again"}'),
    );
  });
  server.requestTimeout = 30_000;
  return server;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname } = new URL(request.url ?? "/", "http://bridge");
    if (pathname === "/healthz") return { status: 200, body: { pending: journal.pending.size } };
    const expected = trust.token === undefined ? "/hooks" : `/hooks/${trust.token}`;
    if (!isSame(pathname, expected)) return refusal(404, "there is nothing here");
    if (request.method !== "POST") return refusal(405, "post a webhook");
    const body = await readBody(request);
    if (body === undefined) return refusal(413, "the body is over 5 MiB");
    const { ghostSecret } = trust;
    const signature = request.headers["x-ghost-signature"] as string | undefined;
    if (ghostSecret !== undefined && !isSignedByGhost(signature, body, ghostSecret))
      return refusal(401, "the signature is missing or wrong: compare the secret with Ghost's");
    return take(body);
  }

  async function take(body: Buffer): Promise<Answer> {
    const payload = parse(body);
    if (typeof payload !== "object" || payload === null || Array.isArray(payload))
      return refusal(400, "the body is no JSON object");
    const mapped = mapPayload(mapping, payload, Date.now());
    if ("faults" in mapped) return refusal(422, mapped.faults.join("; "));
    if ("ignored" in mapped) return { status: 200, body: { ignored: mapped.ignored } };
    const { post } = mapped;
    const job = { ...post, receivedMs: Date.now() };
    if (await journal.add(job)) queue.start(job);
    return { status: 202, body: { post: post.id } };
  }
}

function refusal(status: number, error: string): Answer {
  return { status, body: { error } };
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  return length > maxBytes ? undefined : Buffer.concat(chunks);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
