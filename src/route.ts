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
 * owner of the path's tenant. `body: "none"` takes none, an empty one or `{}`.
 */
export type Route = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  access: "key" | "ownerSession";
  body: "json" | "none";
  /** Whether a request with this body makes the service read a stranger's page: those have a limit of their own. */
  readsPage?(body: unknown): boolean;
  answer(app: App, call: Call): Promise<Reply>;
};
