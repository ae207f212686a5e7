import { sql } from "kysely";
import { type Executor, row, rows } from "../db/database.ts";
import { lockUser } from "./queries.ts";

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
export async function takePasswordLink(on: Executor, tokenHash: Buffer): Promise<boolean> {
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
