import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "./app.ts";
import { type Config, ConfigError } from "./config.ts";
import { leaseEmbeddedPostgres } from "./db/embedded/lease.ts";
import { holdsCluster } from "./db/embedded/places.ts";
import { migrate } from "./db/migrate.ts";
import { openDatabase } from "./db/pool.ts";
import { waitBudgetMs } from "./db/wait-budget.ts";
import { createPageFetcher } from "./egress/page/fetch-page.ts";
import { createLogger } from "./log.ts";
import { createSecretBox } from "./secret-box.ts";
import { secretKeyFits } from "./tenants/vapid/vapid-pair.ts";

const otherSecretKey =
  "Wrong setting: SECRET_KEY is not the one that sealed the keys in this database. Set that one, or put DATA_DIR/secret.key back.";

const noDataIn = (dataDir: string) =>
  `There is no Pressbell data in ${dataDir}. ` +
  "Set DATA_DIR, or DATABASE_URL and SECRET_KEY, to the service's (docs/operations.md).";

/**
 * A keeper's longest statement, a page of a large audience that the disk has to bring, takes seconds. A lock holds nobody
 * for longer than a request has patience: a keeper comes again.
 */
const limits = { statementMs: 60_000, lockMs: waitBudgetMs };

/** `logTo`: a command's own output goes to stdout. `mayMakeDatabase`: begins an embedded one where there is none yet. */
export type Opening = { logTo: "stdout" | "stderr"; mayMakeDatabase: boolean };

export type OpenApp = { app: App; secretKey: string; close(): Promise<void> };

/**
 * Makes the app: the database (embedded unless DATABASE_URL is set) with its schema up to date, the secrets, the guard.
 * `close` gives everything back; with the last user of the embedded database that ends too. Throws ConfigError where
 * DATA_DIR holds no database and none may be made.
 */
export async function openApp(config: Config, { logTo, mayMakeDatabase }: Opening): Promise<OpenApp> {
  // An empty database would answer too, and at night "nothing is being sent" would be believed.
  if (config.DATABASE_URL === undefined && !mayMakeDatabase && !holdsCluster(config.DATA_DIR))
    throw new ConfigError(noDataIn(config.DATA_DIR));
  const log = createLogger(config.LOG_LEVEL, logTo);
  const lease = config.DATABASE_URL === undefined ? await leaseEmbeddedPostgres(config.DATA_DIR) : undefined;
  lease?.onLost((error) => {
    log.fatal({ err: error }, "the embedded database was lost and could not be started again");
    // Whoever supervises this process starts it again; without a database it can do nothing.
    process.exit(1);
  });
  const connection = lease?.connection ?? { url: config.DATABASE_URL! };
  const db = openDatabase({ connection, poolMax: 10, applicationName: "pressbell", log, limits });
  const pages = createPageFetcher({ allowHosts: config.ALLOW_HOSTS });
  const close = async () => {
    await pages.close();
    await db.destroy();
    await lease?.release();
  };
  try {
    const applied = await migrate(connection, log);
    if (applied.length > 0) log.info({ applied }, "the schema was brought up to date");
    const secretKey = config.SECRET_KEY ?? (await ownSecretKey(config.DATA_DIR));
    const secrets = createSecretBox(secretKey);
    if (!(await secretKeyFits(db, secrets))) throw new ConfigError(otherSecretKey);
    const app = { config, db, connection, log, secrets, pages, now: Date.now };
    return { app, secretKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The key that goes with the embedded database: made once, for its owner's eyes only, in DATA_DIR. */
async function ownSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret.key");
  const draft = `${file}.${process.pid}`;
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  // A link fails where the file exists: of two first starts at once both read the same key.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await readFile(file, "utf8")).trim();
}
