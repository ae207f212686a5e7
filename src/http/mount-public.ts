import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import { AppError, appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type Allowance, bucketOfAddress, countRequest, refuseOverLimit } from "../rate-limits/count-requests.ts";
import { beaconLimit, readerReadLimit, readerRefusalLimit, readerWriteLimit } from "../rate-limits/limits.ts";
import { createMemoryLimit } from "../rate-limits/memory-limit.ts";
import type { PublicRoute, Visit } from "../route.ts";
import { createCompressor, sitesKeptAtMost } from "./compress.ts";
import { checkBodyHeaders, refuseUnstorableText, requireBody } from "./json-body.ts";
import { applyAllowances } from "./rate-limit-headers.ts";
import { createReaderOrigins, type ReaderOrigins } from "./reader-origins.ts";
import { createReaderPlaces } from "./reader-places.ts";

/** The largest body that a reader's browser may send. */
export const readerBodyLimitBytes = 16 * 1024;
const preflightMaxAgeSeconds = 7_200;

type WithParams = { Params: Record<string, string> };
type ReaderRequest = FastifyRequest<WithParams>;

/** The share of connections of these routes: all their statements use the connections for readers (wait-budget.ts). */
const share = "readers";

/**
 * Mounts the routes that readers' browsers call. The order of checks is: a free place, if the route reads or writes
 * the database (503), the earlier refusals of the address (429), the site (404), the origin (403), the rate limit of
 * the address (429), the body (415, 413, 400). The operation then checks fields. Only pages of the site may read an
 * answer.
 */
export function mountPublic(server: FastifyInstance, app: App, routes: PublicRoute[]): void {
  const checkOrigin = createOriginCheck(createReaderOrigins(app), app.now);
  const countInMemory = createMemoryLimit(beaconLimit, app.now);
  const takePlace = createReaderPlaces();
  const compress = createCompressor(sitesKeptAtMost, "each");
  const enter: OriginCheck = async (route, request, reply) => {
    request.waitBudget.party = `address ${bucketOfAddress(request.ip)}`;
    const { siteId } = request.params;
    if (route.limit === "read" || route.limit === "write") takePlace(reply.raw, siteId?.toLowerCase());
    await checkOrigin(route, request, reply);
  };
  const count = async (route: PublicRoute, address: string): Promise<Allowance> => {
    if (route.limit === "file" || route.limit === "beacon") return countInMemory(address);
    return countRequest(app, route.limit === "read" ? readerReadLimit : readerWriteLimit, bucketOfAddress(address));
  };
  for (const route of routes) {
    server.route<WithParams>({
      method: route.method,
      url: route.path,
      exposeHeadRoute: false,
      bodyLimit: readerBodyLimitBytes,
      config: { takesPlainText: route.limit === "beacon", share },
      onRequest: async (request, reply) => {
        await enter(route, request, reply);
        applyAllowances(reply, [await count(route, request.ip)]);
        checkBodyHeaders(request);
      },
      handler: async (request, reply) => {
        if (route.method === "POST") requireBody(request.body);
        refuseUnstorableText(request.query);
        const visit = visitOf(app, request);
        const { status, body, headers } = await route.answer(app, visit);
        reply.code(status).headers(headers ?? {});
        // All readers of a site get this answer at each visit. The answers to their writes are too short for
        // compression.
        if (route.limit !== "read" || !isJson(body)) return reply.send(body);
        const packed = compress(visit, JSON.stringify(body));
        return reply
          .headers({ "content-type": "application/json; charset=utf-8", ...packed.headers })
          .send(packed.body);
      },
    });
    if (route.path.includes(":siteId") || route.method === "POST") mountPreflight(server, enter, route);
  }
}

/** Answers the CORS preflight that a browser makes before it sends JSON to another origin. */
function mountPreflight(server: FastifyInstance, enter: OriginCheck, route: PublicRoute): void {
  server.options<WithParams>(route.path, { config: { share } }, async (request, reply) => {
    await enter(route, request, reply);
    return reply
      .code(204)
      .headers({
        "access-control-allow-methods": route.method,
        "access-control-allow-headers": "content-type",
        "access-control-max-age": String(preflightMaxAgeSeconds),
      })
      .send();
  });
}

type OriginCheck = (route: PublicRoute, request: ReaderRequest, reply: FastifyReply) => Promise<void>;

/**
 * Returns a check of the site and the origin of a request, which counts its refusals by address. An address with too
 * many refusals gets 429 before the database is asked for the site. Rate limits of readers come after this check,
 * because pages of the site must be able to read their 429.
 */
function createOriginCheck(origins: ReaderOrigins, now: () => number): OriginCheck {
  const countRefusals = createMemoryLimit(readerRefusalLimit, now);
  return async (route, request, reply) => {
    const refused = countRefusals(request.ip, 0);
    refuseOverLimit([{ ...refused, used: refused.used + 1 }]);
    try {
      await allowOrigin(origins, route, request, reply);
    } catch (error) {
      // A request that the database could not answer does not count.
      if (error instanceof AppError) countRefusals(request.ip);
      throw error;
    }
  };
}

/**
 * Lets pages of the site read the answer (CORS). Throws `not_found` for an unknown site, and `origin_not_allowed` for
 * a write from another origin. A beacon may come without an origin.
 */
async function allowOrigin(
  origins: ReaderOrigins,
  route: PublicRoute,
  request: ReaderRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers;
  const isAllowed = await mayRead(origins, request, route);
  reply.header("vary", "Origin");
  if (isAllowed) reply.header("access-control-allow-origin", origin!);
  if (isAllowed || (route.method === "GET" && request.method === "GET")) return;
  if (origin === undefined && route.limit === "beacon") return;
  throw appError("origin_not_allowed");
}

/**
 * Returns whether pages of the request's origin may read the answer. Once the site is found, the request uses the
 * database connections of the site's tenant.
 */
async function mayRead(origins: ReaderOrigins, request: ReaderRequest, route: PublicRoute): Promise<boolean> {
  const { origin } = request.headers;
  const { siteId } = request.params;
  if (siteId === undefined) {
    return route.method === "POST" && origin !== undefined && origins.isOfAnySite(origin);
  }
  const site = isId(siteId) ? await origins.ofSite(siteId, route.ofRemovedSite) : undefined;
  if (site === undefined) throw appError("not_found", { message: "There is no such site. Check the install snippet." });
  request.waitBudget.party = site.tenantId;
  return origin !== undefined && site.origins.includes(origin);
}

function isJson(body: object | string | Buffer | undefined): body is object {
  return typeof body === "object" && !Buffer.isBuffer(body);
}

function visitOf(app: App, request: ReaderRequest): Visit {
  const { siteId, ...params } = request.params;
  return {
    params: { ...params, ...(siteId === undefined ? {} : { siteId: siteId.toLowerCase() }) },
    body: request.body,
    query: request.query as Record<string, unknown>,
    origin: request.headers.origin,
    address: request.ip,
    base: publicBase(app.config, `${request.protocol}://${request.host}`),
    header: (name: string) => (request.raw.headersDistinct[name] ?? []).join(", "),
  };
}
