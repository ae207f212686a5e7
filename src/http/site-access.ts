import { type RawBuilder, sql } from "kysely";
import type { Membership } from "../access/members/queries.ts";
import { isRole, type Role, roleReaches } from "../access/roles.ts";
import type { Member } from "../actor.ts";
import type { App } from "../app.ts";
import { type Executor, rows } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import type { Route } from "../route.ts";

/** The parts of a request that name its sites. */
export type Named = { params: Record<string, string>; body?: unknown };

/**
 * The message for a refused person, by the role that the route needs. Undefined for the message of the error
 * registry.
 */
const forbiddenMessage: Record<Role, string | undefined> = {
  owner: undefined,
  editor: "Only an owner or an editor may do this here. Ask an owner for that role.",
  viewer: "You are no member of this tenant. Ask one of its owners for an invitation.",
};

const ofWholeTenant = "This needs a role for the whole tenant, and yours is for single sites. Ask an owner for it.";

/** Returns the role that a member needs for a route. */
const neededFor = ({ access }: Pick<Route, "access">): Role => (isRole(access) ? access : "owner");

/** Returns the error for a person without the role that a route needs. It names no site. */
export function forbidden(route: Pick<Route, "access">) {
  const message = forbiddenMessage[neededFor(route)];
  return appError("forbidden", message === undefined ? {} : { message });
}

/**
 * Checks that a member has the role that the route needs, on each site that the request is about. Returns the sites
 * to which lists are limited; undefined if the role for the whole tenant is enough. Throws `forbidden`. For a site
 * that the member may not see, throws `not_found`, as for an unknown id.
 */
async function checkRole(
  app: App,
  { tenantId, role, siteRoles }: Membership,
  route: Route,
  named: Named,
): Promise<string[] | undefined> {
  const needed = neededFor(route);
  if (roleReaches(role, needed)) return undefined;
  const reached = siteRoles.filter((one) => roleReaches(one.role, needed)).map(({ siteId }) => siteId);
  if (reached.length === 0) throw forbidden(route);
  if (route.sites === "own") return reached;
  const sites = await sitesOf(app.db, tenantId, route, named);
  if (sites.length === 0) throw appError("forbidden", { message: ofWholeTenant });
  for (const siteId of sites) {
    if (siteId !== undefined && reached.includes(siteId)) continue;
    const isSeen = role !== null || siteRoles.some((one) => one.siteId === siteId);
    throw siteId !== undefined && isSeen ? forbidden(route) : appError("not_found");
  }
  return reached;
}

/**
 * Returns the member as the actor of a request. The actor's lists are limited to the sites that the route may show.
 * Throws what `checkRole` throws.
 */
export async function memberOn(
  app: App,
  userId: string,
  membership: Membership,
  route: Route,
  named: Named,
): Promise<Member> {
  const siteIds = await checkRole(app, membership, route, named);
  const member: Member = { kind: "user", tenantId: membership.tenantId, userId };
  return siteIds === undefined ? member : { ...member, siteIds };
}

/** Functions that find the sites of a campaign, run, group or feed, by path parameter. */
const sitesOfParameter: Record<string, (on: Executor, tenantId: string, id: string) => Promise<string[]>> = {
  siteId: async (_, __, id) => [id.toLowerCase()],
  campaignId: (on, tenantId, id) =>
    siteIds(sql`select site_id as "siteId" from campaigns where tenant_id = ${tenantId} and id = ${id}`, on),
  runId: (on, tenantId, id) =>
    siteIds(sql`select site_id as "siteId" from runs where tenant_id = ${tenantId} and id = ${id}`, on),
  groupId: (on, tenantId, id) =>
    siteIds(sql`select site_id as "siteId" from campaigns where tenant_id = ${tenantId} and group_id = ${id}`, on),
  feedId: (on, tenantId, id) =>
    siteIds(sql`select site_id as "siteId" from feeds where tenant_id = ${tenantId} and id = ${id}`, on),
};

async function siteIds(query: RawBuilder<unknown>, on: Executor): Promise<string[]> {
  return (await rows(query as RawBuilder<{ siteId: string }>, on)).map(({ siteId }) => siteId);
}

/** Returns the ids of the sites that a request is about. An id that the tenant does not have gives undefined. */
async function sitesOf(
  on: Executor,
  tenantId: string,
  { sites }: Route,
  { params, body }: Named,
): Promise<(string | undefined)[]> {
  if (typeof sites === "function") {
    return sites(body).map((id) => (typeof id === "string" ? id.toLowerCase() : undefined));
  }
  for (const [name, find] of Object.entries(sitesOfParameter)) {
    const id = params[name];
    if (id === undefined) continue;
    const found = isId(id) ? await find(on, tenantId, id) : [];
    return found.length === 0 ? [undefined] : found;
  }
  return [];
}
