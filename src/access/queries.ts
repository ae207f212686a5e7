import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/database.ts";
import type { Role } from "./roles.ts";

export async function insertApiKey(
  on: Executor,
  key: { id: string; tenantId: string; name: string; prefix: string; hash: Buffer; createdBy: string | null },
): Promise<void> {
  await sql`insert into api_keys (id, tenant_id, name, prefix, secret_hash, created_by)
    values (${key.id}, ${key.tenantId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.createdBy})`.execute(on);
}

/** A window that is over begins anew with this request. `r` is the row that stands. */
const countAnother = sql`on conflict (bucket) do update set
    used = case when r.resets_at <= now() then 1 else r.used + 1 end,
    resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
  returning used, greatest(1, ceil(extract(epoch from resets_at - now())))::integer as "resetSeconds"`;

const windowEnd = (windowSeconds: number) => sql`now() + make_interval(secs => ${windowSeconds})`;

type Counted = { used: number; resetSeconds: number };
export type KeyUse = Counted & { keyId: string; tenantId: string; stale: boolean };

/**
 * The key with this hash, and the count of this request in the bucket `key:ID`, in one statement: 0.19 ms against 0.45
 * in two (docs/decisions/0004-rate-limits.md). `stale`: its last use is noted to the minute, and that minute is over.
 */
export function useApiKey(on: Executor, hash: Buffer, windowSeconds: number): Promise<KeyUse | undefined> {
  return row(
    sql<KeyUse>`
      with key as (
        select id, tenant_id, last_used_at is null or last_used_at < now() - interval '1 minute' as stale
        from api_keys where secret_hash = ${hash}),
      counted as (
        insert into rate_limits as r (bucket, used, resets_at)
        select 'key:' || id, 1, ${windowEnd(windowSeconds)} from key
        ${countAnother})
      select key.id as "keyId", key.tenant_id as "tenantId", key.stale, counted.used, counted."resetSeconds"
      from key, counted`,
    on,
  );
}

/** Counts a request in `bucket`; how many there were in its window, this one included, and how long it lasts. */
export async function countInBucket(on: Executor, bucket: string, windowSeconds: number): Promise<Counted> {
  const counted = await row(
    sql<Counted>`insert into rate_limits as r (bucket, used, resets_at)
      values (${bucket}, 1, ${windowEnd(windowSeconds)}) ${countAnother}`,
    on,
  );
  return counted!;
}

export async function giveBackToBucket(on: Executor, bucket: string): Promise<void> {
  await sql`update rate_limits set used = used - 1 where bucket = ${bucket} and used > 0`.execute(on);
}

export async function noteApiKeyUse(on: Executor, keyId: string): Promise<void> {
  await sql`update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(on);
}

/** Noted to the minute: a page that is opened by a million readers is no million writes. */
export async function noteApiKeyInBrowser(on: Executor, keyId: string): Promise<void> {
  await sql`update api_keys set seen_in_browser_at = now()
    where id = ${keyId} and (seen_in_browser_at is null or seen_in_browser_at < now() - interval '1 minute')`.execute(
    on,
  );
}

export type ApiKeyRecord = {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** E-mail address of who made it; null: that person is gone. */
  createdBy: string | null;
};

/** The keys of a tenant, or the one with `keyId`; the newest first. */
export function apiKeysOfTenant(on: Executor, tenantId: string, keyId: string | null = null): Promise<ApiKeyRecord[]> {
  return rows(
    sql<ApiKeyRecord>`
      select k.id, k.name, k.prefix, k.created_at as "createdAt", k.last_used_at as "lastUsedAt", u.email as "createdBy"
      from api_keys k left join users u on u.id = k.created_by
      where k.tenant_id = ${tenantId} and (${keyId}::uuid is null or k.id = ${keyId})
      order by k.id desc`,
    on,
  );
}

/** How many keys a tenant has, with the tenant locked, so that of two who add the last one only one does. */
export async function countApiKeysLocked(tx: Tx, tenantId: string): Promise<number> {
  await sql`select 1 from tenants where id = ${tenantId} for no key update`.execute(tx);
  const counted = await row(sql<{ n: number }>`select count(*) as n from api_keys where tenant_id = ${tenantId}`, tx);
  return counted!.n;
}

/** Removes a key, and says which it was. Undefined: there is none. */
export function removeApiKey(
  on: Executor,
  tenantId: string,
  keyId: string,
): Promise<{ name: string; prefix: string } | undefined> {
  return row(
    sql<{ name: string; prefix: string }>`delete from api_keys where id = ${keyId} and tenant_id = ${tenantId}
      returning name, prefix`,
    on,
  );
}

export function userByEmail(on: Executor, email: string): Promise<{ id: string } | undefined> {
  return row(sql<{ id: string }>`select id from users where email = ${email}`, on);
}

export async function insertUser(
  on: Executor,
  user: { id: string; email: string; name: string; accountId: string; passwordHash: string },
): Promise<void> {
  await sql`with made as (
      insert into users (id, name, email) values (${user.id}, ${user.name}, ${user.email}) returning id)
    insert into accounts (id, user_id, provider_id, account_id, password)
    select ${user.accountId}, id, 'credential', id::text, ${user.passwordHash} from made`.execute(on);
}

/** Locks a person until the transaction ends: who joins a tenant meanwhile waits, and who is just joining is awaited. */
export async function lockUser(on: Executor, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for update`.execute(on);
}

/**
 * Makes a person a member. Links for a new password that they have end: one that an owner of their first tenant made
 * must not open the next.
 */
