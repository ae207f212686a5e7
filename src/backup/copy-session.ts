import { Kysely } from "kysely";
import type pg from "pg";
import { Dialect } from "../db/dialect.ts";
import { type Connection, createClient, type Tx } from "../db/pool.ts";
import { noLimits, sessionSettings } from "../db/session-settings.ts";

/** The name under which PostgreSQL lists the connection. */
export const copyApplication = "pressbell backup";

/** A transaction, with the client that it runs on, for COPY. */
export type CopyTx = { tx: Tx; client: pg.Client };

/**
 * Runs `work` in one transaction on its own connection, without time limits. `reading`: on one snapshot, and
 * read-only. If `work` or the commit fails, the transaction is rolled back.
 */
export async function inCopyTx<T>(
  connection: Connection,
  access: "reading" | "writing",
  work: (session: CopyTx) => Promise<T>,
): Promise<T> {
  const client = createClient(connection, copyApplication);
  // Without a listener, a lost connection would end this process. The waiting statement reports the error.
  client.on("error", () => {});
  await client.connect();
  const only = Object.assign(client, { release() {} });
  const pool = { options: {}, connect: async () => only, end: async () => {} };
  const db = new Kysely<unknown>({ dialect: new Dialect({ pool }) });
  let failure: { error: unknown } | undefined;
  try {
    const [isolation, mode] =
      access === "reading" ? (["repeatable read", "read only"] as const) : (["read committed", "read write"] as const);
    const begin = db.transaction().setIsolationLevel(isolation).setAccessMode(mode);
    return await begin.execute(async (tx) => {
      await client.query(`select ${sessionSettings("transaction", noLimits)}`);
      try {
        return await work({ tx, client });
      } catch (error) {
        failure = { error };
        // The rollback would wait for ever for an unread COPY. A reading transaction has nothing to roll back.
        if (access === "reading") client.connection.stream.destroy();
        throw error;
      }
    });
  } catch (error) {
    // The rollback may have failed too, so the error of `work` is thrown.
    throw failure === undefined ? error : failure.error;
  } finally {
    await client.end().catch(() => {});
  }
}
