import type { Config } from "./config.ts";
import type { Connection, Database } from "./db/pool.ts";
import type { PoolWatch } from "./db/pool-watch.ts";
import type { Replica } from "./db/replica.ts";
import type { PageFetcher } from "./egress/page/fetch-page.ts";
import type { ImportPool } from "./import-pool.ts";
import type { Logger } from "./log.ts";
import type { Parser } from "./parser.ts";
import type { SecretBox } from "./secret-box.ts";

/** The first argument of every operation. `openApp` creates it once. It holds no mutable state. */
export type App = {
  config: Config;
  db: Database;
  /** The standby that answers reports and exports, if there is one. */
  replica?: Replica | undefined;
  /** The use of the connection pools, for metrics. */
  pools: PoolWatch;
  /**
   * The way to the database without a pooler, for work that needs a session of its own: backups and delivery threads.
   */
  connection: Connection;
  /** Connections and turns of imports. */
  imports: ImportPool;
  log: Logger;
  /** Seals private keys at rest and signs tokens, under SECRET_KEY. */
  secrets: SecretBox;
  /** Fetches pages of other websites, through the URL guard. */
  pages: PageFetcher;
  /** Parses pages and feeds in threads, with a deadline. */
  parser: Parser;
  /** The wall clock in ms since 1970, which tests can set. Leases and schedules use the database's clock instead. */
  now: () => number;
};
