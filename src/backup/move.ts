import { sql } from "kysely";
import { urlsOfHosts } from "../db/database-url.ts";
import { type Connection, rows, type Tx } from "../db/pool.ts";
import { expectSchema } from "../db/schema.ts";
import { createSecretBox } from "../secret-box.ts";
import { secretKeyFits } from "../tenants/vapid/vapid-pair.ts";
import { BackupError } from "./backup-error.ts";
import { createByteReader } from "./byte-reader.ts";
import { inCopyTx } from "./copy-session.ts";
import { dump } from "./dump.ts";
import { load, readManifest } from "./load.ts";
import { expectNotMoved, markMoved, unmarkMoved } from "./moved-mark.ts";

type MoveInput = {
  dataDir: string;
  /** The embedded database of `dataDir`. */
  from: Connection;
  secretKey: string;
  /** The `postgres://` URL of an empty database. */
  to: string;
};

/**
 * Copies the embedded database into an empty one, and marks DATA_DIR as moved, so that only one of the two sends. The
 * mark comes first, so that no other process starts, and then the copy in one transaction. If the copy fails, the mark
 * is removed. Throws BackupError if a service or a command uses the embedded database, or if the target is not empty.
 */
export async function moveDatabase({ dataDir, from, secretKey, to }: MoveInput): Promise<void> {
  await expectNotMoved(dataDir);
  const place = placeOf(to);
  await markMoved(dataDir, place);
  let isCopied = false;
  try {
    await inCopyTx(from, "reading", async (source) => {
      await expectAlone(source.tx);
      await expectSchema(source.tx);
      if (!(await secretKeyFits(source.tx, createSecretBox(secretKey))))
        throw new BackupError("SECRET_KEY does not fit.");
      await inCopyTx({ url: to }, "writing", async (target) => {
        const reader = createByteReader(dump(source, secretKey));
        await load(target, reader, await readManifest(reader));
        isCopied = true;
      });
    });
  } catch (error) {
    if (!isCopied) await unmarkMoved(dataDir);
    if (!isCopied) throw error;
    // The commit was sent, but its answer was lost. Without the mark, both databases could send.
    throw new BackupError(
      `The connection to ${place} was lost at the end. If it has no tables, run: pressbell move --back, and move again.`,
    );
  }
}

function placeOf(url: string): string {
  const servers = urlsOfHosts(url).map((one) => new URL(one.replace("@/", "@localhost/")));
  const hosts = servers.map(({ host, searchParams }) => searchParams.get("host") ?? host);
  return `${hosts.join(",")}${servers[0]!.pathname}`;
}

/**
 * Throws BackupError if another process uses the database. Also finds a process that saw no mark, because each process
 * connects before it looks for the mark (open-app.ts).
 */
async function expectAlone(tx: Tx): Promise<void> {
  const others = await rows(
    sql<{
      name: string;
    }>`select distinct coalesce(nullif(application_name, ''), 'unnamed') as name from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() order by 1`,
    tx,
  );
  if (others.length === 0) return;
  const names = others.map(({ name }) => name).join(", ");
  throw new BackupError(`The embedded database is in use (${names}): stop the service and its commands first.`);
}
