import { sql } from "kysely";
import type { Executor } from "../db/pool.ts";

/** Removes what has ended: windows, sessions, verifications, invitations and links for a new password. */
export async function deleteEnded(on: Executor): Promise<void> {
  await sql`delete from rate_limits where resets_at < now()`.execute(on);
  await sql`delete from sessions where expires_at < now()`.execute(on);
  await sql`delete from verifications where expires_at < now()`.execute(on);
  await sql`delete from invitations where expires_at < now()`.execute(on);
  await sql`delete from password_links where expires_at < now()`.execute(on);
}