export async function insertMember(
  on: Executor,
  member: { id: string; tenantId: string; userId: string; role: Role },
): Promise<void> {
  await sql`insert into members (id, tenant_id, user_id, role)
    values (${member.id}, ${member.tenantId}, ${member.userId}, ${member.role})`.execute(on);
  // After the insert: its foreign key has awaited whoever was just making a link, and the next one sees the member.
  await sql`delete from password_links where user_id = ${member.userId}`.execute(on);
}

export type Membership = { tenantId: string; name: string; role: Role };

/** The tenants that a person belongs to, the first one joined first. */
export function membershipsOfUser(on: Executor, userId: string): Promise<Membership[]> {
  return rows(
    sql<Membership>`select t.id as "tenantId", t.name, m.role from members m join tenants t on t.id = m.tenant_id
      where m.user_id = ${userId} order by m.id`,
    on,
  );
}

export async function roleInTenant(on: Executor, userId: string, tenantId: string): Promise<Role | undefined> {
  const member = await row(
    sql<{ role: Role }>`select role from members where user_id = ${userId} and tenant_id = ${tenantId}`,
    on,
  );
  return member?.role;
}

export type MemberRecord = { userId: string; email: string; name: string; role: Role; joinedAt: Date };

/** The members of a tenant, the first one joined first. */
export function membersOfTenant(on: Executor, tenantId: string): Promise<MemberRecord[]> {
  return rows(
    sql<MemberRecord>`select u.id as "userId", u.email, u.name, m.role, m.created_at as "joinedAt"
      from members m join users u on u.id = m.user_id where m.tenant_id = ${tenantId} order by m.id`,
    on,
  );
}

/** How many owners a tenant has, with the tenant locked, so that of two who leave the last one only one does. */
export async function countOwnersLocked(tx: Tx, tenantId: string): Promise<number> {
  await sql`select 1 from tenants where id = ${tenantId} for no key update`.execute(tx);
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from members where tenant_id = ${tenantId} and role = 'owner'`,
    tx,
  );
  return counted!.n;
}

export async function updateRole(
  on: Executor,
  member: { tenantId: string; userId: string; role: Role },
): Promise<void> {
  await sql`update members set role = ${member.role}
    where tenant_id = ${member.tenantId} and user_id = ${member.userId}`.execute(on);
}

export async function deleteMember(on: Executor, member: { tenantId: string; userId: string }): Promise<void> {
  await sql`delete from members where tenant_id = ${member.tenantId} and user_id = ${member.userId}`.execute(on);
}

export type InvitationRecord = {
  id: string;
  tenantId: string;
  tenantName: string;
  email: string;
  role: Role;
  createdAt: Date;
  expiresAt: Date;
};

const invitationColumns = sql.raw(`i.id, i.tenant_id as "tenantId", t.name as "tenantName", i.email, i.role,
  i.created_at as "createdAt", i.expires_at as "expiresAt"`);

/** Makes an invitation; an earlier one of the same address to the same tenant is worth nothing any more. */
export async function replaceInvitation(
  on: Executor,
  invitation: {
    id: string;
    tenantId: string;
    email: string;
    role: Role;
    tokenHash: Buffer;
    invitedBy: string;
    validDays: number;
  },
): Promise<void> {
  const { id, tenantId, email, role, tokenHash, invitedBy, validDays } = invitation;
  await sql`insert into invitations (id, tenant_id, email, role, token_hash, invited_by, expires_at)
    values (${id}, ${tenantId}, ${email}, ${role}, ${tokenHash}, ${invitedBy}, now() + make_interval(days => ${validDays}))
    on conflict (tenant_id, email) do update set id = excluded.id, role = excluded.role, token_hash = excluded.token_hash,
      invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at`.execute(on);
}

/** The invitations of a tenant that can still be taken, the newest first. */
export function invitationsOfTenant(on: Executor, tenantId: string): Promise<InvitationRecord[]> {
  return rows(
    sql<InvitationRecord>`select ${invitationColumns} from invitations i join tenants t on t.id = i.tenant_id
      where i.tenant_id = ${tenantId} and i.expires_at > now() order by i.id desc`,
    on,
  );
}

export function invitationByToken(on: Executor, tokenHash: Buffer): Promise<InvitationRecord | undefined> {
  return row(
    sql<InvitationRecord>`select ${invitationColumns} from invitations i join tenants t on t.id = i.tenant_id
      where i.token_hash = ${tokenHash} and i.expires_at > now()`,
    on,
  );
}

/** Ends an invitation: taken, or taken back. False: there is none. */
export async function deleteInvitation(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const removed = await rows(
    sql`delete from invitations where id = ${id} and tenant_id = ${tenantId} returning id`,
    on,
  );
  return removed.length === 1;
}

/** The keys of a tenant that came from a web page, where anyone can read them; the last seen first. */
export function keysSeenInBrowser(
  on: Executor,
  tenantId: string,
): Promise<{ name: string; prefix: string; seenAt: Date }[]> {
  return rows(
    sql<{ name: string; prefix: string; seenAt: Date }>`select name, prefix, seen_in_browser_at as "seenAt"
      from api_keys where tenant_id = ${tenantId} and seen_in_browser_at is not null order by seen_in_browser_at desc`,
    on,
  );
}

/** Removes what has ended: windows, sessions, verifications, invitations and links for a new password. */
export async function removeEnded(on: Executor): Promise<void> {
  await sql`delete from rate_limits where resets_at < now()`.execute(on);
  await sql`delete from sessions where expires_at < now()`.execute(on);
  await sql`delete from verifications where expires_at < now()`.execute(on);
  await sql`delete from invitations where expires_at < now()`.execute(on);
  await sql`delete from password_links where expires_at < now()`.execute(on);
}
