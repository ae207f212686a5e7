import { sql } from "kysely";
import { readTables } from "../backup/tables.ts";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";

const rowsPerPiece = 5_000;

/**
 * The maintenance task that erases the sites that `requestSiteErasure` has marked. Waits until all runs of a site have
 * ended. Deletes all rows with the site's id, in tables that need no entry here, and finally the row of the site.
 */
export const eraseSites: MaintenanceTask = {
  name: "sites to erase",
  async sweep(tx) {
    const site = await row(
      sql<{ id: string }>`select s.id from sites s
        where s.erase_at is not null
          and not exists (select from runs r where r.site_id = s.id and r.finished_at is null)
        order by s.id limit 1 for update of s skip locked`,
      tx,
    );
    if (site === undefined) return { removed: 0, at: null };
    const removed = await deleteRowsOf(tx, site.id);
    if (removed > 0) return { removed, at: "on" };
    await sql`delete from sites where id = ${site.id}`.execute(tx);
    return { removed: 1, at: "on" };
  },
};

/**
 * Deletes at most `rowsPerPiece` rows of one table that refer to a site. Returns how many, or 0 if no table has any
 * left.
 */
async function deleteRowsOf(tx: Tx, siteId: string): Promise<number> {
  // A correction refers to another campaign. A piece may delete one of them without the other.
  await sql`update campaigns set corrects = null where site_id = ${siteId} and corrects is not null`.execute(tx);
  for (const name of await tablesOfSites(tx)) {
    const deleted = await rows(
      sql`delete from ${sql.table(name)} where ctid = any(array(
          select ctid from ${sql.table(name)} where site_id = ${siteId} limit ${rowsPerPiece})) returning 1 as one`,
      tx,
    );
    if (deleted.length > 0) return deleted.length;
  }
  return 0;
}

/** Returns the tables with a `site_id`. A table comes before the tables that it refers to. */
async function tablesOfSites(on: Executor): Promise<string[]> {
  const tables = await readTables(on);
  return tables
    .filter(({ columns }) => columns.includes("site_id"))
    .map(({ name }) => name)
    .toReversed();
}
