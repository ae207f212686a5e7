import { sql } from "kysely";
import { type Executor, row } from "../../db/pool.ts";

/** A person at a provider: `subject` is unique and lasting there (OpenID Connect Core 1.0, section 2). */
export type Subject = { issuer: string; subject: string };

/** The account that is linked to a person at a provider. */
export function userOfSubject(on: Executor, { issuer, subject }: Subject): Promise<{ userId: string } | undefined> {
  return row(
    sql<{ userId: string }>`select user_id as "userId" from accounts
      where provider_id = ${issuer} and account_id = ${subject}`,
    on,
  );
}

/** Whether an account is linked to anyone at a provider. */
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
