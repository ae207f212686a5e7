import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import type { SequenceState, TableHead } from "./records.ts";

/** Tables about this database or its processes. They are not part of a backup. */
const ofThisDatabase = ["kysely_migration", "kysely_migration_lock", "delivering_processes", "database_identity"];

type Reference = { from: string; to: string };

/**
 * Returns the tables of a backup with their columns. A table comes after the tables that its foreign keys refer to, so
 * that each row finds the row that it refers to. Leaves out unlogged tables (counters of rate limits).
 */
export async function readTables(on: Executor): Promise<TableHead[]> {
  const tables = await rows(
    sql<TableHead>`select c.relname as name,
        array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
          and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
        and c.relname <> all(${ofThisDatabase}::text[])
      order by c.relname`,
    on,
  );
  const references = await rows(
    sql<Reference>`select c.relname as "from", f.relname as "to"
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace and c.oid <> f.oid`,
    on,
  );
  return sortByReferences(tables, references);
}

function sortByReferences(tables: TableHead[], references: Reference[]): TableHead[] {
  const sorted: TableHead[] = [];
  for (let rest = tables; rest.length > 0; ) {
    const waits = ({ name }: TableHead) =>
      references.some(({ from, to }) => from === name && rest.some((other) => other.name === to));
    const next = rest.filter((table) => !waits(table));
    if (next.length === 0) throw new Error(`foreign keys form a circle: ${rest.map(({ name }) => name).join(", ")}`);
    sorted.push(...next);
    rest = rest.filter(waits);
  }
  return sorted;
}

/** Returns the identity columns of the schema, with the last number that each has given. */
export async function readSequences(on: Executor): Promise<SequenceState[]> {
  return rows(
    sql<SequenceState>`select c.relname as "table", a.attname as "column",
        coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), 0) as last
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''
        and not a.attisdropped
      order by 1, 2`,
    on,
  );
}

/** Makes identity columns continue above the numbers that they have given. */
export async function writeSequences(on: Executor, sequences: SequenceState[]): Promise<void> {
  for (const { table, column, last } of sequences) {
    if (last === 0) continue;
    await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column})::regclass, ${last})`.execute(on);
  }
}
