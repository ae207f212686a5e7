import { parse } from "node:querystring";
import { Readable } from "node:stream";
import { roleInTenant } from "../access/members/queries.ts";
import { type Role, roleReaches } from "../access/roles.ts";
import { memberOf } from "../actor.ts";
import type { App } from "../app.ts";
import type { Call, Route } from "../route.ts";
import { refuseUnstorableText } from "./json-body.ts";

/** More than a page of the dashboard reads at a time. */
const mostReads = 16;

const root = "/dashboard/api/tenants/:tenantId";

type Read = { route: Route; access: Role; pattern: RegExp };

/** The answer to one of the paths, by its place in the request. Without `body` the page asks for that path alone. */
type Line = { at: number; body?: unknown };

/**
 * Creates the route that answers several GET requests of the dashboard at once: `path`, once or more, each below the
 * tenant. Its lines (NDJSON) come in the order in which the reads end. A slow line then needs one round trip for a page.
 * `all`: the routes among which it finds them. Those that stream, fetch a page or ask for the password are not among them.
 */
export function joinedReads(all: Route[]): Route {
  const reads = all.flatMap(readOf);
  return {
    method: "GET",
    path: `${root}/reads`,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      const { userId, tenantId } = memberOf(call);
      const paths = pathsOf(call.query);
      const role = await roleInTenant(app.db, userId, tenantId);
      const allowed = reads.filter(({ access }) => role !== undefined && roleReaches(role, access));
      const { actor, params, headerLines, signal } = call;
      const shared = { actor, params, headerLines, signal, body: undefined };
      const lines = asTheyEnd(paths.map((path, at) => answerTo(app, shared, allowed, path, at)));
      return { status: 200, headers: { "content-type": "application/x-ndjson" }, body: Readable.from(lines) };
    },
  };
}

function readOf(route: Route): Read[] {
  const { method, path, access, isStream, readsPage, needsRecentSignIn } = route;
  if (method !== "GET" || access === "key" || access === "ownerSession") return [];
  // A path with a dot is a file.
  if (isStream || readsPage !== undefined || needsRecentSignIn !== false || path.includes(".")) return [];
  const below = path.slice(root.length).replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return [{ route, access, pattern: new RegExp(`^${below}$`) }];
}

/** The paths that are answered. A page asks by themselves for what has no line. */
function pathsOf(query: unknown): string[] {
  const { path = [] } = query as { path?: string | string[] };
  return [path].flat().slice(0, mostReads);
}

/** An error is left to the request for that path alone: it has a status of its own, and headers. */
async function answerTo(app: App, call: Omit<Call, "query">, reads: Read[], path: string, at: number): Promise<Line> {
  const [pathname = "", search = ""] = path.split(/\?(.*)/s);
  const read = reads.find(({ pattern }) => pattern.test(pathname));
  if (read === undefined) return { at };
  const params = { ...read.pattern.exec(pathname)!.groups, tenantId: call.params.tenantId! };
  const query = parse(search);
  try {
    refuseUnstorableText(query);
    const { actor, headerLines, signal } = call;
    const { status, body } = await read.route.answer(app, {
      actor,
      params,
      body: undefined,
      query,
      headerLines,
      signal,
    });
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
