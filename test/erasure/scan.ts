import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";

/** Returns the tables with a row that contains any of these texts. */
export async function tablesWith(app: App, ...texts: string[]): Promise<string[]> {
  const tables = await rows(
    sql<{ name: string }>`select c.relname as name from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 1`,
    app.db,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    // The text of a row shows bytes as hexadecimal digits.
    const [hit] = await rows(
      sql`select from ${sql.table(name)} t where exists (select from unnest(${texts}::text[]) as text
        where position(text in t::text) > 0) limit 1`,
      app.db,
    );
    if (hit !== undefined) found.push(name);
  }
  return found;
}

/**
 * Returns the tables that name this reader by number. It looks at all tables with such a column, so a new table needs
 * no entry here.
 */
export async function tablesWithNumber(app: App, readerNumber: number): Promise<string[]> {
  const columns = await rows(
    sql<{ table: string; column: string }>`select c.relname as table, a.attname as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and a.attname in ('subscriber_id', 'subscriber_ids') order by 1`,
    app.db,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const [hit] = await rows(
      sql`select from ${sql.table(table)} where array[${sql.ref(column)}]::bigint[] && array[${readerNumber}]::bigint[] limit 1`,
      app.db,
    );
    if (hit !== undefined) found.push(table);
  }
  return found;
}
