import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import type { Migration, MigrationProvider } from "kysely/migration";
import { type Executor, row, rows } from "./pool.ts";

const folder = new URL("./migrations/", import.meta.url);

/**
 * The migrations. Each `NNNN-name.sql` is one migration. Each folder `NNNN-name` is also one migration, and its files
 * apply in the order of their names. All migrations of one start are one transaction. There are no down migrations: a
 * later migration fixes a fault. A migration that removes what the former program uses is named `NNNN-contract-name`
 * (checkSchema).
 */
export const sqlFiles: MigrationProvider = {
  async getMigrations() {
    const migrations = (await readMigrations()).map(({ name, text }): [string, Migration] => [
      name,
      {
        up: (db) =>
          sql
            .raw(text)
            .execute(db)
            .then(() => undefined),
      },
    ]);
    return Object.fromEntries(migrations);
  },
};

type SqlMigration = { name: string; text: string };

async function readMigrations(): Promise<SqlMigration[]> {
  const entries = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name)).sort();
  return Promise.all(entries.map((entry) => (entry.endsWith(".sql") ? readFileOf(entry) : readFolder(entry))));
}

async function readFileOf(entry: string): Promise<SqlMigration> {
  return { name: entry.replace(/\.sql$/, ""), text: await readFile(new URL(entry, folder), "utf8") };
}

/**
 * Reads a folder as one migration. The folder is the schema before the first release, and changes with the program.
 * Its name ends with a hash of its statements, so that the database of an earlier commit can be recognized
 * (isUnreleased).
 */
async function readFolder(entry: string): Promise<SqlMigration> {
  const parts = new URL(`${entry}/`, folder);
  const files = (await readdir(parts)).filter((name) => name.endsWith(".sql")).sort();
  const text = (await Promise.all(files.map((name) => readFile(new URL(name, parts), "utf8")))).join("\n");
  const statements = text.replace(/^\s*--.*$/gm, "").replace(/\s+/g, " ");
  return { name: `${entry}-${createHash("sha256").update(statements).digest("hex").slice(0, 12)}`, text };
}

/** Returns the migrations of this program that are named in `only`: a schema as an older program had it. */
export function sqlFilesNamed(only: string[]): MigrationProvider {
  return {
    async getMigrations() {
      const all = Object.entries(await sqlFiles.getMigrations());
      return Object.fromEntries(all.filter(([name]) => only.includes(name)));
    },
  };
}

/** Returns the names of this program's migrations, in the order in which they apply. */
export async function ownNames(): Promise<string[]> {
  return (await readMigrations()).map(({ name }) => name);
}

/** Returns whether an unknown migration comes from a commit before the first release. Such schemas are not migrated. */
export const isUnreleased = (unknown: string) => unknown.startsWith("0001-");

/**
 * What a command may do to the schema.
 *
 * - "use": nothing. The schema must be up to date, or newer with additions only.
 * - "create": create the first schema, and the embedded database, if it is missing.
 * - "migrate": the same as "create", and bring the schema up to date.
 * - "look": nothing. The schema may be in any state.
 */
export type SchemaRight = "use" | "create" | "migrate" | "look";

/**
 * The migrations of this program compared with those of the database. `pending`: not applied yet. `unknown`: applied
 * by another version.
 */
export type MigrationState = { pending: string[]; unknown: string[]; isEmpty: boolean; newest: string };

/**
 * An error about a schema that this program must not work with, or must not migrate. It stops the start. The message
 * is one line that says what to do.
 */
export class SchemaError extends Error {}

/**
 * Checks whether this program can work with the schema as it is. Migrations of other versions only add, except those
 * that are named `NNNN-contract-…`. Throws SchemaError if such a migration was applied, if the program and the
 * database each have migrations that the other lacks, and for a database from before the first release.
 */
export function checkSchema({ pending, unknown, newest }: MigrationState): "up to date" | "pending" {
  if (unknown.some(isUnreleased)) {
    const origin = "the database is from before the first release of Pressbell, and this program cannot read it";
    throw new SchemaError(`Nothing was done: ${origin}. Start with an empty one: a new DATA_DIR, or createdb.`);
  }
  const own = `this program knows migrations up to ${newest}`;
  const contract = unknown.find((name) => /^\d+-contract-/.test(name));
  if (contract !== undefined || (unknown.length > 0 && pending.length > 0)) {
    const other = `the database's schema is that of another version of Pressbell (${contract ?? unknown.at(-1)})`;
    throw new SchemaError(`Nothing was done: ${other}, and ${own}. Start that version or a newer one.`);
  }
  return pending.length === 0 ? "up to date" : "pending";
}

/**
 * Makes sure that this program can work with the schema, and changes nothing. Throws SchemaError if it cannot, for
 * example because the schema is older.
 */
export async function expectSchema(db: Executor): Promise<void> {
  const state = await readMigrationState(db);
  if (checkSchema(state) === "up to date") return;
  const { pending } = state;
  const lacks = `migrations that this version needs are missing in the database (${pending.length}, from ${pending[0]} on)`;
  throw new SchemaError(`Nothing was done: ${lacks}. Upgrade the service, or run: pressbell migrate`);
}

/** Compares the schema with the migrations of this program. Changes neither. */
export async function readMigrationState(db: Executor): Promise<MigrationState> {
  const known = await ownNames();
  const table = await row(sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`, db);
  const isEmpty = table!.name === null;
  const applied = isEmpty ? [] : await rows(sql<{ name: string }>`select name from kysely_migration order by name`, db);
  const names = new Set(applied.map(({ name }) => name));
  return {
    pending: known.filter((name) => !names.has(name)),
    unknown: [...names].filter((name) => !known.includes(name)),
    isEmpty,
    newest: known.at(-1)!,
  };
}
