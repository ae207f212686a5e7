import { sql } from "kysely";
import { readTables } from "../backup/tables.ts";
import { type Executor, row, type Tx } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";

const rowsPerPiece = 5_000;

/**
 * The maintenance task that erases the sites that `requestSiteErasure` has marked. Waits until all runs of a site have
 * ended. Deletes all rows with the site's id, in tables that need no entry here, and finally the row of the site. The
 * position is the site and the table of the previous piece.
 */
export const eraseSites: MaintenanceTask = {
  name: "sites to erase",
  async sweep(tx, at) {
    // A bitmap scan reads all readers of the site for each piece. `readByKeys` is not used here: it also makes
    // PostgreSQL plan the foreign-key checks of each row again, which takes three times as long.
    await sql`set local enable_bitmapscan = off`.execute(tx);
    const site = await row(
      sql<{ id: string }>`select s.id from sites s
        where s.erase_at is not null
          and not exists (select from runs r where r.site_id = s.id and r.finished_at is null)
        order by s.id limit 1 for update of s skip locked`,
      tx,
    );
    if (site === undefined) return { removed: 0, at: null };
    const [siteId, table] = at?.split(" ") ?? [];
    const piece = await deleteRowsOf(tx, site.id, siteId === site.id ? table : undefined);
    if (piece !== undefined) return { removed: piece.removed, at: `${site.id} ${piece.table}` };
    await sql`delete from sites where id = ${site.id}`.execute(tx);
    return { removed: 1, at: "on" };
  },
};

/**
 * Deletes at most `rowsPerPiece` rows of one table that refer to a site. Looks at the table of the previous piece
 * first, because the tables before it have many deleted rows to look through. Returns the table and how many rows were
 * deleted; undefined if no table has any row left.
 */
async function deleteRowsOf(
  tx: Tx,
  siteId: string,
  previous: string | undefined,
): Promise<{ removed: number; table: string } | undefined> {
  // A correction refers to another campaign. A piece may delete one of them without the other.
  await sql`update campaigns set corrects = null where site_id = ${siteId} and corrects is not null`.execute(tx);
  const tables = await tablesOfSites(tx);
  const from = Math.max(0, tables.indexOf(previous ?? ""));
  for (const table of [...tables.slice(from), ...tables.slice(0, from)]) {
    const deleted = await sql`delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where site_id = ${siteId} limit ${rowsPerPiece}))`.execute(tx);
    const removed = Number(deleted.numAffectedRows);
    if (removed > 0) return { removed, table };
  }
  return undefined;
}

/** Returns the tables with a `site_id`. A table comes before the tables that it refers to. */
async function tablesOfSites(on: Executor): Promise<string[]> {
  const tables = await readTables(on);
  return tables
    .filter(({ columns }) => columns.includes("site_id"))
    .map(({ name }) => name)
    .toReversed();
}
