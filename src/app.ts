import type { Config } from "./config.ts";
import type { Connection, Database } from "./db/pool.ts";
import type { PageFetcher } from "./egress/page/fetch-page.ts";
import type { Logger } from "./log.ts";
import type { SecretBox } from "./secret-box.ts";

/** What every operation receives as its first argument. Made once in main.ts; holds no state of its own. */
export type App = {
  config: Config;
  db: Database;
  /** Where the database is, for what needs a connection of its own: imports and delivery threads. */
  connection: Connection;
  log: Logger;
  /** Seals private keys at rest and signs tokens, under SECRET_KEY. */
  secrets: SecretBox;
  /** Reads a stranger's page through the guard. */
  pages: PageFetcher;
  /** The wall clock in ms since 1970; a test moves it. Leases and schedules go by the database's clock instead. */
  now: () => number;
};
