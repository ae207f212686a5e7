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
  /** Aborted when nobody waits for the answer any more: the caller has left, or has had its answer. */
  signal: AbortSignal;
};

/** `body`: an object goes out as JSON, a Readable as a stream. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };

/** One operation over HTTP. Each folder lists its operations in routes.ts with `routes`, and `http/` mounts them. */
export type Route = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  /**
   * Who may call the route. `key`: a caller with an API key. A `:tenantId` in the path must be the key's tenant.
   * `ownerSession`: an owner of the path's tenant, with a session. Keys are refused. A role (`owner`, `editor` or
   * `viewer`): a member with that role or a higher one, with a session. Keys are ignored. These are the dashboard's
   * routes. http/dashboard-routes.ts has the roles for routes of /v1 in the dashboard.
   */
  access: "key" | "ownerSession" | "owner" | "editor" | "viewer";
  /**
   * The sites on which a member needs that role. Absent: the site that the path names by `siteId`, `campaignId`,
   * `groupId`, `runId` or `feedId`, or the whole tenant if the path names none. A function returns the ids of sites in
   * the body. `own`: a role on any site is enough, because the operation answers only with what `limitedTo` allows.
   */
  sites?: "own" | ((body: unknown) => unknown[]);
  /**
   * Whether the person must have proved their identity in the session within the last ten minutes. Needed for
   * everything that reveals a secret, or gives power that outlives the session. A function decides by the body, before
   * it is validated.
   */
  needsRecentSignIn: boolean | ((body: unknown) => boolean);
  /** The scope that a key needs, for `access: "key"`. If it is absent, keys with scopes are refused. */
  scope?: Scope;
  /** `json`: required. `lines`: NDJSON of at most 1 MiB, passed as a Buffer. `none`: no body, an empty one or `{}`. */
  body: "json" | "lines" | "none";
  /**
   * Returns whether a request with this body makes the service fetch a page of a website. Such requests have their own
   * limit.
   */
  readsPage?(body: unknown): boolean;
  /** Returns as how many requests a request with this body counts. Absent: as one. */
  countsAs?(body: unknown): number;
  /** Whether connections are reserved for the route, so that it works while other requests have taken all others. */
  keepsConnection?: true;
  /**
   * Whether the answer is a stream. A tenant, or a member, may have only a few streams at once. `rate_limited` is
   * answered before the operation runs.
   */
  isStream?: true | "of member";
  answer(app: App, call: Call): Promise<Reply>;
};

/**
 * A route whose `answer` reads only the parameters of its path. `answer` is a property, because the compiler lets a
 * method ask for more parameters than it gets.
 */
export type RouteOf<Path extends string> = Omit<Route, "path" | "answer"> & {
  path: Path;
  answer: (app: App, call: Call<ParamsOf<Path>>) => Promise<Reply>;
};

/** Lists routes. Each `answer` knows only the parameters of its path, and the compiler refuses others. */
export function routes<const Paths extends readonly string[]>(
  list: {
    [At in keyof Paths]: RouteOf<Paths[At]>;
  },
): Route[];
export function routes(list: Route[]): Route[] {
  return list;
}

/** A request from a reader's browser. It is not authenticated, so the operation trusts none of its fields. */
export type Visit<Params = Record<string, string>> = {
  params: Params;
  body: unknown;
  query: Record<string, unknown>;
  /** The origin of the page or worker, as the browser reports it. For a write, the site has allowed it. */
  origin: string | undefined;
  /**
   * The browser's IP address, with TRUST_PROXY as the proxy reports it. It is used only to count, and never stored or
   * logged.
   */
  address: string;
  /**
   * The URL at which browsers reach the service: PUBLIC_URL, or that of this request if it is unset. No trailing
   * slash.
   */
  base: string;
  /** A header with its lines joined by a comma; "" when it is absent. */
  header(name: string): string;
};

/** `body`: an object goes out as JSON; text and bytes go out unchanged and need a content type in `headers`. */
export type VisitReply = Omit<Reply, "body"> & { body?: object | string | Buffer };

/**
 * One operation for readers' browsers, mounted under /sdk without authentication. A path with `:siteId` serves pages
 * of that site. A write without it serves pages of any site. `limit`: the rate limit of the address for this
 * operation. `beacon`: a write that may come without an Origin and as plain text.
 */
export type PublicRoute = {
  method: "GET" | "POST";
  path: string;
  access: "public";
  limit: "read" | "write" | "file" | "beacon";
  /**
   * Whether the route also serves readers of a removed site, until they are deleted. Routes for a reader's legal
   * rights do.
   */
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
