import type { Actor } from "./actor.ts";
import type { App } from "./app.ts";

/** A request that was recognised: its identity, its path and its body were checked as far as HTTP goes. */
export type Call = {
  actor: Actor;
  params: Record<string, string>;
  /** The parsed JSON; undefined where there is none. Its fields are the operation's to judge. */
  body: unknown;
  /** The parameters of the query, each a string, or a list where it was given twice. */
  query: unknown;
  /** All lines of a header, as they came: two of them are not one. */
  headerLines(name: string): string[];
};

export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };

/**
 * One operation over HTTP: each folder lists its own in routes.ts, and `http/` mounts them. `access: "key"` asks for an
 * API key; where the path has a `:tenantId` it must be the key's. `access: "ownerSession"` asks for the session of an
 * owner of the path's tenant. A role asks for the session of a member with that role or a higher one, and looks at no
 * key: the dashboard's routes. `body: "none"` takes none, an empty one or `{}`; `"lines"` takes NDJSON, at most 1 MiB,
 * and hands it on as a Buffer.
 */
export type Route = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  access: "key" | "ownerSession" | "owner" | "editor" | "viewer";
  body: "json" | "lines" | "none";
  /** Whether a request with this body makes the service read a stranger's page: those have a limit of their own. */
  readsPage?(body: unknown): boolean;
  answer(app: App, call: Call): Promise<Reply>;
};

/** A request of a reader's browser: nobody is recognised, and nothing of it is believed. */
export type Visit = {
  params: Record<string, string>;
  body: unknown;
  query: Record<string, unknown>;
  /** Of the page or worker that asks, as its browser says; for a write one that the site allows. */
  origin: string | undefined;
  /** Where browsers reach the service: PUBLIC_URL, else the address that this request came to. */
  base: string;
  /** A header, its lines joined by a comma; "" where it is absent. */
  header(name: string): string;
};

/** What a browser gets: an object goes as JSON, text and bytes as they are, with the content type in `headers`. */
export type VisitReply = Omit<Reply, "body"> & { body?: object | string | Buffer };

/**
 * One operation for readers' browsers, mounted beside /v1 without a key. A path with `:siteId` is for the pages of that
 * site, a write without one for those of any site. `limit`: which allowance of its address it uses up. A `beacon` is a
 * write that may come without an Origin and as plain text.
 */
export type PublicRoute = {
  method: "GET" | "POST";
  path: string;
  access: "public";
  limit: "read" | "write" | "file" | "beacon";
  answer(app: App, visit: Visit): Promise<VisitReply>;
};
