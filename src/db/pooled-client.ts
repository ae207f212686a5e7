import type pg from "pg";
import { noLimits, type SessionLimits, sessionSettings } from "./session-settings.ts";

/**
 * Opens the session of a new connection: sets what our statements depend on (session-settings.ts). Returns whether a
 * pooler such as PgBouncer is in between. PostgreSQL names its process when a connection begins. A pooler cannot pass
 * that on, because each transaction may get another process. A session through a pooler gets no settings.
 */
export async function openSession(client: pg.ClientBase, limits = noLimits): Promise<{ isPooled: boolean }> {
  const { processID } = client as pg.ClientBase & { processID: number };
  const opened = await client.query<{ isPooled: boolean }>(
    `select pg_backend_pid() <> $1 as "isPooled", case when pg_backend_pid() = $1
      then ${sessionSettings("session", limits)} end`,
    [processID],
  );
  return { isPooled: opened.rows[0]!.isPooled };
}

/**
 * Returns whether the pooler behind `client` keeps prepared statements, as PgBouncer does from 1.21 on
 * (`max_prepared_statements`). Such a pooler prepares them under names of its own. On a connection of a pooler that
 * does not keep them, this function leaves no statement behind.
 */
export async function keepsPrepared(client: pg.ClientBase): Promise<boolean> {
  await client.query("begin");
  try {
    const { rows } = await client.query<{ isKept: boolean }>({
      name: "pressbell_probe",
      text: `select exists (select from pg_prepared_statements where name like $1 and statement like '%' || $2 || '%')
        as "isKept"`,
      values: ["PGBOUNCER\\_%", "pg_prepared_statements"],
    });
    if (!rows[0]!.isKept) await client.query("deallocate pressbell_probe");
    await client.query("commit");
    return rows[0]!.isKept;
  } catch (error) {
    await client.query("rollback");
    // Another client has left a statement of this name on the connection.
    if ((error as { code?: string }).code === "42P05") return false;
    throw error;
  }
}

const pooled = new WeakSet<pg.ClientBase>();

/** Returns whether `limitEachTransaction` was called for this client. */
export function isPooled(client: pg.ClientBase): boolean {
  return pooled.has(client);
}

/**
 * Makes each transaction of `client` begin with its own settings (session-settings.ts) and with the limits that
 * `limitsNow` returns. They end with the transaction. A statement outside of a transaction becomes a transaction. So
 * no setting stays on the connection that a pooler gives to another client, and none is missing on the one that we
 * get.
 */
export function limitEachTransaction(client: pg.ClientBase, limitsNow: () => SessionLimits): void {
  pooled.add(client);
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let isOpen = false;

  function begin(text: string): Promise<unknown> {
    return query(`${text}; select ${sessionSettings("transaction", limitsNow())}`);
  }

  async function queryAlone(...args: unknown[]): Promise<unknown> {
    await begin("begin");
    try {
      const result = await query(...args);
      await query("commit");
      return result;
    } catch (error) {
      // If the connection is lost, the rollback fails too. The first error is reported.
      await query("rollback").catch(() => {});
      throw error;
    }
  }

  client.query = ((...args: unknown[]) => {
    const text = String(args[0]);
    if (/^(begin|start transaction)\b/.test(text)) {
      isOpen = true;
      return begin(text);
    }
    if (text === "commit" || text === "rollback") isOpen = false;
    else if (!isOpen) return queryAlone(...args);
    return query(...args);
  }) as typeof client.query;
}
