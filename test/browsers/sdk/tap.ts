import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterFile } from "../../worlds/cleanup.ts";

/** What a browser told the service. */
export type Told = {
  method: string;
  path: string;
  origin: string | undefined;
  type: string | undefined;
  body: unknown;
};

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

export async function readTold(request: IncomingMessage, path: string): Promise<Told> {
  const body = await text(request);
  const { origin, "content-type": type } = request.headers;
  return { method: request.method!, path, origin, type, body: body === "" ? undefined : JSON.parse(body) };
}

/** The bodies of what was told under paths with this end, in their order. */
export function toldAt({ told }: { told: Told[] }, end: string): unknown[] {
  return told.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
}
