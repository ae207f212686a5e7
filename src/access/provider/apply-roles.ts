import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant } from "../../db/pool.ts";
import { AppError, appError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { maxMembers } from "../members/invitations.ts";
import { changeMember, deleteMember } from "../members/members.ts";
import { countMembers, countOwnersLocked, insertMember, roleInTenant } from "../members/queries.ts";
import type { Role } from "../roles.ts";
import { type ProviderMembership, providerMemberships } from "./queries.ts";

/**
 * Gives a person the memberships that their groups at the provider grant, and removes memberships that no group
 * grants any more. Memberships by an invitation stay as they are. A change that is refused (the last owner, a full
 * tenant) is logged.
 */
export async function applyProviderRoles(app: App, userId: string, groups: string[]): Promise<void> {
  for (const membership of await providerMemberships(app.db, userId, groups)) {
    const { tenantId } = membership;
    await apply(app, userId, membership).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      app.log.warn({ tenantId, userId, reason: error.code }, "a role of the provider's groups was not applied");
    });
  }
}

async function apply(app: App, userId: string, { tenantId, role, wanted }: ProviderMembership): Promise<void> {
  const provider = { kind: "provider", tenantId } as const;
  if (wanted === null) await deleteMember(app, provider, { userId });
  else if (role === null) await join(app, { userId, tenantId, role: wanted });
  else await changeMember(app, provider, { userId, body: { role: wanted } });
}

function join(app: App, { userId, tenantId, role }: { userId: string; tenantId: string; role: Role }): Promise<void> {
  return inTenant(app.db, tenantId, async (tx) => {
    // Locks the tenant. If a person signs in twice at once, the second sign-in sees the membership of the first.
    await countOwnersLocked(tx, tenantId);
    if ((await roleInTenant(tx, userId, tenantId)) !== undefined) return;
    if ((await countMembers(tx, tenantId, "")) >= maxMembers) throw appError("member_limit");
    await insertMember(tx, { id: newId(), tenantId, userId, role, fromProvider: true });
    const event = { subjectId: userId, details: { role, by: "single sign-on" } };
    await recordAuditEvent(tx, { kind: "provider", tenantId }, "member.joined", event);
  });
}
