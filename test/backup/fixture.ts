import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { writeBackup } from "../../src/backup/write-backup.ts";
import { row, rows } from "../../src/db/pool.ts";
import { beginSend } from "../../src/sends/undo-window.ts";
import { testSecretKey } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { changePlannedSends, insertCampaign as insertRow } from "../fixtures/rows/campaigns.ts";
import { ahead, present } from "../fixtures/rows/change.ts";
import { message } from "../runs/fixture.ts";

export const passphrase = "a passphrase for backups";

/** Creates a folder that is removed after the file's last test. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-backup-"));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a backup of the app's database to a new file. */
export async function backUp(app: App, path: string, secretKey = testSecretKey): Promise<void> {
  const output = await open(path, "wx");
  const { signal } = new AbortController();
  await writeBackup({ connection: app.connection, secretKey, passphrase, output, path, signal });
}

/** Inserts a draft, or with `dueInSeconds` a scheduled campaign. Returns its id. */
export function insertCampaign(app: App, { siteId, tenantId }: Publisher, dueInSeconds?: number): Promise<string> {
  const due = dueInSeconds === undefined ? {} : { scheduledAt: ahead(`${dueInSeconds} seconds`) };
  const { url, title, body } = message;
  return insertRow(app, { siteId, tenantId, url, title, body, ...due });
}

/** Begins a send by the tenant's owner whose ten seconds for undo are already over. Returns the campaign. */
export async function openUndoWindow(app: App, publisher: Publisher): Promise<string> {
  const { tenantId } = publisher;
  const owner = await row(
    sql<{ userId: string }>`select user_id as "userId" from members where tenant_id = ${tenantId}`,
    app.db,
  );
  const campaignId = await insertCampaign(app, publisher);
  await beginSend(app, { kind: "user", tenantId, userId: owner!.userId }, { campaignId, body: {} });
  await changePlannedSends(app, { campaignId, waitsFor: "undo" }, { startsAt: present });
  return campaignId;
}

/** Returns a hash of the rows of each of these tables. */
export async function hashTables(app: App, tables: string[]): Promise<Record<string, string>> {
  const hashes = await Promise.all(
    tables.map((name) =>
      row(
        sql<{ hash: string }>`select count(*) || ' ' || md5(string_agg(t::text, '' order by t::text)) as hash
          from ${sql.table(name)} t`,
        app.db,
      ),
    ),
  );
  return Object.fromEntries(tables.map((name, at) => [name, hashes[at]!.hash]));
}

/** Returns the names of the tables in a database. */
export async function tablesOf(app: Pick<App, "db">): Promise<string[]> {
  return (
    await rows(sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`, app.db)
  ).map(({ name }) => name);
}
