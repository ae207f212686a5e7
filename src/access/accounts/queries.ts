import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";

/**
 * Returns the person with an e-mail address. `emailVerified`: they have opened a link that was e-mailed to that
 * address.
 */
export function userByEmail(on: Executor, email: string): Promise<{ id: string; emailVerified: boolean } | undefined> {
  return row(
    sql<{ id: string; emailVerified: boolean }>`select id, email_verified as "emailVerified" from users
      where email = ${email}`,
    on,
  );
}

/** Returns the address of a person and the hash of their password; undefined for an unknown person. */
export function credentialOf(
  on: Executor,
  userId: string,
): Promise<{ email: string; passwordHash: string } | undefined> {
  return row(
    sql<{ email: string; passwordHash: string }>`select u.email, a.password as "passwordHash"
      from users u join accounts a on a.user_id = u.id and a.provider_id = 'credential' where u.id = ${userId}`,
    on,
  );
}

/**
 * Returns whether a person has a way to sign in that is stronger than a password: a code, a passkey or the provider.
 */
export async function maySignInStrongly(on: Executor, userId: string): Promise<boolean> {
  const found = await row(
    sql`select 1 where exists (select from second_factors where user_id = ${userId} and confirmed_at is not null)
      or exists (select from passkeys where user_id = ${userId})
      or exists (select from accounts where user_id = ${userId} and provider_id <> 'credential')`,
    on,
  );
  return found !== undefined;
}

/**
 * Inserts a person and the account that holds their password hash. Waits for a concurrent transaction that creates an
 * account for the address. Returns false and inserts nothing if the address has an account.
 */
export async function insertUser(
  on: Executor,
  user: { id: string; email: string; emailVerified: boolean; name: string; accountId: string; passwordHash: string },
): Promise<boolean> {
  const inserted = sql`with created as (
      insert into users (id, name, email, email_verified)
      values (${user.id}, ${user.name}, ${user.email}, ${user.emailVerified})
      on conflict (email) do nothing returning id)
    insert into accounts (id, user_id, provider_id, account_id, password)
    select ${user.accountId}, id, 'credential', id::text, ${user.passwordHash} from created returning id`;
  return (await rows(inserted, on)).length === 1;
}

/**
 * Locks a person until the transaction ends. This lock and a transaction that inserts a membership of the person wait
 * for each other.
 */
export async function lockUser(on: Executor, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for update`.execute(on);
}

/**
 * Records that a person whose membership has ended has left, and ends their sessions. Does nothing if they have
 * another membership. A concurrent removal from another tenant waits for the lock, and then sees this removal.
 */
export async function leaveIfNoMember(tx: Tx, userId: string): Promise<void> {
  await lockUser(tx, userId);
  await sql`with gone as (update users set left_at = now()
      where id = ${userId} and not exists (select from members where user_id = ${userId}) returning id)
    delete from sessions where user_id in (select id from gone)`.execute(tx);
}

/** Deletes a person with everything that belongs to them: sign-ins, memberships, drafts and devices. */
export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await sql`delete from users where id = ${userId}`.execute(tx);
}

/** Deletes at most `limit` people whose last membership ended over `days` ago. Returns how many it deleted. */
export async function deleteUsersWhoLeft(tx: Tx, days: number, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from users where left_at < now() - make_interval(days => ${days})
      and id in (select id from users where left_at < now() - make_interval(days => ${days}) limit ${limit})
      returning id`,
    tx,
  );
  return deleted.length;
}

/**
 * Inserts a password link of a person and deletes their earlier links. `madeBy`: the owner whose removal also ends
 * the link.
 */
export async function replacePasswordLink(
  on: Executor,
  link: { id: string; userId: string; madeBy: string | null; tokenHash: Buffer; validHours: number },
): Promise<void> {
  // Without the lock, two concurrent transactions would not see each other's link, and both links would stay.
  await lockUser(on, link.userId);
  await sql`delete from password_links where user_id = ${link.userId}`.execute(on);
  await sql`insert into password_links (id, user_id, made_by, token_hash, expires_at)
    values (${link.id}, ${link.userId}, ${link.madeBy}, ${link.tokenHash},
      now() + make_interval(hours => ${link.validHours}))`.execute(on);
}

/**
 * Returns the person whose password a link sets. Returns undefined if the link was used, was replaced or has expired.
 */
export function userOfPasswordLink(
  on: Executor,
  tokenHash: Buffer,
): Promise<{ userId: string; email: string; emailVerified: boolean } | undefined> {
  return row(
    sql<{ userId: string; email: string; emailVerified: boolean }>`select u.id as "userId", u.email,
      u.email_verified as "emailVerified" from password_links l
      join users u on u.id = l.user_id where l.token_hash = ${tokenHash} and l.expires_at > now()`,
    on,
  );
}

/** Deletes a link that is still valid. Returns false if it has expired or a concurrent request deleted it. */
export async function deletePasswordLink(on: Executor, tokenHash: Buffer): Promise<boolean> {
  const deleted = await rows(
    sql`delete from password_links where token_hash = ${tokenHash} and expires_at > now() returning id`,
    on,
  );
  return deleted.length === 1;
}

export async function updateName(on: Executor, userId: string, name: string): Promise<void> {
  await sql`update users set name = ${name}, updated_at = now() where id = ${userId}`.execute(on);
}

/** Records that a person has opened a link that was e-mailed to their address. */
export async function verifyEmail(on: Executor, userId: string): Promise<void> {
  await sql`update users set email_verified = true, updated_at = now()
    where id = ${userId} and not email_verified`.execute(on);
}

/**
 * Sets a person's password and deletes all their sessions, passkeys and password links, and the link to a provider.
 * `emailVerified`: an e-mailed link proved the address. Any other link gives the account to somebody who may not read
 * its e-mail.
 */
export async function updatePassword(
  on: Executor,
  { userId, passwordHash, emailVerified }: { userId: string; passwordHash: string; emailVerified: boolean },
): Promise<void> {
  await sql`update users set email_verified = ${emailVerified}, updated_at = now() where id = ${userId}`.execute(on);
  await sql`update accounts set password = ${passwordHash}, updated_at = now()
    where user_id = ${userId} and provider_id = 'credential'`.execute(on);
  await sql`delete from sessions where user_id = ${userId}`.execute(on);
  await sql`delete from password_links where user_id = ${userId}`.execute(on);
  // The former holder of the account must not keep a way in.
  await sql`delete from passkeys where user_id = ${userId}`.execute(on);
  await sql`delete from accounts where user_id = ${userId} and provider_id <> 'credential'`.execute(on);
}
