import { parse } from "node:querystring";
import { Readable } from "node:stream";
import { type Membership, membershipInTenant } from "../access/members/queries.ts";
import { memberOf } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import type { Call, Route } from "../route.ts";
import { refuseUnstorableText } from "./json-body.ts";
import { memberOn } from "./site-access.ts";

/** The most reads of one request. It is more than a page of the dashboard reads at a time. */
const mostReads = 16;

type Read = { route: Route; pattern: RegExp };

/**
 * The answer to one of the paths. `at`: the path's place in the request. If `body` is absent, the page requests that
 * path alone.
 */
type Line = { at: number; body?: unknown };

/**
 * Creates the route that answers several GET requests of the dashboard at once, so that a page needs one round trip.
 * Its query has `path` at most 16 times, each below `root`, the path of a tenant. Its lines (NDJSON) come in the
 * order in which the reads end. It reads with the routes of `all` that the member's roles reach. It leaves out
 * streams, files, and routes that fetch a page or need a recent sign-in.
 */
export function joinedReads(root: string, all: Route[]): Route {
  const reads = all.flatMap((route) => readOf(root, route));
  return {
    method: "GET",
    path: `${root}/reads`,
    access: "viewer",
    sites: "own",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      const { userId, tenantId } = memberOf(call);
      const paths = pathsOf(call.query);
      const membership = await membershipInTenant(app.db, userId, tenantId);
      if (membership === undefined) throw appError("forbidden");
      // The copy reads `signal`, which listens to the connection, once for all reads.
      const shared = { ...call };
      const lines = asTheyEnd(paths.map((path, at) => answerTo(app, shared, { userId, membership, reads }, path, at)));
      return { status: 200, headers: { "content-type": "application/x-ndjson" }, body: Readable.from(lines) };
    },
  };
}

function readOf(root: string, route: Route): Read[] {
  const { method, path, access, isStream, readsPage, needsRecentSignIn } = route;
  if (method !== "GET" || access === "key" || access === "ownerSession") return [];
  // A path with a dot is a file.
  if (isStream || readsPage !== undefined || needsRecentSignIn !== false || path.includes(".")) return [];
  const below = path.slice(root.length).replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return [{ route, pattern: new RegExp(`^${below}$`) }];
}

/** Returns the paths to answer. A page requests each path without a line alone. */
function pathsOf(query: unknown): string[] {
  const { path = [] } = query as { path?: string | string[] };
  return [path].flat().slice(0, mostReads);
}

/**
 * Answers one path. Leaves an error to the request for that path alone, because an error has its own status and
 * headers.
 */
async function answerTo(
  app: App,
  call: Call,
  { userId, membership, reads }: { userId: string; membership: Membership; reads: Read[] },
  path: string,
  at: number,
): Promise<Line> {
  const [pathname = "", search = ""] = path.split(/\?(.*)/s);
  const read = reads.find(({ pattern }) => pattern.test(pathname));
  if (read === undefined) return { at };
  const params = { ...read.pattern.exec(pathname)!.groups, tenantId: call.params.tenantId! };
  const query = parse(search);
  try {
    refuseUnstorableText(query);
    const actor = await memberOn(app, userId, membership, read.route, { params });
    const { status, body } = await read.route.answer(app, { ...call, actor, params, query });
    return status === 200 ? { at, body } : { at };
  } catch {
    return { at };
  }
}

async function* asTheyEnd(answers: Promise<Line>[]): AsyncGenerator<string> {
  const open = new Map(answers.map((answer, at) => [at, answer]));
  while (open.size > 0) {
    const line = await Promise.race(open.values());
    open.delete(line.at);
    yield `${JSON.stringify(line)}\n`;
  }
}
