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

/** From the lowest to the highest: each role may do what the ones before it may. */
const ranks: Role[] = ["viewer", "editor", "owner"];

export function isRole(text: string): text is Role {
  return (ranks as string[]).includes(text);
}

/** Whether `role` is `needed` or a higher one. */
export function roleReaches(role: Role, needed: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(needed);
}
