import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { accountRoutes } from "../../src/http/account-routes.ts";
import { pagePaths } from "../../src/http/dashboard-page.ts";
import { dashboardRoutes } from "../../src/http/dashboard-routes.ts";
import { linesLimitBytes } from "../../src/http/mount.ts";
import { readerBodyLimitBytes } from "../../src/http/mount-public.ts";
import { bodyLimitBytes } from "../../src/http/open-server.ts";
import { createServer, publicRoutes, v1Routes } from "../../src/http/server.ts";
import { pushLimitBytes } from "../../src/http/websub-routes.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createSiteCounter } from "../../src/receipts/site-counts.ts";
import type { PublicRoute } from "../../src/route.ts";
import { createApi, openTestApp } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { siteOrigin } from "../fixtures/reader-client.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { readRaw, sendRaw } from "../http/raw.ts";
import { createFullTenant, type Ids } from "../http/two-tenants.ts";
import { readPage, tableOf } from "./pages.ts";

type Kind =
  | "`/v1`"
  | "`/dashboard/api/tenants`"
  | "imports"
  | "`/dashboard/api`, all others"
  | `\`/sdk\`, ${"reads" | "writes" | "receipts" | "scripts and links" | "preflights"}`
  | "`/websub`"
  | "pages and files of the dashboard"
  | "`/healthz`"
  | "`/readyz`"
  | "`/metrics`";

type Stated = { body: string; rate: string };

const columns = ["routes", "body", "rate limit"];
const page = await readPage("docs/limits.md");
const stated = new Map<string, Stated>(
  tableOf(unmarked(page), columns).map((cells) => [cells.routes!, { body: cells.body!, rate: cells["rate limit"]! }]),
);

/** Removes all code marks. `tableOf` removes them only from a cell that has nothing else. */
function unmarked(text: string): string {
  return text.replaceAll("`", "");
}

let app: App;
let server: FastifyInstance;
let url: string;
let publisher: Publisher;
let ids: Ids;
let cookie: string;
let readers: PublicRoute[];

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "100000", FETCH_RATE_LIMIT_PER_MINUTE: "100000" });
  server = createServer(app);
  url = await server.listen({ port: 0, host: "127.0.0.1" });
  afterFile(() => server.close());
  ({ publisher, ids } = await createFullTenant(app, createApi(url)));
  await changeFeeds(app, { id: ids.feedId }, { hubUrl: "https://hub.example/", hubTopic: "https://news.example/rss" });
  cookie = await signIn(createApi(url), ownerEmail(publisher.tenantId));
  const [receipts, counter] = [createReceiptBuffer(app), createSiteCounter(app)];
  afterFile(async () => void (await Promise.all([receipts.stop(), counter.stop()])));
  readers = publicRoutes(receipts, counter, () => {
    throw new Error("no script is served here");
  });
});

type Mounted = { method: string; path: string };

const withHead = (routes: Mounted[]) => routes.filter(({ method }) => method !== "HEAD");

/** Returns every route that the server answers. For each GET it includes HEAD, which is handled alike. */
function mountedRoutes(): Mounted[] {
  return withHead(
    server.knownRoutes.flatMap(({ methods, path }) => methods.map((method) => ({ method, path: path.join("/") }))),
  );
}

const isIn = (routes: Mounted[], { method, path }: Mounted) =>
  routes.some((route) => route.method === method && route.path === path);

const kindsOfReaders = { read: "reads", write: "writes", beacon: "receipts", file: "scripts and links" } as const;

/** Returns the row of the page that a route belongs to, or undefined if the page does not know the route. */
function kindOf(route: Mounted): Kind | undefined {
  const { method, path } = route;
  const ofTenants = dashboardRoutes(v1Routes);
  if (isIn(v1Routes, route)) return "`/v1`";
  if (
    isIn(
      ofTenants.filter(({ body }) => body === "lines"),
      route,
    )
  )
    return "imports";
  if (isIn(ofTenants, route)) return "`/dashboard/api/tenants`";
  if (isIn(accountRoutes, route)) return "`/dashboard/api`, all others";
  const ofReaders = readers.find(
    (reader) => reader.path === path && (reader.method === method || method === "OPTIONS"),
  );
  if (ofReaders !== undefined)
    return `\`/sdk\`, ${method === "OPTIONS" ? "preflights" : kindsOfReaders[ofReaders.limit]}`;
  if (path === "/websub/:feedId") return "`/websub`";
  if (["/assets/*", "/editor-worker.js", ...pagePaths].includes(path)) return "pages and files of the dashboard";
  if (path === "/healthz" || path === "/readyz" || path === "/metrics") return `\`${path}\``;
  return undefined;
}

const rowOf = (route: Mounted): Stated => stated.get(unmarked(kindOf(route) ?? ""))!;

