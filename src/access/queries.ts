import { sql } from "kysely";
import { type Executor, row } from "../db/database.ts";

export async function insertApiKey(
  on: Executor,
  key: { id: string; tenantId: string; name: string; prefix: string; hash: Buffer; createdBy: string | null },
): Promise<void> {
  await sql`insert into api_keys (id, tenant_id, name, prefix, secret_hash, created_by)
    values (${key.id}, ${key.tenantId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.createdBy})`.execute(on);
}

/** The key with this hash. `stale`: its last use is noted to the minute only, and that minute is over. */
export function apiKeyByHash(
  on: Executor,
  hash: Buffer,
): Promise<{ keyId: string; tenantId: string; stale: boolean } | undefined> {
  return row(
    sql<{ keyId: string; tenantId: string; stale: boolean }>`
      select id as "keyId", tenant_id as "tenantId",
        last_used_at is null or last_used_at < now() - interval '1 minute' as stale
      from api_keys where secret_hash = ${hash}`,
    on,
  );
}

export async function noteApiKeyUse(on: Executor, keyId: string): Promise<void> {
  await sql`update api_keys set last_used_at = now()
    where id = ${keyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(on);
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

export async function insertMember(
  on: Executor,
  member: { id: string; tenantId: string; userId: string; role: "owner" | "editor" | "viewer" },
): Promise<void> {
  await sql`insert into members (id, tenant_id, user_id, role)
    values (${member.id}, ${member.tenantId}, ${member.userId}, ${member.role})`.execute(on);
}
