import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import type { TableHead } from "./records.ts";
import { readTables } from "./tables.ts";

/** Tables with the current work of this installation's processes. */
const ofProcesses = ["feed_site_claims", "registration_quotas"];

/**
 * Returns the tables with the rows of one site, in the order of `readTables`: all that have a `site_id`, so a new
 * table needs no entry here. Leaves out tables that belong to a person, such as autosaved drafts, and columns that
 * name a person, because accounts are not exported. Audit events get new ids, because ids count within a tenant.
 */
export async function readSiteTables(on: Executor): Promise<TableHead[]> {
  const personal = await rows(
    sql<{ name: string }>`with recursive personal as (
        select 'users'::regclass::oid as id
        union select k.conrelid from pg_constraint k join personal p on k.confrelid = p.id
          where k.contype = 'f' and k.confdeltype <> 'n')
      select c.relname as name from personal p join pg_class c on c.oid = p.id`,
    on,
  );
  const people = await rows(
    sql<{ table: string; column: string }>`select c.relname as table, a.attname as column
      from pg_constraint k join pg_class c on c.oid = k.conrelid
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'f' and k.confdeltype = 'n' and k.confrelid = 'users'::regclass`,
    on,
  );
  const givenAnew = new Set(["audit_events.id", ...people.map(({ table, column }) => `${table}.${column}`)]);
  const left = new Set([...ofProcesses, ...personal.map(({ name }) => name)]);
  return (await readTables(on))
    .filter(({ name, columns }) => columns.includes("site_id") && !left.has(name))
    .map(({ name, columns }) => ({ name, columns: columns.filter((column) => !givenAnew.has(`${name}.${column}`)) }));
}
