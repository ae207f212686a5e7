import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The content of the site once Pressbell is installed on it. */
export type Installation = {
  /** Pages and scripts by their path. */
  files: Record<string, string>;
  /** Sends the story to all subscribers. Returns the run's id. */
  nudge(): Promise<string>;
  readRun(runId: string): Promise<unknown>;
};

/** The newspaper's website for readers, over plain http, because browsers trust localhost as they trust https. */
export type ReadersSite = { url: string; install(installation: Installation): void; close(): Promise<void> };

/** Starts the site on a free port of localhost. It answers 404 until `install` is called. */
export async function openReadersSite(): Promise<ReadersSite> {
  let installed: Installation | undefined;
  const server = createServer((request, response) => {
    answer(installed, url, request, response).catch((error: Error) => response.writeHead(502).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    install(installation) {
      installed = installation;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function answer(
  installed: Installation | undefined,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url!, url);
  const runId = /^\/runs\/([\w-]+)$/.exec(pathname)?.[1];
  const json = (status: number, value: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  const file = installed?.files[pathname];
  if (request.method === "POST" && pathname === "/nudges") {
    // Any page that is open in a browser on this machine could send this request, so the origin is checked.
    if (request.headers.origin !== url) return void response.writeHead(403).end("only this page may");
    json(202, { runId: await installed!.nudge() });
  } else if (runId !== undefined && installed) json(200, await installed.readRun(runId));
  else if (file === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.");
  else {
    const type = pathname.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" }).end(file);
  }
}
