import { startPageServer, trust } from "../egress/page-world.ts";
import { makeCertificate } from "./certificate.ts";
import { afterFile } from "./cleanup.ts";

/** A publisher's website on loopback over HTTPS, for this process to read: its articles, and nothing else. */
export type Newspaper = {
  /** The entry of ALLOW_HOSTS that lets the guard through. */
  allowHost: string;
  /** Publishes a page and returns its URL; without `html` a sound article under that title. */
  publish(title: string, html?: string): string;
  /** A URL of it where nothing is. */
  missing: string;
  /** What was asked of it, in order. */
  paths: string[];
};

/** Starts a newspaper that is closed after the file's last test. */
export async function startNewspaper(): Promise<Newspaper> {
  const certificate = await makeCertificate("newspaper");
  trust(certificate);
  const pages = new Map<string, string>();
  const server = await startPageServer(certificate, (request, response) => {
    const html = pages.get(request.url ?? "");
    response.writeHead(html === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" });
    response.end(html ?? "<!doctype html><title>Not found</title>");
  });
  afterFile(server.close);
  const origin = `https://localhost:${server.port}`;
  return {
    allowHost: `localhost:${server.port}`,
    missing: `${origin}/missing`,
    paths: server.paths,
    publish(title, html = articleHtml(title)) {
      const path = `/2027/story-${pages.size + 1}`;
      pages.set(path, html);
      return origin + path;
    },
  };
}

/** An article that says of itself all that the decision looks for. */
export function articleHtml(title: string, published = new Date()): string {
  return `<!doctype html><html lang="en"><head><title>${title} | Herald</title>
    <meta property="og:type" content="article"><meta property="og:title" content="${title}">
    <meta property="og:description" content="What is known of it so far.">
    <meta property="og:image" content="https://images.example.com/story.jpg">
    <meta property="article:published_time" content="${published.toISOString()}"></head>
    <body><h1>${title}</h1><p>It happened this morning.</p></body></html>`;
}
