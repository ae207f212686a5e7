import { createHash } from "node:crypto";
import type pg from "pg";

/**
 * PostgreSQL's error codes for a prepared statement that does not exist, or that exists already. They mean that a
 * PgBouncer before 1.21 is in between. It gives each transaction another connection and does not track prepared
 * statements.
 */
const notPreparedCodes = new Set(["26000", "42P05"]);

/**
 * The most prepared statements of a connection. Each takes about 20 kB of the server's memory, which the API's
 * statements of varying text must not fill.
 */
const preparedAtMost = 300;

/**
 * Makes `client` prepare a statement with parameters when it comes for the second time, and send only its name from
 * then on. Planning takes up to four fifths of a small statement's time. PostgreSQL keeps the plan, so such a
 * statement must use its index at any size of the tables. If prepared statements do not work, calls `onUnsupported`
 * and continues without them.
 */
export function prepareStatements(client: pg.ClientBase, onUnsupported: (error: Error) => void): void {
  const query = client.query.bind(client) as (text: string | pg.QueryConfig, values?: unknown[]) => Promise<unknown>;
  const seen = new Set<string>();
  const prepared = new Set<string>();
  let isSupported = true;

  function isWorthIt(text: string): boolean {
    if (prepared.has(text)) return true;
    if (!seen.delete(text)) {
      if (seen.size >= preparedAtMost) seen.clear();
      seen.add(text);
      return false;
    }
    if (prepared.size >= preparedAtMost) return false;
    prepared.add(text);
    return true;
  }

  async function queryPrepared(text: string, values: unknown[]): Promise<unknown> {
    try {
      return await query({ name: nameOf(text), text, values });
    } catch (error) {
      if (!notPreparedCodes.has((error as { code?: string }).code ?? "")) throw error;
      isSupported = false;
      onUnsupported(error as Error);
      // PostgreSQL has executed nothing of the statement, so it may be sent again.
      return query(text, values);
    }
  }

  client.query = ((text: string, values: unknown[] = []) =>
    isSupported && values.length > 0 && isWorthIt(text)
      ? queryPrepared(text, values)
      : query(text, values)) as typeof client.query;
}

const names = new Map<string, string>();

/** Returns the name of a statement: a hash of its text, so that one name never refers to two statements. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `pressbell_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  names.set(text, name);
  return name;
}
