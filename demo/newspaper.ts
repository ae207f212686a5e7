import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificate } from "../test/fixtures/certificate.ts";

/** A local newspaper with one article and a feed, over https because the fetch guard requires it. */
export type Newspaper = {
  articleUrl: string;
  feedUrl: string;
  /** The address to which a POST with a headline publishes an article. The feed then announces the article. */
  publishUrl: string;
  certificate: string;
  close(): Promise<void>;
};

type Article = { path: string; title: string; summary: string; publishedMs: number };

/** The article that the newspaper starts with. */
export const story: Article = {
  path: "/city/new-bridge-opens-on-saturday",
  title: "New bridge over the river opens on Saturday",
  summary:
    "After three years of work the city hands over the bridge. Trams run from noon, and the old crossing closes.",
  publishedMs: Date.now() - 10 * 60_000,
};

/**
 * Returns the HTML of an article on the website at `origin`. `snippet`: the script tag that installs Pressbell, if
 * any.
 */
export function articlePage(origin: string, { path, title, summary, publishedMs }: Article, snippet = ""): string {
  const published = new Date(publishedMs).toISOString();
  const article = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: title,
    datePublished: published,
  };
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escaped(title)} | The Demo Courier</title>
  <link rel="canonical" href="${origin}${path}">
  <link rel="alternate" type="application/rss+xml" title="The Demo Courier" href="/feed.xml">
  <meta property="og:type" content="article">
  <meta property="og:title" content="${escaped(title)}">
  <meta property="og:description" content="${escaped(summary)}">
  <meta property="og:image" content="${origin}/bridge.png">
  <meta property="article:published_time" content="${published}">
  <script type="application/ld+json">${JSON.stringify(article).replaceAll("<", "\\u003c")}</script>
  <link rel="icon" href="data:,">
  <style>
    :root { color-scheme: light dark; }
    body { max-width: 40rem; margin: 3rem auto; padding: 0 1.25rem; font: 1.125rem/1.6 Georgia, "DejaVu Serif", serif; }
    h1 { line-height: 1.15; }
  </style>
</head>
<body><article><h1>${escaped(title)}</h1><p>${escaped(summary)}</p></article>
${snippet}</body>
</html>`;
}

function feed(origin: string, articles: Article[]): string {
  const items = articles.map(
    ({ path, title, publishedMs }) =>
      `<item><title>${escaped(title)}</title><link>${origin}${path}</link><guid>${origin}${path}</guid>` +
      `<pubDate>${new Date(publishedMs).toUTCString()}</pubDate></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>The Demo Courier</title><link>${origin}</link>
${items.join("\n")}
</channel></rss>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

async function publish(request: IncomingMessage, articles: Article[]): Promise<Article> {
  let title = "";
  for await (const chunk of request) title += chunk;
  const article = {
    path: `/city/story-${articles.length}`,
    title: title.trim().slice(0, 200) || "Something has happened",
    summary: "What is known of it so far.",
    publishedMs: Date.now(),
  };
  articles.unshift(article);
  return article;
}

/** Starts the newspaper on a free port of localhost, with a new certificate. */
export async function openNewspaper(): Promise<Newspaper> {
  const certificate = await createCertificate("demo newspaper");
  const articles = [story];
  const picture = await readFile(new URL("bridge.png", import.meta.url));
  const server = createServer(certificate, async (request, response) => {
    const origin = `https://${request.headers.host}`;
    const send = (type: string, body: string) =>
      response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
    const article = articles.find(({ path }) => path === request.url);
    if (article !== undefined) send("text/html", articlePage(origin, article));
    else if (request.url === "/bridge.png") response.writeHead(200, { "content-type": "image/png" }).end(picture);
    else if (request.url === "/feed.xml") send("application/rss+xml", feed(origin, articles));
    else if (request.url === "/desk" && request.method === "POST") {
      send("text/plain", `${origin}${(await publish(request, articles)).path}\n`);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    articleUrl: origin + story.path,
    feedUrl: `${origin}/feed.xml`,
    publishUrl: `${origin}/desk`,
    certificate: certificate.cert,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
