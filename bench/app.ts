import type { App } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { migrate } from "../src/db/migrate.ts";
import { openDatabase } from "../src/db/pool.ts";
import { createPoolWatch } from "../src/db/pool-watch.ts";
import { createPageFetcher } from "../src/egress/page/fetch-page.ts";
import { createImportPool } from "../src/import-pool.ts";
import { createLogger } from "../src/log.ts";
import { createParser } from "../src/parser.ts";
import { createSecretBox } from "../src/secret-box.ts";
import { importSubscribers } from "../src/subscribers/import/import-subscribers.ts";
import type { ImportReport } from "../src/subscribers/import/record-part.ts";
import { operatorOf, type Publisher } from "../test/fixtures/publisher.ts";

/** The SECRET_KEY of all processes of a benchmark, so that each can open what the others have sealed. */
export const secretKey = "a key for the benchmark, long enough to be one";

export type OpenApp = { app: App; close(): Promise<void> };

/**
 * Opens the app on the database at `connection` and migrates it. `pushServices`: origins that are allowed besides the
 * known ones.
 */
export async function openApp(connection: App["connection"], pushServices: string[]): Promise<OpenApp> {
  const config = readConfig({ SECRET_KEY: secretKey, PUSH_SERVICES: pushServices.join(","), LOG_LEVEL: "warn" });
  const log = createLogger("warn");
  await migrate(connection, log);
  const pools = createPoolWatch();
  const db = openDatabase({
    connection,
    poolMax: 6,
    applicationName: "bench",
    log,
    limits: "none",
    prepared: "or warn",
    watch: pools,
  });
  const pages = createPageFetcher({ allowHosts: [] });
  const parser = createParser({ log });
  const imports = createImportPool({ connection, log });
  const secrets = createSecretBox(secretKey);
  return {
    app: { config, db, pools, connection, imports, log, secrets, pages, parser, now: Date.now },
    async close() {
      await pages.close();
      await parser.close();
      await imports.close();
      await db.destroy();
    },
  };
}

/** Imports a file of subscriptions as the command line does. Throws when a line is wrong. */
export function importAudience(app: App, publisher: Publisher, file: string): Promise<ImportReport> {
  return importSubscribers(app, operatorOf(publisher.tenantId), {
    siteId: publisher.siteId,
    file,
    testLabel: undefined,
    onWrongLine: (line, reason) => {
      throw new Error(`line ${line} of the benchmark's own subscriptions ${reason}`);
    },
    onProgress: () => {},
  });
}
