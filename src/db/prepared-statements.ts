import { createHash } from "node:crypto";
import type pg from "pg";

/**
 * PostgreSQL's word that a prepared statement is not there, or is there already: between us and it stands a PgBouncer
 * that hands each transaction another connection and does not carry prepared statements along (before 1.21).
 */
const notCarried = new Set(["26000", "42P05"]);

/**
 * Has `client` prepare each statement with parameters once and then only name it: planning takes up to four fifths of a
 * small statement's time. Such a statement has to be found by index at any size of its tables, as its plan is kept. Where
 * prepared statements are not carried along, `onRefused` is called and the client goes on without them.
 */
export function prepareStatements(client: pg.ClientBase, onRefused: (error: Error) => void): void {
  const query = client.query.bind(client) as (text: string | pg.QueryConfig, values?: unknown[]) => Promise<unknown>;
  let isRefused = false;

  async function queryPrepared(text: string, values: unknown[]): Promise<unknown> {
    try {
      return await query({ name: nameOf(text), text, values });
    } catch (error) {
      if (!notCarried.has((error as { code?: string }).code ?? "")) throw error;
      isRefused = true;
      onRefused(error as Error);
      // Nothing of it was executed.
      return query(text, values);
    }
  }

  client.query = ((text: string, values: unknown[] = []) =>
    isRefused || values.length === 0 ? query(text, values) : queryPrepared(text, values)) as typeof client.query;
}

const names = new Map<string, string>();

/** One text has one name everywhere, so that a name never stands for another's statement. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `pressbell_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  names.set(text, name);
  return name;
}
