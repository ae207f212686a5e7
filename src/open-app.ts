import type { App } from "./app.ts";
import { quarantineIfCopied } from "./backup/copied-database.ts";
import { expectNotMoved } from "./backup/moved-mark.ts";
import type { Config } from "./config.ts";
import { leaseEmbeddedPostgres } from "./db/embedded/lease.ts";
import { holdsCluster } from "./db/embedded/paths.ts";
import { migrate } from "./db/migrate.ts";
import { type Connection, type Database, openDatabase, sharesOfProcess } from "./db/pool.ts";
import { createPoolWatch } from "./db/pool-watch.ts";
import { openReplica } from "./db/replica.ts";
import { expectSchema, readMigrationState, type SchemaRight } from "./db/schema.ts";
import { waitBudgetMs } from "./db/wait-budget.ts";
import { createPageFetcher } from "./egress/page/fetch-page.ts";
import { ConfigError } from "./errors.ts";
import { createImportPool } from "./import-pool.ts";
import { createLogger, type Logger } from "./log.ts";
import { createParser } from "./parser.ts";
import { createSecretBox } from "./secret-box.ts";
import { readOrCreateSecretKey } from "./secret-key-file.ts";
import { secretKeyFits } from "./tenants/vapid/vapid-pair.ts";

const otherSecretKey =
  "Wrong setting: SECRET_KEY is not the one that sealed the keys in this database. Set that one, or put DATA_DIR/secret.key back.";

const noDataIn = (dataDir: string) =>
  `There is no Pressbell data in ${dataDir}. ` +
  "Set DATA_DIR, or DATABASE_URL and SECRET_KEY, to the service's (docs/run.md).";

/**
 * The limits of statements. The longest statement of a poll loop reads a page of a large audience from disk, which
 * takes seconds. The wait for a lock is as long as a request may wait. After it, a poll loop tries again in its next
 * round.
 */
const limits = { statementMs: 60_000, lockMs: waitBudgetMs };

/**
 * `logTo`: "stderr" for a command that prints its result to stdout. `stop`: ends the wait while another process
 * migrates.
 */
export type OpenOptions = { logTo: "stdout" | "stderr"; schema: SchemaRight; stop: AbortSignal };

export type OpenApp = { app: App; secretKey: string; close(): Promise<void> };

/**
 * Opens the app: the database (embedded unless DATABASE_URL is set), the secret box, the page fetcher and the parser.
 * `close` releases all of it. The embedded database stops with its last user. Throws ConfigError if DATA_DIR holds no
 * database and this command may not create one, or if SECRET_KEY does not belong to the database. Throws SchemaError
 * if the program cannot use the schema.
 */
export async function openApp(config: Config, { logTo, schema, stop }: OpenOptions): Promise<OpenApp> {
  // If DATA_DIR is wrong, a new empty database would make `runs list` say that nothing is being sent.
  const hasData = config.DATABASE_URL === undefined && holdsCluster(config.DATA_DIR);
  if (config.DATABASE_URL === undefined && (schema === "use" || schema === "look") && !hasData)
    throw new ConfigError(noDataIn(config.DATA_DIR));
  if (hasData) await expectNotMoved(config.DATA_DIR);
  const log = createLogger(config.LOG_LEVEL, logTo, config.LOG_FORMAT);
  const lease = config.DATABASE_URL === undefined ? await leaseEmbeddedPostgres(config.DATA_DIR) : undefined;
  lease?.onLost((error) => {
    log.fatal({ err: error }, "the embedded database was lost and could not be started again");
    // Without a database the process can do nothing. The service manager restarts it.
    process.exit(1);
  });
  const { DATABASE_URL, DATABASE_URL_DIRECT } = config;
  const connection = DATABASE_URL === undefined ? lease!.connection : { url: DATABASE_URL };
  const direct =
    DATABASE_URL === undefined || DATABASE_URL_DIRECT === undefined ? connection : { url: DATABASE_URL_DIRECT };
  const pools = createPoolWatch();
  const db = openDatabase({
    connection,
    ...sharesOfProcess,
    applicationName: "pressbell",
    log,
    limits,
    watch: pools,
    prepared: "if possible",
  });
  const { DATABASE_URL_REPLICA } = config;
  const replica =
    DATABASE_URL === undefined || DATABASE_URL_REPLICA === undefined
      ? undefined
      : openReplica(DATABASE_URL_REPLICA, log);
  const pages = createPageFetcher({ allowHosts: config.ALLOW_HOSTS });
  const parser = createParser({ log });
  const imports = createImportPool({ connection: direct, log });
  const close = async () => {
    await pages.close();
    await parser.close();
    await imports.close();
    await replica?.close();
    await db.destroy();
    await lease?.release();
  };
  try {
    if (await mayMigrate(db, schema)) await migrateAndSay(direct, log, stop);
    else if (schema !== "look") await expectSchema(db);
    // This is checked again, because a move now sees the connection of this process.
    if (config.DATABASE_URL === undefined) await expectNotMoved(config.DATA_DIR);
    const secretKey = config.SECRET_KEY ?? (await readOrCreateSecretKey(config.DATA_DIR));
    const secrets = createSecretBox(secretKey);
    if (schema !== "look" && !(await secretKeyFits(db, secrets))) throw new ConfigError(otherSecretKey);
    if (schema === "migrate") await quarantineIfCopied(db, log);
    const databases = { db, replica, pools, connection: direct, imports };
    const app = { config, ...databases, log, secrets, pages, parser, now: Date.now };
    return { app, secretKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function mayMigrate(db: Database, schema: SchemaRight): Promise<boolean> {
  return schema === "migrate" || (schema === "create" && (await readMigrationState(db)).isEmpty);
}

async function migrateAndSay(direct: Connection, log: Logger, stop: AbortSignal): Promise<void> {
  const applied = await migrate(direct, log, stop);
  if (applied.length > 0)
    log.info({ applied: applied.length }, `the database schema was migrated to ${applied.at(-1)}`);
}
