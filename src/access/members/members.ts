import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { inTenant, type Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { leaveIfNoMember } from "../accounts/queries.ts";
import type { Role, Roles } from "../roles.ts";
import {
  countOwnersLocked,
  deleteGivenBy,
  deleteMemberRow,
  invitationsOfTenant,
  membershipInTenant,
  membersOfTenant,
  replaceSiteRoles,
  roleInTenant,
  updateRole,
} from "./queries.ts";
import { readRoles, rolesFields } from "./wanted-roles.ts";

const roleChange = z.strictObject(rolesFields, expects("a JSON object"));

/** A member of a tenant. `fromProvider`: the groups at the provider give the membership and its `role`. */
export type MemberView = {
  userId: string;
  email: string;
  label: string;
  fromProvider: boolean;
  joinedAt: string;
} & Roles;
export type InvitationView = { invitationId: string; email: string; createdAt: string; expiresAt: string } & Roles;

/** Lists the members of the actor's tenant and its open invitations. */
export async function listMembers(
  app: App,
  actor: Actor,
): Promise<{ members: MemberView[]; invitations: InvitationView[] }> {
  const members = await membersOfTenant(app.db, actor.tenantId);
  const invitations = await invitationsOfTenant(app.db, actor.tenantId);
  return {
    members: members.map(({ joinedAt, ...member }) => ({ ...member, joinedAt: joinedAt.toISOString() })),
    invitations: invitations.map(({ id: invitationId, email, role, siteRoles, createdAt, expiresAt }) => ({
      invitationId,
      email,
      role,
      siteRoles,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
}

/**
 * Changes a member's roles to `{ role, siteRoles }`, effective from their next request. If the member is no owner
 * afterwards, their invitations and password links end. A change by the provider leaves the roles for single sites as
 * they are. Throws `not_found`, `validation_failed` and `last_owner`. Throws `provider_decides` if the provider's
 * groups give the role for the whole tenant.
 */
export async function changeMember(app: App, actor: Actor, input: { userId: string; body: unknown }): Promise<void> {
  const { role, siteRoles, details } = await readRoles(app.db, actor.tenantId, parseInput(roleChange, input.body));
  const member = { tenantId: actor.tenantId, userId: input.userId };
  await withMember(app, actor, { ...member, newRole: role }, async (tx) => {
    const present = (await membershipInTenant(tx, member.userId, member.tenantId))!;
    const isByProvider = actor.kind === "provider";
    if (present.fromProvider && !isByProvider && role !== present.role) throw appError("provider_decides");
    if (role !== present.role) await updateRole(tx, { ...member, role });
    if (!isByProvider) await replaceSiteRoles(tx, member, siteRoles);
    await recordAuditEvent(tx, actor, "member.role_changed", { subjectId: input.userId, details });
  });
}

/**
 * Removes a member from the tenant, effective from their next request. Their invitations and password links end. If
 * they belong to no other tenant, their sessions end too. Throws `not_found` and `last_owner`.
 */
export async function deleteMember(app: App, actor: Actor, input: { userId: string }): Promise<void> {
  const member = { tenantId: actor.tenantId, userId: input.userId };
  await withMember(app, actor, { ...member, newRole: null }, async (tx) => {
    await deleteMemberRow(tx, member);
    await leaveIfNoMember(tx, input.userId);
    await recordAuditEvent(tx, actor, "member.removed", { subjectId: input.userId });
  });
}

/**
 * Runs `write` for an existing member, with the tenant locked. If the member is no owner afterwards, the invitations
 * and password links that they gave out end. `newRole`: the role after the change; null for none. Throws `not_found`,
 * and `last_owner` if the tenant would be left without an owner.
 */
async function withMember(
  app: App,
  actor: Actor,
  { tenantId, userId, newRole }: { tenantId: string; userId: string; newRole: Role | null },
  write: (tx: Tx) => Promise<void>,
): Promise<void> {
  if (!isId(userId)) throw appError("not_found");
  await inTenant(app.db, tenantId, async (tx) => {
    const owners = await countOwnersLocked(tx, tenantId);
    const role = await roleInTenant(tx, userId, tenantId);
    if (role === undefined) throw appError("not_found", { message: "This person is no member any more." });
    if (role === "owner" && newRole !== "owner" && owners === 1) throw appError("last_owner");
    await write(tx);
    if (newRole === "owner") return;
    for (const subjectId of await deleteGivenBy(tx, { tenantId, userId })) {
      await recordAuditEvent(tx, actor, "invitation.withdrawn", { subjectId });
    }
  });
}
