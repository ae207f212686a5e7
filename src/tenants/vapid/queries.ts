import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";

export async function updateVapidPair(
  tx: Tx,
  siteId: string,
  pair: { publicKey: Buffer; privateKeySealed: Buffer },
): Promise<void> {
  await sql`update sites set vapid_public_key = ${pair.publicKey}, vapid_private_key_sealed = ${pair.privateKeySealed}
    where id = ${siteId}`.execute(tx);
}

/** Returns the site's key pair, with the private key sealed, and the e-mail address of an owner for the VAPID `sub`. */
export function vapidOfSite(
  on: Executor,
  siteId: string,
): Promise<{ publicKey: Buffer; privateKeySealed: Buffer; ownerEmail: string | null } | undefined> {
  return row(
    sql<{ publicKey: Buffer; privateKeySealed: Buffer; ownerEmail: string | null }>`
      select s.vapid_public_key as "publicKey", s.vapid_private_key_sealed as "privateKeySealed",
        (select u.email from members m join users u on u.id = m.user_id
          where m.tenant_id = s.tenant_id and m.role = 'owner' order by m.created_at limit 1) as "ownerEmail"
      from sites s where s.id = ${siteId}`,
    on,
  );
}

/** Returns the sealed private key of the oldest site; undefined if there is no site. */
export function anySealedKey(on: Executor): Promise<{ siteId: string; key: Buffer } | undefined> {
  return row(
    sql<{
      siteId: string;
      key: Buffer;
    }>`select id as "siteId", vapid_private_key_sealed as key from sites order by id limit 1`,
    on,
  );
}

/** Returns the sealed private keys of all sites and locks their rows. */
export function sealedKeysLocked(tx: Tx): Promise<{ siteId: string; key: Buffer }[]> {
  return rows(
    sql<{ siteId: string; key: Buffer }>`select id as "siteId", vapid_private_key_sealed as key from sites
      order by id for no key update`,
    tx,
  );
}

export async function updateSealedKey(tx: Tx, siteId: string, key: Buffer): Promise<void> {
  await sql`update sites set vapid_private_key_sealed = ${key} where id = ${siteId}`.execute(tx);
}
