import type { Actor } from "./actor.ts";
import type { App } from "./app.ts";
import type { Scope } from "./scope.ts";

/** The parameters of a path by name: those of `/sites/:siteId/feeds/:feedId` are `siteId` and `feedId`. */
export type ParamsOf<Path extends string> = string extends Path
  ? Record<string, string>
  : { [Name in NamesIn<Path>]: string };

type NamesIn<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Others}`
    ? Name | NamesIn<`/${Others}`>
    : Rest
  : never;

/** An authenticated request. `http/` has checked its identity, rate limit, body format and the tenant of its path. */
export type Call<Params = Record<string, string>> = {
  actor: Actor;
  params: Params;
  /** The parsed JSON, undefined without a body. The operation validates its fields. */
  body: unknown;
  /** The parameters of the query: each a string, or a list of strings when given twice. */
  query: unknown;
  /** All lines of a header, unmerged: an operation may refuse a header that was sent twice. */
  headerLines(name: string): string[];
  /** Aborted once nobody waits for the answer any more: the caller is gone, or has had its answer. */
  signal: AbortSignal;
};

/** `body`: an object goes out as JSON, a Readable as a stream. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };

/** One operation over HTTP. Each folder lists its own in routes.ts with `routes`, and `http/` mounts them. */
export type Route = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /**
   * `key`: needs an API key; a `:tenantId` in the path must be the key's. `ownerSession`: needs the session of an owner
   * of the path's tenant, and refuses a key. A role: needs the session of a member with that role or a higher one, and
   * ignores keys; these are the dashboard's routes. The roles for routes of /v1 in the dashboard are in
   * http/dashboard-routes.ts.
   */
  access: "key" | "ownerSession" | "owner" | "editor" | "viewer";
  /**
   * On which sites a member needs that role. Absent: on the site that the path names by `siteId`, `campaignId`, `groupId`,
   * `runId` or `feedId`, or for the whole tenant if the path names none. A function returns the ids of sites in the body.
   * `own`: the operation answers only with what `limitedTo` leaves, so a role on any site is enough.
   */
  sites?: "own" | ((body: unknown) => unknown[]);
  /**
   * Whether a session must have proved its person's identity in the last ten minutes: for all that reveals a secret, or
   * gives power that outlives the session. A function decides by the body, before it is validated.
   */
  needsRecentSignIn: boolean | ((body: unknown) => boolean);
  /** What a key must be allowed to do, for `access: "key"`. A route without it is refused to keys with scopes. */
  scope?: Scope;
  /** `json`: required. `lines`: NDJSON of at most 1 MiB, passed as a Buffer. `none`: no body, an empty one or `{}`. */
  body: "json" | "lines" | "none";
  /** Whether a request with this body makes the service fetch a page of a website. Those have a limit of their own. */
  readsPage?(body: unknown): boolean;
  /** As how many requests one with this body counts for the limits of requests. Absent: as one. */
  countsAs?(body: unknown): number;
  /** Whether connections are reserved for it, so that it works while other requests have taken all others. */
  keepsConnection?: true;
  /** Its answer is a stream, of which a tenant, or a member, has so many at once: `rate_limited` comes before the operation. */
  isStream?: true | "of member";
  answer(app: App, call: Call): Promise<Reply>;
};

/**
 * A route whose `answer` reads no other parameters than its path has. `answer` is a property, as the compiler lets a
 * method ask for more than it gets.
 */
export type RouteOf<Path extends string> = Omit<Route, "path" | "answer"> & {
  path: Path;
  answer: (app: App, call: Call<ParamsOf<Path>>) => Promise<Reply>;
};

/** Lists routes, of which each `answer` knows the parameters of its path: the compiler refuses others. */
export function routes<const Paths extends readonly string[]>(
  list: {
    [At in keyof Paths]: RouteOf<Paths[At]>;
  },
): Route[];
export function routes(list: Route[]): Route[] {
  return list;
}

/** A request of a reader's browser. It is not authenticated, so the operation trusts none of its fields. */
export type Visit<Params = Record<string, string>> = {
  params: Params;
  body: unknown;
  query: Record<string, unknown>;
  /** The origin of the page or worker, as the browser names it. For a write, the site has allowed it. */
  origin: string | undefined;
  /**
   * The browser's IP address, with TRUST_PROXY as the proxy names it. Only to count by: it is never stored or logged.
   */
  address: string;
  /** The URL at which browsers reach the service: PUBLIC_URL, else that of this request. No slash at its end. */
  base: string;
  /** A header with its lines joined by a comma; "" when it is absent. */
  header(name: string): string;
};

/** `body`: an object goes out as JSON; text and bytes go out unchanged and need a content type in `headers`. */
export type VisitReply = Omit<Reply, "body"> & { body?: object | string | Buffer };

/**
 * One operation for readers' browsers, mounted under /sdk without authentication. A path with `:siteId` is for pages of
 * that site, a write without one for pages of any site. `limit`: the rate limit of the address that it counts for. A
 * `beacon` is a write that may come without an Origin and as plain text.
 */
export type PublicRoute = {
  method: "GET" | "POST";
  path: string;
  access: "public";
  limit: "read" | "write" | "file" | "beacon";
  /** Whether it answers readers of a site that was removed, until they are deleted: what is a right of theirs does. */
  ofRemovedSite?: true;
  answer(app: App, visit: Visit): Promise<VisitReply>;
};

type PublicRouteOf<Path extends string> = Omit<PublicRoute, "path" | "answer"> & {
  path: Path;
  answer: (app: App, visit: Visit<ParamsOf<Path>>) => Promise<VisitReply>;
};

/** Lists routes for readers' browsers, as `routes` does. */
export function readersRoutes<const Paths extends readonly string[]>(
  list: {
    [At in keyof Paths]: PublicRouteOf<Paths[At]>;
  },
): PublicRoute[];
export function readersRoutes(list: PublicRoute[]): PublicRoute[] {
  return list;
}
