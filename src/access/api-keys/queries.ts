import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { type Counted, countAnother, windowEnd } from "../../rate-limits/queries.ts";

export async function insertApiKey(
  on: Executor,
  key: { id: string; tenantId: string; name: string; prefix: string; hash: Buffer; createdBy: string | null },
): Promise<void> {
  await sql`insert into api_keys (id, tenant_id, name, prefix, secret_hash, created_by)
    values (${key.id}, ${key.tenantId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.createdBy})`.execute(on);
}

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

export async function recordApiKeyUse(on: Executor, keyId: string): Promise<void> {
  await sql`update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(on);
}

/** Noted to the minute: a page that is opened by a million readers is no million writes. */
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
