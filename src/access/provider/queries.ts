import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import type { Role } from "../roles.ts";

/**
 * A person at a provider. `subject` identifies them there, is unique and never changes (OpenID Connect Core 1.0,
 * section 2).
 */
export type Subject = { issuer: string; subject: string };

/** Returns the account that is linked to a person at a provider. */
export function userOfSubject(on: Executor, { issuer, subject }: Subject): Promise<{ userId: string } | undefined> {
  return row(
    sql<{ userId: string }>`select user_id as "userId" from accounts
      where provider_id = ${issuer} and account_id = ${subject}`,
    on,
  );
}

/** Returns whether an account is linked to a person at a provider. */
export async function isLinked(on: Executor, userId: string, issuer: string): Promise<boolean> {
  const found = await row(sql`select id from accounts where user_id = ${userId} and provider_id = ${issuer}`, on);
  return found !== undefined;
}

export async function insertLink(
  on: Executor,
  { id, userId, issuer, subject }: Subject & { id: string; userId: string },
): Promise<void> {
  await sql`insert into accounts (id, user_id, provider_id, account_id)
    values (${id}, ${userId}, ${issuer}, ${subject})`.execute(on);
}

/** Stores a sign-in that has begun, for ten minutes. */
export async function insertBegun(
  on: Executor,
  { id, tokenHash, sealed }: { id: string; tokenHash: Buffer; sealed: Buffer },
): Promise<void> {
  await sql`insert into verifications (id, identifier, value, expires_at) values (${id},
    ${identifierOf(tokenHash)}, ${sealed.toString("base64")}, now() + interval '10 minutes')`.execute(on);
}

/** Consumes a pending sign-in. Returns undefined if it was used already, has ended, or is not ours. */
export async function useBegun(on: Executor, tokenHash: Buffer): Promise<Buffer | undefined> {
  const used = await row(
    sql<{ value: string }>`delete from verifications where identifier = ${identifierOf(tokenHash)}
      and expires_at > now() returning value`,
    on,
  );
  return used && Buffer.from(used.value, "base64");
}

function identifierOf(tokenHash: Buffer): string {
  return `provider ${tokenHash.toString("base64url")}`;
}

/** The role that the people of a group get in a tenant. `group`: null for everybody at the provider. */
export type ProviderRole = { group: string | null; role: Role };

/** The stored group name that stands for everybody at the provider. No group has an empty name. */
const everybody = "";

/** Returns the roles that a tenant gives to the provider's people, by group. */
export function providerRolesOfTenant(on: Executor, tenantId: string): Promise<ProviderRole[]> {
  return rows(
    sql<ProviderRole>`select nullif(group_name, ${everybody}) as "group", role from provider_roles
      where tenant_id = ${tenantId} order by group_name`,
    on,
  );
}

/** Stores the role of a group in a tenant. A role of null removes it. */
export async function storeProviderRole(
  on: Executor,
  { tenantId, group, role }: { tenantId: string; group: string | null; role: Role | null },
): Promise<void> {
  const name = group ?? everybody;
  if (role === null) {
    await sql`delete from provider_roles where tenant_id = ${tenantId} and group_name = ${name}`.execute(on);
    return;
  }
  await sql`insert into provider_roles (tenant_id, group_name, role) values (${tenantId}, ${name}, ${role})
    on conflict (tenant_id, group_name) do update set role = excluded.role`.execute(on);
}

/**
 * A membership by the provider that has to change. `role`: the present role. `wanted`: the role from the groups. Null
 * means no role.
 */
export type ProviderMembership = { tenantId: string; role: Role | null; wanted: Role | null };

/**
 * Returns the memberships by the provider that differ from what these groups give a person. The highest role of the
 * groups counts. Leaves out memberships by an invitation.
 */
export function providerMemberships(on: Executor, userId: string, groups: string[]): Promise<ProviderMembership[]> {
  return rows(
    sql<ProviderMembership>`with wanted as (
        select distinct on (tenant_id) tenant_id, role from provider_roles
        where group_name = any(${[everybody, ...groups]}::text[])
        order by tenant_id, array_position(array['owner', 'editor', 'viewer'], role)),
      present as (select tenant_id, role, from_provider from members where user_id = ${userId})
      select coalesce(w.tenant_id, p.tenant_id) as "tenantId", p.role, w.role as wanted
      from wanted w full join present p on p.tenant_id = w.tenant_id
      where coalesce(p.from_provider, true) and p.role is distinct from w.role
      order by 1`,
    on,
  );
}

/** Returns whether people of these groups have a role in any tenant. */
export async function hasProviderRole(on: Executor, groups: string[]): Promise<boolean> {
  const found = await row(
    sql`select 1 from provider_roles where group_name = any(${[everybody, ...groups]}::text[]) limit 1`,
    on,
  );
  return found !== undefined;
}

/** Stores that a session began at the provider. `refreshTokenSealed`: null if it gave none. */
export async function insertProviderSession(
  on: Executor,
  { sessionId, refreshTokenSealed }: { sessionId: string; refreshTokenSealed: Buffer | null },
): Promise<void> {
  await sql`insert into provider_sessions (session_id, refresh_token_sealed)
    values (${sessionId}, ${refreshTokenSealed})`.execute(on);
}

/** A session to check at the provider. `subject`: the person there; null if the account has no link any more. */
export type DueSession = {
  sessionId: string;
  userId: string;
  subject: string | null;
  refreshTokenSealed: Buffer | null;
  isOverWithoutToken: boolean;
};

/**
 * Takes up to `limit` sessions that were not checked for ten minutes. No other process gets the same sessions
 * meanwhile.
 */
export function takeDueSessions(on: Executor, issuer: string, limit: number): Promise<DueSession[]> {
  return rows(
    sql<DueSession>`update provider_sessions p set checked_at = now() from sessions s
      where p.session_id in (select session_id from provider_sessions
          where checked_at < now() - interval '10 minutes' order by checked_at limit ${limit} for update skip locked)
        and s.id = p.session_id
      returning p.session_id as "sessionId", s.user_id as "userId", p.refresh_token_sealed as "refreshTokenSealed",
        (select account_id from accounts a where a.user_id = s.user_id and a.provider_id = ${issuer}) as subject,
        s.created_at < now() - interval '12 hours' as "isOverWithoutToken"`,
    on,
  );
}

export async function updateRefreshToken(on: Executor, sessionId: string, refreshTokenSealed: Buffer): Promise<void> {
  await sql`update provider_sessions set refresh_token_sealed = ${refreshTokenSealed}
    where session_id = ${sessionId}`.execute(on);
}
