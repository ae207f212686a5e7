import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type AppError, appError } from "../errors.ts";
import { feedById } from "../feeds/queries.ts";
import { isId } from "../ids.ts";
import { tenantOfRun } from "../runs/queries.ts";
import { tenantById, tenantIdsByName } from "../tenants/queries.ts";
import { siteIdsByName } from "../tenants/sites/list-queries.ts";
import { siteById } from "../tenants/sites/queries.ts";
import { UsageError } from "./command.ts";

/**
 * The operator, who may act in every tenant. Each command acts in one tenant, which it finds by the id that was typed.
 */
export type Operator = Extract<Actor, { kind: "operator" }>;

/** The value of an option or an operand, as typed. */
type Typed = string | boolean | undefined;

/** Returns the operator as an actor in the tenant with this id or name. Throws `not_found` and UsageError. */
export async function operatorOfTenant(app: App, typed: Typed): Promise<{ actor: Operator }> {
  const tenantId = await idOrName("tenant", typed, (name) => tenantIdsByName(app.db, name));
  if ((await tenantById(app.db, tenantId)) === undefined) throw unknown("tenant", tenantId);
  return { actor: { kind: "operator", tenantId } };
}

/**
 * Returns the operator as an actor in the tenant of this site, and the site's id. `typed`: its id, name or host. Throws
 * `not_found` and UsageError.
 */
export async function operatorOfSite(app: App, typed: Typed): Promise<{ actor: Operator; siteId: string }> {
  const siteId = await idOrName("site", typed, (name) => siteIdsByName(app.db, name));
  const site = await siteById(app.db, siteId);
  if (site === undefined) throw unknown("site", siteId);
  return { actor: { kind: "operator", tenantId: site.tenantId }, siteId };
}

/** Returns the operator as an actor in the tenant of this run, and the run's id. Throws `not_found`. */
export async function operatorOfRun(app: App, typed: Typed): Promise<{ actor: Operator; runId: string }> {
  const runId = idOf("run", typed);
  const tenantId = await tenantOfRun(app.db, runId);
  if (tenantId === undefined) throw unknown("run", runId);
  return { actor: { kind: "operator", tenantId }, runId };
}

/** Returns the operator as an actor in the tenant of this feed, and the feed's id. Throws `not_found`. */
export async function operatorOfFeed(app: App, typed: Typed): Promise<{ actor: Operator; feedId: string }> {
  const feedId = idOf("feed", typed);
  const feed = await feedById(app.db, feedId);
  if (feed === undefined) throw unknown("feed", feedId);
  return { actor: { kind: "operator", tenantId: feed.tenantId }, feedId };
}

/** Returns the id of what was typed: an id, or a name that belongs to only one. */
async function idOrName(what: string, typed: Typed, idsOf: (name: string) => Promise<string[]>): Promise<string> {
  if (typeof typed !== "string" || isId(typed)) return idOf(what, typed);
  const [id, ...others] = await idsOf(typed);
  if (others.length > 0) throw new UsageError(`several have the name ${typed}: ${[id, ...others].join(", ")}`);
  return id ?? idOf(what, typed);
}

/** Returns the id in lower case. Throws `not_found` for a text that is not an id. */
export function idOf(what: string, typed: Typed): string {
  if (typeof typed !== "string" || !isId(typed)) throw unknown(what, typed);
  return typed.toLowerCase();
}

export function unknown(what: string, typed: Typed): AppError {
  return appError("not_found", { message: `There is no ${what} ${typed}. See pressbell ${what}s list.` });
}
