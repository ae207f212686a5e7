import { stat } from "node:fs/promises";
import { sql } from "kysely";
import pg from "pg";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { row, rows, type Tx } from "../db/pool.ts";
import { resetHubsOfSite } from "../feeds/queries.ts";
import { restartRecurringSends } from "../recurring-sends/queries.ts";
import { withdrawMembersSends } from "../sends/planned-send-queries.ts";
import { raiseSubscriberIds } from "../subscribers/queries.ts";
import { insertMovedSite } from "../tenants/sites/quarantine-queries.ts";
import { isVapidPair, sealVapidKey } from "../tenants/vapid/vapid-pair.ts";
import { BackupError } from "./backup-error.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type CopyTx, inCopyTx } from "./copy-session.ts";
import { copyTarget } from "./dump.ts";
import { copyInto } from "./load.ts";
import { createLoadLimit } from "./load-limit.ts";
import { readRecord, type SiteManifest, type TableHead, unreadable } from "./records.ts";
import { readSealed } from "./restore-backup.ts";
import { readSiteTables } from "./site-tables.ts";

export type ImportedSite = { siteId: string; name: string; createdAt: string; readers: number; campaigns: number };

/**
 * Imports a file of `exportSite` as a site of the actor's tenant, with the same id, in one transaction. Quarantines
 * the site, so that it sends nothing until it is released. Throws BackupError, and changes nothing, if it cannot use
 * the file, the passphrase or the schema, or if the site exists here.
 */
export async function importSite(
  app: App,
  actor: Actor,
  { file, passphrase }: { file: string; passphrase: string },
): Promise<ImportedSite> {
  let imported: ImportedSite | undefined;
  const watch = createLoadLimit((await stat(file)).size);
  await readSealed(file, passphrase, async (reader) => {
    const record = await readRecord(reader);
    if (record?.kind === "manifest")
      throw new BackupError("The file is a backup of a whole installation: restore it into an empty database.");
    if (record?.kind !== "site") throw unreadable();
    const manifest = record.value;
    imported = await inCopyTx(app.connection, "writing", async (session) => {
      const of = { siteId: manifest.site.id, tenantId: actor.tenantId, watch };
      const load = async () => {
        await insertSite(app, session.tx, actor, manifest);
        return loadTables(session, reader, of);
      };
      const counts = await load().catch(explainRefusal);
      await finish(session.tx, actor, manifest.site.id);
      const { id: siteId, name } = manifest.site;
      const { subscribers: readers = 0, campaigns = 0 } = Object.fromEntries(counts);
      return { siteId, name, createdAt: manifest.createdAt, readers, campaigns };
    });
  });
  return imported!;
}

/** Explains why PostgreSQL refuses the content of the file, which may come from a stranger. */
function explainRefusal(error: Error & { code?: string; detail?: string }): never {
  // Two sites of different tenants may have used the same idempotency key. Here they belong to the same tenant.
  if (error.code === "23505")
    throw new BackupError(`The tenant has something of this site already: ${error.detail}. Take another tenant.`);
  if (/^(22|23|54)/.test(error.code ?? ""))
    throw new BackupError(`The file holds what a site cannot have (${error.message}), and nothing was changed.`);
  throw error;
}

type Of = { siteId: string; tenantId: string; watch: (bytes: Buffer) => void };

async function insertSite(app: App, tx: Tx, actor: Actor, manifest: SiteManifest): Promise<void> {
  const applied = await rows(sql<{ name: string }>`select name from kysely_migration order by name`, tx);
  if (applied.map(({ name }) => name).join() !== manifest.migrations.join())
    throw new BackupError("The file is of another version of Pressbell: bring both installations to the same version.");
  const { site } = manifest;
  const pair = {
    publicKey: Buffer.from(site.vapid_public_key.slice(2), "hex"),
    privateKey: Buffer.from(manifest.privateKey, "base64url"),
  };
  if (!isVapidPair(pair)) throw unreadable();
  const sealed = sealVapidKey(app.secrets, site.id, pair.privateKey);
  if (await insertMovedSite(tx, actor.tenantId, { site, sealed })) return;
  throw new BackupError(
    `Site ${site.id} is here already, perhaps removed, and was not changed. If it is to come back here with what the file has, ` +
      `erase the one that is here (site erase --site ${site.id} --yes), and import when a running service has deleted it.`,
  );
}

/** Copies the tables that follow in the file. Returns the number of rows of each. */
async function loadTables(session: CopyTx, reader: ByteReader, of: Of): Promise<Map<string, number>> {
  const known = await readSiteTables(session.tx);
  const counts = new Map<string, number>();
  for (;;) {
    const record = await readRecord(reader);
    if (record?.kind === "end") break;
    if (record?.kind !== "table") throw unreadable();
    // The table is looked up by name, because the file may come from a stranger. No other table may be written.
    const table = known.find(({ name }) => name === record.value.name);
    if (table === undefined || table.columns.join() !== record.value.columns.join()) throw unreadable();
    counts.set(table.name, await loadTable(session, reader, table, of));
  }
  // Only the end of the stream shows that nothing was cut off.
  if ((await reader.readUpTo(1)).length > 0) throw unreadable();
  return counts;
}

async function loadTable(
  { tx, client }: CopyTx,
  reader: ByteReader,
  table: TableHead,
  { siteId, tenantId, watch }: Of,
): Promise<number> {
  const name = pg.escapeIdentifier(table.name);
  // A trigger has counted rows of the tables before this one. The file already has these counts.
  await sql`delete from ${sql.table(table.name)} where site_id = ${siteId}`.execute(tx);
  let count: number;
  if (table.columns.includes("tenant_id")) {
    await client.query(`create temporary table incoming (like ${name}) on commit drop`);
    if (!table.columns.includes("id")) await client.query("alter table incoming drop column if exists id");
    count = await copyInto(client, reader, table, copyTarget({ ...table, name: "incoming" }), watch);
    const columns = table.columns.map(pg.escapeIdentifier).join(", ");
    await client.query(`update incoming set tenant_id = ${pg.escapeLiteral(tenantId)}`);
    await client.query(`insert into ${name} (${columns}) select ${columns} from incoming`);
    await client.query("drop table incoming");
  } else count = await copyInto(client, reader, table, copyTarget(table), watch);
  const own = await row(
    sql<{ n: number }>`select count(*) as n from ${sql.table(table.name)} where site_id = ${siteId}`,
    tx,
  );
  // Rows of another site would belong to another publisher.
  if (own!.n !== count) throw unreadable();
  await client.query(`analyze ${name}`);
  return count;
}

async function finish(tx: Tx, actor: Actor, siteId: string): Promise<void> {
  // New readers need ids above the imported ones.
  await raiseSubscriberIds(tx, siteId);
  // The hubs know the address of the former installation.
  await resetHubsOfSite(tx, siteId);
  // The former installation may have sent what was due.
  await restartRecurringSends(tx, siteId);
  await withdrawMembersSends(tx, siteId);
  await recordAuditEvent(tx, actor, "site.imported", { siteId });
}
