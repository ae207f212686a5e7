import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { row, type Tx } from "../../src/db/database.ts";

/** How many rows of a table PostgreSQL reads while it answers what `ask` asks in its transaction. */
export function rowsRead(app: App, table: string, ask: (tx: Tx) => Promise<unknown>): Promise<number> {
  return app.db.transaction().execute(async (tx) => {
    // The counters may still hold earlier statements of this connection.
    const before = await counted(tx, table);
    await ask(tx);
    return (await counted(tx, table)) - before;
  });
}

async function counted(tx: Tx, table: string): Promise<number> {
  const counters = await row(
    sql<{ n: number }>`select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables
      where relname = ${table}`,
    tx,
  );
  return counters!.n;
}
