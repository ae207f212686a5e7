import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { startPageServer, trust } from "../egress/page-world.ts";
import { makeCertificate } from "./certificate.ts";
import { afterFile } from "./cleanup.ts";
import { articleHtml } from "./newspaper.ts";

export type FeedAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A newspaper with feeds, on loopback over HTTPS, that answers as a test wants it to, well or badly. */
export type FeedServer = {
  origin: string;
  /** The entry of ALLOW_HOSTS that lets the guard through. */
  allowHost: string;
  /** Its certificate, for a process that is to trust it; PEM. */
  certificate: string;
  /** What was asked of each path, in order. */
  asked(path: string): { method: string; headers: IncomingHttpHeaders; body: string }[];
  /** Answers `path` so from now on; a text is a body of a feed with status 200. */
  serve(path: string, answer: FeedAnswer | string, headers?: Record<string, string>): void;
  /** Publishes an article and returns its URL. */
  publish(path: string, title?: string, html?: string): string;
};

/** Starts a feed server that is closed after the file's last test. */
export async function startFeedServer(): Promise<FeedServer> {
  const certificate = await makeCertificate("feeds");
  trust(certificate);
  const answers = new Map<string, FeedAnswer>();
  const requests: { path: string; method: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = await startPageServer(certificate, async (request, response) => {
    const path = request.url ?? "";
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ path, method: request.method!, headers: request.headers, body });
    const answer = answers.get(path);
    if (answer !== undefined) answer(request, response);
    else response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><title>Not found</title>");
  });
  afterFile(server.close);
  const origin = `https://localhost:${server.port}`;
  return {
    origin,
    allowHost: `localhost:${server.port}`,
    certificate: certificate.cert,
    asked: (path) => requests.filter((request) => request.path === path),
    serve(path, answer, headers = {}) {
      answers.set(path, typeof answer === "string" ? answerWith(answer, headers) : answer);
    },
    publish(path, title = `Story at ${path}`, html = articleHtml(title)) {
      answers.set(path, answerWith(html, { "content-type": "text/html; charset=utf-8" }));
      return origin + path;
    },
  };
}

/** 200 with this body, as a feed unless `headers` say otherwise. */
export function answerWith(body: string | Buffer, headers: Record<string, string> = {}): FeedAnswer {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/rss+xml", ...headers }).end(body);
  };
}

export type FeedItem = {
  link?: string;
  guid?: string;
  title?: string;
  date?: string;
  categories?: string[];
  more?: string;
};

/** An RSS 2.0 feed of these items. */
export function rss(items: FeedItem[], channel = ""): string {
  const element = (name: string, text: string | undefined) => (text === undefined ? "" : `<${name}>${text}</${name}>`);
  const body = items.map(
    ({ link, guid, title, date, categories = [], more = "" }) =>
      `<item>${element("title", title)}${element("link", link)}${guid === undefined ? "" : `<guid isPermaLink="false">${guid}</guid>`}` +
      `${element("pubDate", date)}${categories.map((category) => element("category", category)).join("")}${more}</item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>The Herald</title>${channel}${body.join("\n")}</channel></rss>`;
}
