/** Permissions that better-auth knows of; the routes of this service ask for a role instead. */
export type Permission = "manageApiKeys";

/**
 * The roles of members: an owner may do everything, an editor writes and sends, a viewer reads. API keys and the
 * operator have no role.
 */
export const permissionsOf = {
  owner: ["manageApiKeys"],
  editor: [],
  viewer: [],
} as const satisfies Record<string, Permission[]>;

export type Role = keyof typeof permissionsOf;

/** The roles that a member can have for single sites. Owners are owners of the whole tenant. */
export const rolesOfSites = ["editor", "viewer"] as const satisfies Role[];

/** A role for one site, beside the role for the whole tenant. On the site the higher one counts. */
export type SiteRole = { siteId: string; role: (typeof rolesOfSites)[number] };

/** What somebody may do in a tenant. `role`: on all sites; null for a member of single sites only. */
export type Roles = { role: Role | null; siteRoles: SiteRole[] };

/** From the lowest to the highest: each role may do what the ones before it may. */
const ranks: Role[] = ["viewer", "editor", "owner"];

export function isRole(text: string): text is Role {
  return (ranks as string[]).includes(text);
}

/** The role on a site: the higher of that for the whole tenant and that for the site; null without both. */
export function roleOn({ role, siteRoles }: Roles, siteId: string): Role | null {
  const onSite = siteRoles.find((one) => one.siteId === siteId)?.role ?? null;
  return onSite === null || roleReaches(role, onSite) ? role : onSite;
}

/** Whether `role` is `needed` or a higher one. */
export function roleReaches(role: Role | null, needed: Role): boolean {
  return role !== null && ranks.indexOf(role) >= ranks.indexOf(needed);
}
