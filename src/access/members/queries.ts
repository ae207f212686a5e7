import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import type { Role, Roles, SiteRole } from "../roles.ts";
import type { Demands } from "./missing-proof.ts";

/**
 * Inserts a membership and deletes the person's password links. An owner of their first tenant may hold such a link,
 * which must not give access to the next tenant.
 */
export async function insertMember(
  on: Executor,
  member: { id: string; tenantId: string; userId: string; role: Role | null; fromProvider?: boolean },
): Promise<void> {
  const { id, tenantId, userId, role, fromProvider = false } = member;
  await sql`insert into members (id, tenant_id, user_id, role, from_provider)
    values (${id}, ${tenantId}, ${userId}, ${role}, ${fromProvider})`.execute(on);
  await sql`update users set left_at = null where id = ${member.userId} and left_at is not null`.execute(on);
  // Runs after the insert, whose foreign key waits for transactions that create a link. Later transactions see the
  // membership.
  await sql`delete from password_links where user_id = ${member.userId}`.execute(on);
}

/** A membership of a person, with what it demands of their session (`missingProof`). */
export type Membership = { tenantId: string; name: string } & Roles & Demands;

/** The roles of the member `m` for single sites, as JSON, without sites that were removed. */
const siteRoles = sql.raw(`coalesce((
    select jsonb_agg(jsonb_build_object('siteId', r.site_id, 'role', r.role) order by r.site_id)
    from site_roles r join sites s on s.id = r.site_id
    where r.tenant_id = m.tenant_id and r.user_id = m.user_id and s.removed_at is null), '[]') as "siteRoles"`);

const membership = sql`select t.id as "tenantId", t.name, m.role, ${siteRoles}, m.from_provider as "fromProvider",
    t.requires_second_factor as "requiresSecondFactor"
  from members m join tenants t on t.id = m.tenant_id`;

/** Returns the memberships of a person, oldest first. */
export function membershipsOfUser(on: Executor, userId: string): Promise<Membership[]> {
  return rows(sql<Membership>`${membership} where m.user_id = ${userId} order by m.id`, on);
}

/** Returns the membership of a person in a tenant; undefined if the person is not a member. */
export function membershipInTenant(on: Executor, userId: string, tenantId: string): Promise<Membership | undefined> {
  return row(sql<Membership>`${membership} where m.user_id = ${userId} and m.tenant_id = ${tenantId}`, on);
}

/**
 * Returns the role of a person in the whole tenant; null for a member of single sites, undefined for a person who is
 * no member.
 */
export async function roleInTenant(on: Executor, userId: string, tenantId: string): Promise<Role | null | undefined> {
  return (await membershipInTenant(on, userId, tenantId))?.role;
}

/**
 * Returns the role of a person on a site: the higher of the role for the whole tenant and the role for the site.
 * Undefined if there is neither.
 */
export async function roleOnSite(on: Executor, userId: string, siteId: string): Promise<Role | undefined> {
  const found = await row(
    sql<{ role: Role }>`select role from site_members where user_id = ${userId} and site_id = ${siteId}`,
    on,
  );
  return found?.role;
}

export type MemberRecord = {
  userId: string;
  email: string;
  label: string;
  fromProvider: boolean;
  joinedAt: Date;
} & Roles;

/** Returns the members of a tenant, oldest membership first. */
export function membersOfTenant(on: Executor, tenantId: string): Promise<MemberRecord[]> {
  return rows(
    sql<MemberRecord>`select u.id as "userId", u.email, label_of(u) as label, m.role, ${siteRoles},
        m.from_provider as "fromProvider", m.created_at as "joinedAt"
      from members m join users u on u.id = m.user_id where m.tenant_id = ${tenantId} order by m.id`,
    on,
  );
}

/** Counts the members of a tenant and its open invitations, except the invitation of the address `exceptEmail`. */
export async function countMembers(on: Executor, tenantId: string, exceptEmail: string): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select (select count(*) from members where tenant_id = ${tenantId})
      + (select count(*) from invitations
        where tenant_id = ${tenantId} and expires_at > now() and email <> ${exceptEmail}) as n`,
    on,
  );
  return counted!.n;
}

/**
 * Counts the owners of a tenant and locks the tenant. Without the lock, two concurrent removals could each count the
 * other's owner as the one that remains.
 */
export async function countOwnersLocked(tx: Tx, tenantId: string): Promise<number> {
  await sql`select 1 from tenants where id = ${tenantId} for no key update`.execute(tx);
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from members where tenant_id = ${tenantId} and role = 'owner'`,
    tx,
  );
  return counted!.n;
}

/** How many messages of one run push services must have accepted before the tenant is proven. */
export const acceptedOfProven = 100;

/**
 * Returns whether a tenant is proven: the e-mail address of an owner is verified, and push services accepted at least
 * `acceptedOfProven` messages of a run that has ended.
 */
