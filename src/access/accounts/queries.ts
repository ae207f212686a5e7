import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";

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

/** Keeps a link for a new password of a person, in the caller's transaction; earlier ones are worth nothing any more. */
export async function replacePasswordLink(
  on: Executor,
  link: { id: string; userId: string; tokenHash: Buffer; validHours: number },
): Promise<void> {
  // Of two at once, neither would see the other's to delete.
  await lockUser(on, link.userId);
  await sql`delete from password_links where user_id = ${link.userId}`.execute(on);
  await sql`insert into password_links (id, user_id, token_hash, expires_at)
    values (${link.id}, ${link.userId}, ${link.tokenHash}, now() + make_interval(hours => ${link.validHours}))`.execute(
    on,
  );
}

/** Whose password a link may set; undefined: it is used, replaced, or over. */
export function userOfPasswordLink(
  on: Executor,
  tokenHash: Buffer,
): Promise<{ userId: string; email: string } | undefined> {
  return row(
    sql<{ userId: string; email: string }>`select u.id as "userId", u.email from password_links l
      join users u on u.id = l.user_id where l.token_hash = ${tokenHash} and l.expires_at > now()`,
    on,
  );
}

/** Takes a link, so that it is worth nothing any more. False: another was quicker, or it is over. */
export async function deletePasswordLink(on: Executor, tokenHash: Buffer): Promise<boolean> {
  const taken = await rows(
    sql`delete from password_links where token_hash = ${tokenHash} and expires_at > now() returning id`,
    on,
  );
  return taken.length === 1;
}

/** Sets a person's password and ends all sessions and links of theirs. */
export async function replacePassword(on: Executor, userId: string, passwordHash: string): Promise<void> {
  await sql`update accounts set password = ${passwordHash}, updated_at = now()
    where user_id = ${userId} and provider_id = 'credential'`.execute(on);
  await sql`delete from sessions where user_id = ${userId}`.execute(on);
  await sql`delete from password_links where user_id = ${userId}`.execute(on);
}
