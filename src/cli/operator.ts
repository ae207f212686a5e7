import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { type AppError, appError } from "../errors.ts";
import { feedById } from "../feeds/queries.ts";
import { isId } from "../ids.ts";
import { tenantOfRun } from "../runs/queries.ts";
import { tenantById } from "../tenants/queries.ts";
import { siteById } from "../tenants/sites/queries.ts";

/** Whoever sits at the machine may touch every tenant, but one at a time: that of what they named. */
export type Operator = Extract<Actor, { kind: "operator" }>;

/** An option's value or an operand, as it was typed. */
type Typed = string | boolean | undefined;

/** The operator of the tenant with the id that was typed. Throws `not_found`. */
export async function operatorOfTenant(app: App, typed: Typed): Promise<{ actor: Operator }> {
  const tenantId = idOf("tenant", typed);
  if ((await tenantById(app.db, tenantId)) === undefined) throw unknown("tenant", tenantId);
  return { actor: { kind: "operator", tenantId } };
}

/** The operator of the tenant whose site was typed, and the site's id. Throws `not_found`. */
export async function operatorOfSite(app: App, typed: Typed): Promise<{ actor: Operator; siteId: string }> {
  const siteId = idOf("site", typed);
  const site = await siteById(app.db, siteId);
  if (site === undefined) throw unknown("site", siteId);
  return { actor: { kind: "operator", tenantId: site.tenantId }, siteId };
}

/** The operator of the tenant whose run was typed, and the run's id. Throws `not_found`. */
export async function operatorOfRun(app: App, typed: Typed): Promise<{ actor: Operator; runId: string }> {
  const runId = idOf("run", typed);
  const tenantId = await tenantOfRun(app.db, runId);
  if (tenantId === undefined) throw unknown("run", runId);
  return { actor: { kind: "operator", tenantId }, runId };
}

/** The operator of the tenant whose feed was typed, and the feed's id. Throws `not_found`. */
export async function operatorOfFeed(app: App, typed: Typed): Promise<{ actor: Operator; feedId: string }> {
  const feedId = idOf("feed", typed);
  const feed = await feedById(app.db, feedId);
  if (feed === undefined) throw unknown("feed", feedId);
  return { actor: { kind: "operator", tenantId: feed.tenantId }, feedId };
}

/** The id that was typed, lower case. Throws `not_found` for what cannot be one. */
function idOf(what: string, typed: Typed): string {
  if (typeof typed !== "string" || !isId(typed)) throw unknown(what, typed);
  return typed.toLowerCase();
}

function unknown(what: string, typed: Typed): AppError {
  return appError("not_found", { message: `There is no ${what} ${typed}.` });
}
