import { sql } from "kysely";
import type { Executor } from "../db/pool.ts";

/**
 * Deletes sessions, verifications, invitations, password links and unfinished sign-ins that have expired and have no
 * effect any more.
 */
export async function deleteEnded(on: Executor): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(on);
  await sql`delete from verifications where expires_at < now()`.execute(on);
  await sql`delete from invitations where expires_at < now()`.execute(on);
  await sql`delete from password_links where expires_at < now()`.execute(on);
  await sql`delete from sign_in_challenges where expires_at < now()`.execute(on);
}
