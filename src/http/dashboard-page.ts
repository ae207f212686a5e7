import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";

/** The output folder of dashboard/build.ts, with a slash at its end. */
export const builtFolder = fileURLToPath(new URL("../../dashboard/dist/", import.meta.url));

/** Every path that serves the dashboard's HTML page. The page's own router then chooses what to show. */
export const pagePaths = [
  "/",
  "/sign-in",
  // Paths that people type.
  "/login",
  "/dashboard",
  "/set-up",
  "/invitation",
  "/forgotten",
  "/new-password",
  "/account",
  "/sites/*",
];

const oneYearSeconds = 365 * 24 * 60 * 60;

const notBuilt = `<!doctype html><html lang="en"><title>Pressbell</title><h1>The dashboard is not built</h1>
<p>Run <code>npm start</code>, which builds it first, or <code>npm run build</code>, then reload this page.
The API works without it.</p></html>`;

/**
 * Serves the built dashboard in `folder`: its assets and its page. Browsers revalidate the page. It has a nonce for
 * the styles that Mantine writes at runtime. Without a build, the page says how to make one.
 */
export function mountDashboardPage(server: FastifyInstance, app: App, folder: string): void {
  server.register(async (scope) => assets(scope, `${folder}assets`));
  // The worker is next to the page and not below assets/, because its folder is the widest scope that a worker may
  // have.
  server.get("/editor-worker.js", { exposeHeadRoute: true }, async (_request, reply) => {
    const worker = await readFile(`${folder}editor-worker.js`, "utf8").catch(() => undefined);
    if (worker === undefined) throw appError("not_found");
    return reply.type("text/javascript; charset=utf-8").header("cache-control", "no-cache").send(worker);
  });
  const base = basePath(app.config.PUBLIC_URL);
  for (const path of pagePaths) {
    server.get(path, { exposeHeadRoute: true }, async (_request, reply) => sendPage(reply, folder, base));
  }
}

/** Headers that protect pages. A first load has a dozen files, and on a slow line each of them takes 3 ms for these. */
const headersOfPages = ["content-security-policy", "x-frame-options", "referrer-policy", "cross-origin-opener-policy"];

/** Serves the files of `root` with a lifetime of a year, because their names contain their hash. */
async function assets(scope: FastifyInstance, root: string): Promise<void> {
  // A path that leads out of the folder, a malformed path and a precondition that fails are all answered 404.
  scope.setErrorHandler((error: FastifyError) => {
    throw (error.statusCode ?? 500) < 500 ? appError("not_found") : error;
  });
  await scope.register(fastifyStatic, {
    root,
    prefix: "/assets/",
    index: false,
    decorateReply: false,
    acceptRanges: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply) => {
      for (const name of headersOfPages) reply.removeHeader(name);
      reply.header("cache-control", `public, max-age=${oneYearSeconds}, immutable`);
    },
  });
}

async function sendPage(reply: FastifyReply, folder: string, base: string): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString("base64");
  const page = await readFile(`${folder}index.html`, "utf8").catch(() => undefined);
  reply.type("text/html; charset=utf-8").header("content-security-policy", policyWith(nonce));
  if (page === undefined) return reply.code(503).send(notBuilt);
  const named = `<base href="${base}"><meta name="csp-nonce" content="${nonce}">`;
  const withNonce = page.replace("<head>", `<head>${named}`).replace("<style>", `<style nonce="${nonce}">`);
  return reply.header("cache-control", "no-cache").send(withNonce);
}

/**
 * Returns a policy that allows no inline script. It allows styles from our own files, and styles with this answer's
 * nonce.
 */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // Images of stories load from their own hosts.
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Returns the path of PUBLIC_URL with a slash at its end. A proxy may serve us below a path. */
function basePath(publicUrl: string | undefined): string {
  const { pathname } = new URL(publicUrl ?? "http://localhost");
  return pathname.endsWith("/") ? pathname : `${pathname}/`;
}
