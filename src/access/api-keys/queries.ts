import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { type BucketCount, incrementOnConflict, windowEnd } from "../../rate-limits/queries.ts";
import type { Scope } from "../../scope.ts";

export async function insertApiKey(
  on: Executor,
  key: {
    id: string;
    tenantId: string;
    name: string;
    prefix: string;
    hash: Buffer;
    createdBy: string | null;
    scopes: Scope[] | null;
    expiresAt: string | null;
  },
): Promise<void> {
  await sql`insert into api_keys (id, tenant_id, name, prefix, secret_hash, created_by, scopes, expires_at)
    values (${key.id}, ${key.tenantId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.createdBy}, ${key.scopes},
      ${key.expiresAt})`.execute(on);
}

/** A key that a request uses. `isUseStale`: the stored time of the last use is over a minute old. */
export type KeyUse = BucketCount & { keyId: string; tenantId: string; scopes: Scope[] | null; isUseStale: boolean };

/**
 * Finds the key with this hash and counts the request in `bucket`. One statement takes 0.19 ms, two take 0.45 ms
 * (docs/decisions/0004-rate-limits.md). Returns undefined and counts nothing for an unknown hash and for an expired
 * key.
 */
export function useApiKey(
  on: Executor,
  { hash, bucket, windowSeconds }: { hash: Buffer; bucket: string; windowSeconds: number },
): Promise<KeyUse | undefined> {
  return row(
    sql<KeyUse>`
      with key as (
        select id, tenant_id, scopes, last_used_at is null or last_used_at < now() - interval '1 minute' as is_use_stale
        from api_keys where secret_hash = ${hash} and (expires_at is null or expires_at > now())),
      counted as (
        insert into rate_limits as r (bucket, used, resets_at)
        select ${bucket}, 1, ${windowEnd(windowSeconds)} from key
        ${incrementOnConflict})
      select key.id as "keyId", key.tenant_id as "tenantId", key.scopes, key.is_use_stale as "isUseStale",
        counted.used, counted."resetSeconds"
      from key, counted`,
    on,
  );
}

/**
 * Records the time of a key's use, at most once a minute, so that a busy key does not cost a write for each request.
 */
export async function recordApiKeyUse(on: Executor, keyId: string): Promise<void> {
  await sql`update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(on);
}

/** Records that a web page sent a key, at most once a minute, because a million readers may open that page. */
export async function recordApiKeyInBrowser(on: Executor, keyId: string): Promise<void> {
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
  /** The e-mail address of the person who created the key; null if their account is gone. */
  createdBy: string | null;
  /** What the key may do; null for everything. */
  scopes: Scope[] | null;
  /** When the key stops working; null for never. */
  expiresAt: Date | null;
};

/** Returns the keys of a tenant, newest first; with `keyId`, only that key. */
export function apiKeysOfTenant(on: Executor, tenantId: string, keyId: string | null = null): Promise<ApiKeyRecord[]> {
  return rows(
    sql<ApiKeyRecord>`
      select k.id, k.name, k.prefix, k.created_at as "createdAt", k.last_used_at as "lastUsedAt", u.email as "createdBy",
        k.scopes, k.expires_at as "expiresAt"
      from api_keys k left join users u on u.id = k.created_by
      where k.tenant_id = ${tenantId} and (${keyId}::uuid is null or k.id = ${keyId})
      order by k.id desc`,
    on,
  );
}

/** Returns the tenant of a key; undefined if there is no such key. */
export async function tenantOfApiKey(on: Executor, keyId: string): Promise<string | undefined> {
  const key = await row(
    sql<{ tenantId: string }>`select tenant_id as "tenantId" from api_keys where id = ${keyId}`,
    on,
  );
  return key?.tenantId;
}

/** Counts the keys of a tenant and locks the tenant, so that two concurrent requests cannot both add the last key. */
export async function countApiKeysLocked(tx: Tx, tenantId: string): Promise<number> {
  await sql`select 1 from tenants where id = ${tenantId} for no key update`.execute(tx);
  const counted = await row(sql<{ n: number }>`select count(*) as n from api_keys where tenant_id = ${tenantId}`, tx);
  return counted!.n;
}

/** Deletes a key and returns its name and prefix. Returns undefined if there is no such key. */
export function deleteApiKeyRow(
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

/**
 * Returns the keys of a tenant that a web page has sent, where anyone can read them. The key that was seen last is
 * first.
 */
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
