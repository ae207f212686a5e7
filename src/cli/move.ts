import { readFile } from "node:fs/promises";
import { BackupError } from "../backup/backup-error.ts";
import { moveDatabase } from "../backup/move.ts";
import { unmarkMoved } from "../backup/moved-mark.ts";
import { readConfig } from "../config.ts";
import { faultOfDatabaseUrl } from "../db/database-url.ts";
import { leaseEmbeddedPostgres } from "../db/embedded/lease.ts";
import { holdsCluster } from "../db/embedded/paths.ts";
import { ConfigError } from "../errors.ts";
import { readSecretKey, secretKeyFile } from "../secret-key-file.ts";
import { type AloneCommand, print, UsageError, type Values } from "./command.ts";

export const move: AloneCommand = {
  words: ["move"],
  summary: "Copy the embedded database into one of your own",
  usage:
    "move (--to URL | --to-file FILE | --back) [--json]\n" +
    "      copies the embedded database into an empty one of your own, and marks DATA_DIR, which is used no more; the\n" +
    "      service must not run. The file holds the URL, which other users of the machine would see. --back: undoes the mark",
  options: {
    to: { type: "string" },
    "to-file": { type: "string" },
    back: { type: "boolean" },
    json: { type: "boolean" },
  },
  async runAlone(environment, values) {
    const { DATABASE_URL, DATA_DIR, SECRET_KEY } = readConfig(environment, { secretKey: "optional" });
    if (DATABASE_URL !== undefined) throw new ConfigError("Unset DATABASE_URL: this moves the embedded database.");
    if (!holdsCluster(DATA_DIR)) throw new ConfigError(`There is no Pressbell data in ${DATA_DIR}. Set DATA_DIR.`);
    if (values.back === true) return print(values, { dataDir: DATA_DIR, wasMoved: await unmarkMoved(DATA_DIR) });
    const to = await readTarget(values);
    const secretKey = SECRET_KEY ?? (await readSecretKey(DATA_DIR));
    if (secretKey === undefined) throw new BackupError(`${secretKeyFile(DATA_DIR)} is missing: put it back.`);
    const lease = await leaseEmbeddedPostgres(DATA_DIR);
    try {
      await moveDatabase({ dataDir: DATA_DIR, from: lease.connection, secretKey, to });
    } finally {
      await lease.release();
    }
    const key =
      SECRET_KEY === undefined ? `set SECRET_KEY_FILE to ${secretKeyFile(DATA_DIR)} or a copy` : "keep SECRET_KEY";
    print(values, { dataDir: DATA_DIR, moved: true, next: `set DATABASE_URL to the new database, ${key}, and start` });
  },
};

async function readTarget(values: Values): Promise<string> {
  const { to, "to-file": file } = values as Record<string, string | undefined>;
  if ((to === undefined) === (file === undefined)) throw new UsageError("say --to URL, --to-file FILE or --back");
  const url = to ?? (await readUrl(file!));
  const fault = faultOfDatabaseUrl(url);
  if (fault !== undefined) throw new UsageError(`the new database's URL ${fault}`);
  return url;
}

async function readUrl(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new UsageError(`--to-file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
