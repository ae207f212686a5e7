import { sql } from "kysely";
import { type Database, row } from "../db/pool.ts";
import type { Logger } from "../log.ts";
import { quarantineEverything } from "./quarantine.ts";

type Identity = { current: string | null; stored: string | null; isWritable: boolean };

/**
 * Quarantines everything (quarantine.ts) and logs that, if this database is a copy of the one in which the service
 * last ran. pg_restore and CREATE DATABASE … TEMPLATE make such copies. A snapshot of a volume cannot be told from the
 * original. Does nothing on a standby, which is no copy, or if the role may not read the identity.
 */
export async function quarantineIfCopied(db: Database, log: Logger): Promise<void> {
  const { current, stored, isWritable } = await readIdentity(db);
  if (current === null || current === stored || !isWritable) return;
  const held = await db.transaction().execute(async (tx) => {
    // If several processes start at once, the first one writes the identity. The others wait, and then find it.
    await sql`insert into database_identity (identity) values (${current}) on conflict (id) do nothing`.execute(tx);
    const changed = await row(
      sql`update database_identity set identity = ${current} where identity <> ${current} returning id`,
      tx,
    );
    return changed === undefined ? undefined : quarantineEverything(tx);
  });
  if (held === undefined) return;
  const advice = "see: pressbell quarantine list, and release the sites with: pressbell quarantine release";
  log.warn({ ...held }, `this database is a copy of another one: no site sends until it is released (${advice})`);
}

async function readIdentity(db: Database): Promise<Identity> {
  const readable = await row(
    sql<{ isReadable: boolean }>`select has_function_privilege('pg_control_system()', 'execute') as "isReadable"`,
    db,
  );
  if (!readable!.isReadable) return { current: null, stored: null, isWritable: false };
  const identity = await row(
    sql<Identity>`select (select system_identifier from pg_control_system()) || '/' || d.oid as current,
        (select identity from database_identity) as stored,
        not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "isWritable"
      from pg_database d where d.datname = current_database()`,
    db,
  );
  return identity!;
}
