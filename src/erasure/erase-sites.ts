import { sql } from "kysely";
import { readTables } from "../backup/tables.ts";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";

const rowsPerPiece = 5_000;

/**
 * The maintenance task that erases sites whose erasure was asked for (`requestSiteErasure`), once none of their runs is
 * open: all rows with their id, in tables that need no entry here, and at last their own.
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

/** Deletes rows of one table that name a site, at most `rowsPerPiece`. Returns how many; 0 once there are none anywhere. */
async function deleteRowsOf(tx: Tx, siteId: string): Promise<number> {
  // A correction names its campaign, and a piece may have one without the other.
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

/** The tables with a `site_id`, those first that others do not point to. */
async function tablesOfSites(on: Executor): Promise<string[]> {
  const tables = await readTables(on);
  return tables
    .filter(({ columns }) => columns.includes("site_id"))
    .map(({ name }) => name)
    .toReversed();
}
