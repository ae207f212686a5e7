import { rm } from "node:fs/promises";
import { sql } from "kysely";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant, row, rows, type Tx } from "../db/pool.ts";
import { countUnfinishedRuns } from "../runs/queries.ts";
import { markSiteMoved, releaseQuarantine, unmarkSiteMoved } from "../tenants/sites/quarantine-queries.ts";
import { siteLocked } from "../tenants/sites/queries.ts";
import { openVapidKey } from "../tenants/vapid/vapid-pair.ts";
import { BackupError } from "./backup-error.ts";
import type { CopyTx } from "./copy-session.ts";
import { type SiteManifest, writeData, writeRecord } from "./records.ts";
import { readSiteTables } from "./site-tables.ts";
import { type SealedFile, writeSealed } from "./write-backup.ts";

type Input = Omit<SealedFile, "connection"> & { siteId: string };

/**
 * Writes a site of the actor's tenant into a sealed file, which `importSite` of another installation reads: its key
 * pair, readers, topics, campaigns, runs, feeds and audit log. Marks the site as moved, so that it sends nothing here
 * and nothing is sent twice. A moved site can be exported again. If the export fails, the mark is as it was before.
 * Returns the length of the file in bytes. Throws BackupError for open runs, because only this installation knows
 * their remaining readers.
 */
export async function exportSite(app: App, actor: Actor, input: Input): Promise<{ bytes: number }> {
  const { siteId, output, path } = input;
  const before = await inTenant(app.db, actor.tenantId, (tx) => mark(tx, actor, siteId)).catch(async (error) => {
    await output.close();
    await rm(path, { force: true });
    throw error;
  });
  try {
    return await writeSealed({ ...input, connection: app.connection }, (session) => dumpSite(app, session, siteId));
  } catch (error) {
    if (!before.wasMoved)
      await inTenant(app.db, actor.tenantId, (tx) => unmark(tx, actor, siteId, before.wasQuarantined));
    throw error;
  }
}

async function mark(tx: Tx, actor: Actor, siteId: string): Promise<{ wasMoved: boolean; wasQuarantined: boolean }> {
  if ((await siteLocked(tx, actor.tenantId, siteId)) === undefined)
    throw new BackupError(`There is no site ${siteId}.`);
  await refuseOpenRuns(tx, siteId);
  const before = await markSiteMoved(tx, siteId);
  await recordAuditEvent(tx, actor, "site.exported", { siteId });
  return before;
}

async function unmark(tx: Tx, actor: Actor, siteId: string, wasQuarantined: boolean): Promise<void> {
  await unmarkSiteMoved(tx, actor.tenantId, siteId);
  if (!wasQuarantined) await releaseQuarantine(tx, actor.tenantId, siteId);
}

async function refuseOpenRuns(on: Tx, siteId: string): Promise<void> {
  const open = await countUnfinishedRuns(on, siteId);
  if (open === 0) return;
  throw new BackupError(
    `The site has ${open} open runs (runs list): wait for their end or stop them, then export again.`,
  );
}

/** Reads a site as records, from one snapshot. */
async function* dumpSite(app: App, { tx, client }: CopyTx, siteId: string): AsyncGenerator<Buffer> {
  // A send that passed its checks before the mark may have started a run after it.
  await refuseOpenRuns(tx, siteId);
  const value = await readSiteManifest(app, tx, siteId);
  yield writeRecord({ kind: "site", value });
  for (const table of await readSiteTables(tx)) {
    yield writeRecord({ kind: "table", value: table });
    const columns = table.columns.map(pg.escapeIdentifier).join(", ");
    const order = table.name === "audit_events" ? " order by id" : "";
    const select = `select ${columns} from ${pg.escapeIdentifier(table.name)} where site_id = ${pg.escapeLiteral(siteId)}${order}`;
    const copied = client.query(copyTo(`copy (${select}) to stdout`));
    for await (const bytes of copied) yield* writeData(bytes as Buffer);
    yield writeRecord({ kind: "rows", value: copied.rowCount });
  }
  yield writeRecord({ kind: "end", value: { sequences: [] } });
}

/**
 * Returns the manifest of a site. Its private key is unsealed, because the secret key of this installation opens other
 * sites too.
 */
async function readSiteManifest(app: App, tx: Tx, siteId: string): Promise<SiteManifest> {
  const found = await row(
    sql<{ createdAt: Date; sealed: Buffer; site: SiteManifest["site"] }>`select now() as "createdAt",
        s.vapid_private_key_sealed as sealed, to_jsonb(s) - 'vapid_private_key_sealed' as site
      from sites s where id = ${siteId}`,
    tx,
  );
  const { createdAt, sealed, site } = found!;
  const applied = await rows(sql<{ name: string }>`select name from kysely_migration order by name`, tx);
  const privateKey = openVapidKey(app.secrets, siteId, sealed).toString("base64url");
  return { createdAt: createdAt.toISOString(), migrations: applied.map(({ name }) => name), site, privateKey };
}
