import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeCertificate } from "../test/worlds/certificate.ts";

/** A local newspaper with one article, over https as the fetch guard wants it. */
export type Newspaper = { articleUrl: string; certificate: string; close(): Promise<void> };

const articlePath = "/city/new-bridge-opens-on-saturday";

function articlePage(origin: string): string {
  const published = new Date(Date.now() - 10 * 60_000).toISOString();
  const article = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: "New bridge over the river opens on Saturday",
    datePublished: published,
  };
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>New bridge over the river opens on Saturday | The Demo Courier</title>
  <link rel="canonical" href="${origin}${articlePath}">
  <meta property="og:type" content="article">
  <meta property="og:title" content="New bridge over the river opens on Saturday">
  <meta property="og:description" content="After three years of work the city hands over the bridge. Trams run from noon, and the old crossing closes.">
  <meta property="og:image" content="${origin}/bridge.jpg">
  <meta property="article:published_time" content="${published}">
  <script type="application/ld+json">${JSON.stringify(article)}</script>
</head>
<body><article><h1>New bridge over the river opens on Saturday</h1><p>After three years of work the city hands over the bridge.</p></article></body>
</html>`;
}

/** Opens the newspaper on a free port of this machine, with a certificate made for this run. */
export async function openNewspaper(): Promise<Newspaper> {
  const { cert, key } = await makeCertificate("demo newspaper");
  const server = createServer({ cert, key }, (request, response) => {
    const origin = `https://${request.headers.host}`;
    if (request.url !== articlePath) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(articlePage(origin));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    articleUrl: `https://localhost:${port}${articlePath}`,
    certificate: cert,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
