import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterFile } from "../cleanup.ts";

/** A publisher's website for a browser to visit: localhost counts as secure without a certificate. */
export type Site = {
  origin: string;
  /** Puts a page (or, where `path` ends in .js, a script) on the site, over what is there, and returns its URL. */
  put(path: string, content: string): string;
  /** What was asked of it, in order. */
  paths: string[];
};

/** Starts a website, on an origin that no browser has seen, until the file's last test has ended. */
export async function startSite(): Promise<Site> {
  const contents = new Map<string, string>();
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url!);
    const { pathname } = new URL(request.url!, "http://site");
    const content = contents.get(pathname);
    const type = pathname.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8";
    response.writeHead(content === undefined ? 404 : 200, { "content-type": type, "cache-control": "no-cache" });
    response.end(content ?? "<!doctype html><title>Not found</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterFile(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    paths,
    put(path, content) {
      contents.set(path, content);
      return origin + path;
    },
  };
}
