import type { Connection } from "../db/pool.ts";
import { isBehindPooler } from "../db/pooler.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/**
 * Looks for a pooler such as PgBouncer at both addresses of the database. `direct`: the address in
 * DATABASE_URL_DIRECT.
 */
export async function checkPooler(connection: Connection, direct: Connection | undefined): Promise<Finding> {
  const check = "database pooler";
  if (direct !== undefined && (await isBehindPooler(direct))) {
    return failed(check, "DATABASE_URL_DIRECT leads to a pooler such as PgBouncer: set it to PostgreSQL itself");
  }
  if (!(await isBehindPooler(connection))) return ok(check, "none in front of DATABASE_URL");
  if (direct !== undefined) return ok(check, "in front of DATABASE_URL; DATABASE_URL_DIRECT is without");
  return warning(
    check,
    "a pooler such as PgBouncer is in front of DATABASE_URL, so delivery costs more and migrations may time out: " +
      "set DATABASE_URL_DIRECT to PostgreSQL itself",
  );
}
