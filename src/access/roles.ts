/** Permissions that better-auth knows. The routes of this service check roles instead. */
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

/** A role for one site, in addition to the role for the whole tenant. On that site, the higher of the two counts. */
export type SiteRole = { siteId: string; role: (typeof rolesOfSites)[number] };

/** What a person may do in a tenant. `role`: on all sites; null for a member of single sites only. */
export type Roles = { role: Role | null; siteRoles: SiteRole[] };

/** All roles from the lowest to the highest. Each role may do everything that the roles before it may do. */
const ranks: Role[] = ["viewer", "editor", "owner"];

export function isRole(text: string): text is Role {
  return (ranks as string[]).includes(text);
}

/**
 * Returns the role on a site: the higher of the role for the whole tenant and the role for the site. Null if there is
 * neither.
 */
export function roleOn({ role, siteRoles }: Roles, siteId: string): Role | null {
  const onSite = siteRoles.find((one) => one.siteId === siteId)?.role ?? null;
  return onSite === null || roleReaches(role, onSite) ? role : onSite;
}

/** Returns whether `role` is `needed` or a higher role. */
export function roleReaches(role: Role | null, needed: Role): boolean {
  return role !== null && ranks.indexOf(role) >= ranks.indexOf(needed);
}
