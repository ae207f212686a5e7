import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterFile } from "../../fixtures/cleanup.ts";

/** A POST of a browser to the service. */
export type RecordedPost = { path: string; origin: string | undefined; type: string | undefined; body: unknown };

/** A reverse proxy in front of the service that records POSTs. It uses a path prefix, as operators configure it. */
export type RecordingProxy = {
  base: string;
  /** The POSTs, in order. */
  posts: RecordedPost[];
  /** While true, every connection is closed. */
  isDown: boolean;
  /** While set, every POST gets this answer instead of the service's. */
  refusal: { status: number; message: string } | undefined;
};

const prefix = "/push";

/** Starts a recording proxy. It calls `target` for each request, to get the service's address. */
export async function startRecordingProxy(target: () => string): Promise<RecordingProxy> {
  const proxy: RecordingProxy = { base: "", posts: [], isDown: false, refusal: undefined };
  const origin = await listen("127.0.0.1", async (request, response) => {
    const body = await text(request);
    if (proxy.isDown) return response.socket?.destroy();
    const path = request.url!.slice(prefix.length);
    if (request.method === "POST") record(proxy, request, path, body);
    const isRefused = proxy.refusal !== undefined && request.method === "POST";
    const answer = isRefused
      ? refuse(proxy.refusal!, request)
      : await forward(request, target() + path, body).catch(() => badGateway);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.bytes);
  });
  proxy.base = origin + prefix;
  return proxy;
}

/** Returns the bodies of recorded POSTs whose path ends with `end`, in order. */
export function bodiesPostedTo({ posts }: { posts: RecordedPost[] }, end: string): unknown[] {
  return posts.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
}

/** Listens on loopback until the file's last test has ended. `host` is the host name of the origin that it returns. */
export async function listen(
  host: string,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterFile(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

function record({ posts }: RecordingProxy, { headers }: IncomingMessage, path: string, body: string): void {
  posts.push({ path, origin: headers.origin, type: headers["content-type"], body: JSON.parse(body) });
}

type ProxiedAnswer = { status: number; headers: Record<string, string>; bytes: Buffer };

function refuse({ status, message }: NonNullable<RecordingProxy["refusal"]>, { headers }: IncomingMessage) {
  const bytes = Buffer.from(JSON.stringify({ code: "refused", message }));
  const cors = { "access-control-allow-origin": headers.origin ?? "null" };
  return { status, headers: { "content-type": "application/json", ...cors }, bytes };
}

/**
 * The answer while the service of a file has stopped. A page can still send requests then, and the file must not fail.
 */
const badGateway: ProxiedAnswer = { status: 502, headers: {}, bytes: Buffer.from("") };

async function forward({ method, headers }: IncomingMessage, url: string, body: string): Promise<ProxiedAnswer> {
  const names = ["origin", "content-type", "access-control-request-method", "access-control-request-headers"];
  const passed = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const answer = await fetch(url, {
    method: method!,
    headers: Object.fromEntries(passed),
    ...(body === "" ? {} : { body }),
  });
  // These headers are dropped. fetch has decompressed the body, and a browser that caches an answer would not see later
  // changes of a test.
  const dropped = new Set([
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "connection",
    "cache-control",
    "etag",
  ]);
  const kept = [...answer.headers].filter(([name]) => !dropped.has(name));
  return { status: answer.status, headers: Object.fromEntries(kept), bytes: Buffer.from(await answer.arrayBuffer()) };
}
