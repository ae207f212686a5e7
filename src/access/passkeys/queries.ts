import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";

export type PasskeyRecord = {
  credentialId: string;
  userId: string;
  email: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
  usedAt: Date | null;
};

const columns = sql.raw(`p.credential_id as "credentialId", p.user_id as "userId", u.email, p.public_key as "publicKey",
  p.counter, p.transports, p.name, p.created_at as "createdAt", p.used_at as "usedAt"`);

/** Returns the passkeys of a person, oldest first. */
export function passkeysOfUser(on: Executor, userId: string): Promise<PasskeyRecord[]> {
  return rows(
    sql<PasskeyRecord>`select ${columns} from passkeys p join users u on u.id = p.user_id
      where p.user_id = ${userId} order by p.created_at, p.credential_id`,
    on,
  );
}

export function passkeyById(on: Executor, credentialId: string): Promise<PasskeyRecord | undefined> {
  return row(
    sql<PasskeyRecord>`select ${columns} from passkeys p join users u on u.id = p.user_id
      where p.credential_id = ${credentialId}`,
    on,
  );
}

/** Inserts a passkey. Returns false if it is registered already, for this person or for another. */
export async function insertPasskey(
  on: Executor,
  passkey: Pick<PasskeyRecord, "credentialId" | "userId" | "publicKey" | "counter" | "transports" | "name">,
): Promise<boolean> {
  const { credentialId, userId, publicKey, counter, transports, name } = passkey;
  const inserted = await rows(
    sql`insert into passkeys (credential_id, user_id, public_key, counter, transports, name)
      values (${credentialId}, ${userId}, ${publicKey}, ${counter}, ${transports}, ${name})
      on conflict do nothing returning credential_id`,
    on,
  );
  return inserted.length === 1;
}

/** Stores a use of a passkey. Returns false if a concurrent use has stored the same or a higher counter. */
export async function recordPasskeyUse(on: Executor, credentialId: string, counter: number): Promise<boolean> {
  const used = await rows(
    sql`update passkeys set counter = ${counter}, used_at = now()
      where credential_id = ${credentialId} and (counter < ${counter} or (counter = 0 and ${counter} = 0))
      returning credential_id`,
    on,
  );
  return used.length === 1;
}

/** Renames a passkey. Returns false if the person has no such passkey. */
export async function renamePasskey(
  on: Executor,
  { userId, credentialId, name }: { userId: string; credentialId: string; name: string },
): Promise<boolean> {
  const renamed = await rows(
    sql`update passkeys set name = ${name} where credential_id = ${credentialId} and user_id = ${userId}
      returning credential_id`,
    on,
  );
  return renamed.length === 1;
}

/** Deletes a passkey. Returns false if the person has no such passkey. */
export async function deletePasskey(
  on: Executor,
  { userId, credentialId }: { userId: string; credentialId: string },
): Promise<boolean> {
  const deleted = await rows(
    sql`delete from passkeys where credential_id = ${credentialId} and user_id = ${userId} returning credential_id`,
    on,
  );
  return deleted.length === 1;
}

/** Stores a challenge for five minutes. `purpose`: what its answer may be used for. */
export async function insertChallenge(
  on: Executor,
  { id, purpose, challenge }: { id: string; purpose: string; challenge: string },
): Promise<void> {
  await sql`insert into verifications (id, identifier, value, expires_at)
    values (${id}, ${`passkey ${purpose}`}, ${challenge}, now() + interval '5 minutes')`.execute(on);
}

/** Uses up a challenge. Returns false if there is none for this purpose: it was used, has expired, or is not ours. */
export async function useChallenge(on: Executor, purpose: string, challenge: string): Promise<boolean> {
  const used = await rows(
    sql`delete from verifications where identifier = ${`passkey ${purpose}`} and value = ${challenge}
      and expires_at > now() returning id`,
    on,
  );
  return used.length > 0;
}
