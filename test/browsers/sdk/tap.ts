import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterFile } from "../../fixtures/cleanup.ts";

/** What a browser told the service. */
export type Told = { path: string; origin: string | undefined; type: string | undefined; body: unknown };

/** A proxy before the service, under a path of its own as operators set one up, on which a test can listen. */
export type Tap = {
  base: string;
  /** The POSTs, in their order. */
  told: Told[];
  /** Cuts every connection. */
  isDown: boolean;
  /** Answers every POST in the service's place. */
  refusal: { status: number; message: string } | undefined;
};

const prefix = "/push";

/** Opens a tap; `target` is asked for the service's address once there are requests. */
export async function openTap(target: () => string): Promise<Tap> {
  const tap: Tap = { base: "", told: [], isDown: false, refusal: undefined };
  const origin = await listen("127.0.0.1", async (request, response) => {
    const body = await text(request);
    if (tap.isDown) return response.socket?.destroy();
    const path = request.url!.slice(prefix.length);
    if (request.method === "POST") note(tap, request, path, body);
    const isRefused = tap.refusal !== undefined && request.method === "POST";
    const answer = isRefused ? refuse(tap.refusal!, request) : await ask(request, target() + path, body);
    response.writeHead(answer.status, answer.headers);
    response.end(answer.bytes);
  });
  tap.base = origin + prefix;
  return tap;
}

/** The bodies of what was told under paths with this end, in their order. */
export function toldAt({ told }: { told: Told[] }, end: string): unknown[] {
  return told.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
}

/** Listens on loopback until the file's last test has ended. `host`: by which name a browser calls it. */
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

function note({ told }: Tap, { headers }: IncomingMessage, path: string, body: string): void {
  told.push({ path, origin: headers.origin, type: headers["content-type"], body: JSON.parse(body) });
}

type Passed = { status: number; headers: Record<string, string>; bytes: Buffer };

function refuse({ status, message }: NonNullable<Tap["refusal"]>, { headers }: IncomingMessage): Passed {
  const bytes = Buffer.from(JSON.stringify({ code: "refused", message }));
  const cors = { "access-control-allow-origin": headers.origin ?? "null" };
  return { status, headers: { "content-type": "application/json", ...cors }, bytes };
}

async function ask({ method, headers }: IncomingMessage, url: string, body: string): Promise<Passed> {
  const names = ["origin", "content-type", "access-control-request-method", "access-control-request-headers"];
  const passed = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const answer = await fetch(url, {
    method: method!,
    headers: Object.fromEntries(passed),
    ...(body === "" ? {} : { body }),
  });
  // Unpacked by fetch; and a browser that keeps an answer would not see what a test has changed.
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