/** Returns the path with ids of the tenant, and headers with which the route reads a body. */
function requestOf({ method, path }: Mounted): { path: string; headers: Record<string, string> } {
  const kind = kindOf({ method, path });
  const known: Record<string, string> = ids;
  const at = path.replace(/:(\w+)/g, (_, name: string) => known[name] ?? ids.keyId).replace("*", "none");
  const type = kind === "imports" ? "application/x-ndjson" : "application/json";
  const headers: Record<string, string> = method === "GET" ? {} : { "content-type": type };
  const isForOwners = v1Routes.some((route) => isIn([route], { method, path }) && route.access === "ownerSession");
  if (kind === "`/v1`" && !isForOwners) headers.authorization = `Bearer ${publisher.apiKey}`;
  else if (path.startsWith("/sdk")) headers.origin = siteOrigin;
  else headers.cookie = cookie;
  return { path: at, headers };
}

test("every route of the server has a row of the page, and every row a route", () => {
  const kinds = mountedRoutes().map((route) => ({ ...route, kind: kindOf(route) }));
  expect(kinds.filter(({ kind }) => kind === undefined)).toEqual([]);
  const named = new Set(kinds.map(({ kind }) => unmarked(kind!)));
  expect([...named].toSorted()).toEqual([...stated.keys()].toSorted());
});

const bytesOf: Record<string, number> = {
  "64 KiB": bodyLimitBytes,
  "16 KiB": readerBodyLimitBytes,
  "1 MiB": linesLimitBytes,
  "2 MiB": pushLimitBytes,
};

test("the page writes each limit of bodies as the code has it", () => {
  const inCode = Object.values(bytesOf).map((bytes) =>
    bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`,
  );
  expect(inCode).toEqual(Object.keys(bytesOf));
  const bodies = new Set([...stated.values()].map(({ body }) => body));
  expect([...bodies].toSorted()).toEqual([...Object.keys(bytesOf), "none"].toSorted());
});

/** Sends the head of a request that announces a body of `bytes` bytes. */
async function announce(route: Mounted, bytes: number): Promise<{ status: number; body: { code?: string } }> {
  const { path, headers } = requestOf(route);
  const lines = Object.entries({ host: "localhost", connection: "close", ...headers, "content-length": bytes });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return readRaw(await sendRaw(url, `${route.method} ${path} HTTP/1.1\r\n${head}\r\n`));
}

const sends = (method: string) => ["POST", "PATCH", "DELETE"].includes(method);

describe("each route that takes a body", () => {
  test("refuses one that is a byte over the limit of its row", async () => {
    const answers = [];
    for (const route of mountedRoutes().filter(({ method }) => sends(method))) {
      const { status, body } = await announce(route, bytesOf[rowOf(route).body]! + 1);
      answers.push(`${route.method} ${route.path} ${status} ${body.code}`);
    }
    expect(answers.length).toBeGreaterThan(60);
    expect(answers.filter((answer) => !answer.endsWith("413 payload_too_large"))).toEqual([]);
  });

  test("reads one of its limit, and counts it for the rate limit of its row", async () => {
    const others = [];
    for (const route of mountedRoutes().filter(({ method }) => sends(method))) {
      const { body, rate } = rowOf(route);
      const { path, headers } = requestOf(route);
      // The body is not JSON, so the request changes nothing.
      const given = { method: route.method, headers, body: Buffer.alloc(bytesOf[body]!, "[") };
      const answer = await fetch(url + path, given);
      const policy = answer.headers.get("ratelimit-policy") ?? "";
      // An import answers with the lines that it could not read. A hub's push is not signed.
      const isRead = [200, 202, 400, 404].includes(answer.status);
      if (!isRead || !namesOf(rate).some((name) => policy.includes(`"${name}"`)))
        others.push(`${route.method} ${route.path} ${answer.status} ${await answer.text()} ${policy}`);
      else await answer.body?.cancel();
    }
    expect(others).toEqual([]);
  });
});

/** Returns the names of limits in a cell such as "key, or session for an owner". */
const namesOf = (rate: string): string[] => rate.match(/\w+/g) ?? [];

test("each route that only reads counts for the rate limit of its row", async () => {
  const others = [];
  for (const route of mountedRoutes().filter(({ method }) => method === "GET")) {
    const { path, headers } = requestOf(route);
    const answer = await fetch(url + path, { headers });
    await answer.body?.cancel();
    const policy = answer.headers.get("ratelimit-policy") ?? "";
    const rate = kindOf(route) === "`/metrics`" ? "" : rowOf(route).rate;
    const isCounted = rate === "" ? policy === "" : namesOf(rate).some((name) => policy.includes(`"${name}"`));
    if (!isCounted) others.push(`${route.path} ${answer.status} ${policy}`);
  }
  expect(others).toEqual([]);
});
