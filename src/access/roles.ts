/** What a member of a tenant may do beside reading. */
export type Permission = "manageApiKeys";

/** An owner may do everything, an editor writes and sends, a viewer reads. API keys and operators are no roles. */
export const permissionsOf = {
  owner: ["manageApiKeys"],
  editor: [],
  viewer: [],
} as const satisfies Record<string, Permission[]>;

export type Role = keyof typeof permissionsOf;

export function roleMay(role: Role, permission: Permission): boolean {
  return (permissionsOf[role] as readonly Permission[]).includes(permission);
}