export async function isProvenTenant(on: Executor, tenantId: string): Promise<boolean> {
  const found = await row(
    sql<{ proven: boolean }>`select exists (select from members m join users u on u.id = m.user_id
        where m.tenant_id = ${tenantId} and m.role = 'owner' and u.email_verified)
      and exists (select from sites s join runs r on r.site_id = s.id
          join run_sums sums on sums.site_id = r.site_id and sums.run_id = r.id
        where s.tenant_id = ${tenantId} and r.finished_at is not null and r.expected_audience >= ${acceptedOfProven}
          and sums.accepted >= ${acceptedOfProven}) as proven`,
    on,
  );
  return found!.proven;
}

export async function updateRole(
  on: Executor,
  member: { tenantId: string; userId: string; role: Role | null },
): Promise<void> {
  await sql`update members set role = ${member.role}
    where tenant_id = ${member.tenantId} and user_id = ${member.userId}`.execute(on);
}

/**
 * Gives a member these roles for single sites and removes all others. Skips sites that are gone. Keeps the roles on
 * removed sites, which can be restored.
 */
export async function replaceSiteRoles(
  on: Executor,
  { tenantId, userId }: { tenantId: string; userId: string },
  wanted: SiteRole[],
): Promise<void> {
  await sql`delete from site_roles r using sites s where r.tenant_id = ${tenantId} and r.user_id = ${userId}
    and s.id = r.site_id and s.removed_at is null`.execute(on);
  await sql`insert into site_roles (tenant_id, user_id, site_id, role)
    select s.tenant_id, ${userId}, s.id, w.role
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w ("siteId" uuid, role text)
      join sites s on s.id = w."siteId" and s.tenant_id = ${tenantId}
    on conflict (site_id, user_id) do update set role = excluded.role`.execute(on);
}

export async function deleteMemberRow(on: Executor, member: { tenantId: string; userId: string }): Promise<void> {
  await sql`delete from members where tenant_id = ${member.tenantId} and user_id = ${member.userId}`.execute(on);
}

export type InvitationRecord = {
  id: string;
  tenantId: string;
  tenantName: string;
  email: string;
  createdAt: Date;
  expiresAt: Date;
} & Roles;

const invitationColumns = sql.raw(`i.id, i.tenant_id as "tenantId", t.name as "tenantName", i.email, i.role,
  i.site_roles as "siteRoles", i.created_at as "createdAt", i.expires_at as "expiresAt"`);

/** Inserts an invitation, or replaces the earlier invitation of the same address to the same tenant. */
export async function replaceInvitation(
  on: Executor,
  invitation: {
    id: string;
    tenantId: string;
    email: string;
    tokenHash: Buffer;
    invitedBy: string;
    validDays: number;
  } & Roles,
): Promise<void> {
  const { id, tenantId, email, role, siteRoles, tokenHash, invitedBy, validDays } = invitation;
  await sql`insert into invitations (id, tenant_id, email, role, site_roles, token_hash, invited_by, expires_at)
    values (${id}, ${tenantId}, ${email}, ${role}, ${JSON.stringify(siteRoles)}, ${tokenHash}, ${invitedBy},
      now() + make_interval(days => ${validDays}))
    on conflict (tenant_id, email) do update set id = excluded.id, role = excluded.role,
      site_roles = excluded.site_roles, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
      created_at = now(), expires_at = excluded.expires_at`.execute(on);
}

/** Returns the invitations of a tenant that can still be accepted, newest first. */
export function invitationsOfTenant(on: Executor, tenantId: string): Promise<InvitationRecord[]> {
  return rows(
    sql<InvitationRecord>`select ${invitationColumns} from invitations i join tenants t on t.id = i.tenant_id
      where i.tenant_id = ${tenantId} and i.expires_at > now() order by i.id desc`,
    on,
  );
}

/** Returns the invitation with this token; undefined if it was accepted, was withdrawn or has expired. */
export function invitationByToken(on: Executor, tokenHash: Buffer): Promise<InvitationRecord | undefined> {
  return row(
    sql<InvitationRecord>`select ${invitationColumns} from invitations i join tenants t on t.id = i.tenant_id
      where i.token_hash = ${tokenHash} and i.expires_at > now()`,
    on,
  );
}

/**
 * Deletes the invitations and password links that an owner gave out in a tenant. Returns the ids of the invitations.
 */
export async function deleteGivenBy(
  on: Executor,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<string[]> {
  await sql`delete from password_links where made_by = ${userId}
    and user_id in (select user_id from members where tenant_id = ${tenantId})`.execute(on);
  const deleted = await rows(
    sql<{ id: string }>`delete from invitations where tenant_id = ${tenantId} and invited_by = ${userId} returning id`,
    on,
  );
  return deleted.map(({ id }) => id);
}

/** Deletes an invitation that was accepted or withdrawn. Returns false if there is none. */
export async function deleteInvitationRow(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const deleted = await rows(
    sql`delete from invitations where id = ${id} and tenant_id = ${tenantId} returning id`,
    on,
  );
  return deleted.length === 1;
}
