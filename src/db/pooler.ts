import { type Connection, createClient } from "./pool.ts";
import { openSession } from "./pooled-client.ts";

/**
 * Returns whether a pooler such as PgBouncer, rather than PostgreSQL, answers at `connection`. Rejects if nothing
 * answers.
 */
export async function isBehindPooler(connection: Connection): Promise<boolean> {
  const client = createClient(connection, "pressbell doctor");
  client.on("error", () => {});
  await client.connect();
  try {
    return (await openSession(client)).isPooled;
  } finally {
    await client.end();
  }
}
