/** What a member of a tenant may do beside reading. */
export type Permission = "manageApiKeys";

/** An owner may do everything, an editor writes and sends, a viewer reads. API keys and operators are no roles. */
export const permissionsOf = {
  owner: ["manageApiKeys"],
  editor: [],
  viewer: [],
} as const satisfies Record<string, Permission[]>;

export type Role = keyof typeof permissionsOf;

/** From the least to the most: each may do what those before it may. */
const ranks: Role[] = ["viewer", "editor", "owner"];

export function isRole(text: string): text is Role {
  return (ranks as string[]).includes(text);
}

/** Whether `role` is `needed` or more. */
export function roleReaches(role: Role, needed: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(needed);
}
