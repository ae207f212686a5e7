import type { Database } from "../db/pool.ts";
import { isUnreleased, readMigrationState } from "../db/schema.ts";
import type { SecretBox } from "../secret-box.ts";
import { secretKeyFits } from "../tenants/vapid/vapid-pair.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** Compares the schema with the migrations of this program. Applies none. */
export async function checkMigrations(db: Database): Promise<Finding> {
  const check = "database schema";
  const { pending, unknown } = await readMigrationState(db);
  if (unknown.some(isUnreleased))
    return failed(check, "it is from before the first release: start with an empty database");
  if (unknown.length > 0) {
    return failed(check, `a newer Pressbell has migrated it (${unknown.at(-1)}): upgrade this program`);
  }
  if (pending.length === 0) return ok(check, "up to date");
  return warning(
    check,
    `migrations pending: ${pending.length}; the next start of the service or pressbell migrate applies them`,
  );
}

/** Checks whether SECRET_KEY opens the sealed private keys in the database. The schema must be up to date. */
export async function checkSecretKey(db: Database, secrets: SecretBox): Promise<Finding> {
  const check = "secret key";
  if (await secretKeyFits(db, secrets)) return ok(check, "opens the private keys in the database");
  return failed(
    check,
    "SECRET_KEY is not the one that sealed the keys in this database: set that one, or put DATA_DIR/secret.key back",
  );
}
