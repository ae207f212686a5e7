import { sql } from "kysely";
import { rows } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";

const rowsPerPiece = 5_000;

/** Returns the task that deletes the rows of a table whose `day` is more than `keptDays` days ago. */
export function expireDays(
  name: string,
  table: "site_days" | "prompt_days" | "holdout_days",
  keptDays = 90,
): MaintenanceTask {
  return {
    name,
    async sweep(tx) {
      const deleted = await rows(
        sql`delete from ${sql.table(table)} where ctid = any(array(
            select ctid from ${sql.table(table)} where day < now() - make_interval(days => ${keptDays})
            order by day limit ${rowsPerPiece})) returning day`,
        tx,
      );
      return { removed: deleted.length, at: deleted.length === rowsPerPiece ? "on" : null };
    },
  };
}

/** The maintenance task that deletes old daily counts of what pages reported. */
export const expireSiteDays = expireDays("old days of sites", "site_days");

/** The maintenance task that deletes old daily counts of prompts. */
export const expirePromptDays = expireDays("old days of prompts", "prompt_days");
