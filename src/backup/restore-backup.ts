import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import type { Connection } from "../db/pool.ts";
import { createSecretBox } from "../secret-box.ts";
import { secretKeyFits } from "../tenants/vapid/vapid-pair.ts";
import { BackupError } from "./backup-error.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { inCopyTx } from "./copy-session.ts";
import { load, readManifest } from "./load.ts";
import { type Quarantined, quarantineEverything } from "./quarantine.ts";
import { type Manifest, unreadable } from "./records.ts";
import { open } from "./sealed-stream.ts";

type RestoreInput = {
  /** The path of the backup. */
  file: string;
  passphrase: string;
  /** SECRET_KEY, if it is set. It must open the sealed values of the backup. */
  secretKey: string | undefined;
  /** Opens the database. Called once the passphrase and the version are known to be right. */
  target(manifest: Manifest): Promise<Connection>;
  /** Stores the secret key of the backup. Called last, before the commit, and only if SECRET_KEY is not set. */
  storeSecretKey(secretKey: string): Promise<void>;
};

export type Restored = Quarantined & { createdAt: string };

/**
 * Restores a backup into an empty database in one transaction, and quarantines everything that would send
 * (quarantine.ts). Throws BackupError, and changes nothing in the database, if it cannot use the file, the passphrase
 * or the database.
 */
export async function restoreBackup(input: RestoreInput): Promise<Restored> {
  const { file, passphrase, secretKey } = input;
  let restored: Restored | undefined;
  await readSealed(file, passphrase, async (reader) => {
    const manifest = await readManifest(reader);
    const held = await inCopyTx(await input.target(manifest), "writing", async (session) => {
      await load(session, reader, manifest);
      if (!(await secretKeyFits(session.tx, createSecretBox(secretKey ?? manifest.secretKey)))) throw otherKey();
      const done = await quarantineEverything(session.tx);
      if (secretKey === undefined) await input.storeSecretKey(manifest.secretKey);
      return done;
    });
    restored = { createdAt: manifest.createdAt, ...held };
  });
  return restored!;
}

/** Passes the records of a sealed file to `work`. Throws BackupError for a file or a passphrase that it cannot use. */
export async function readSealed(
  file: string,
  passphrase: string,
  work: (reader: ByteReader) => Promise<void>,
): Promise<void> {
  await pipeline(
    createReadStream(file),
    (sealed: AsyncIterable<Buffer>) => open(sealed, passphrase),
    createZstdDecompress(),
    (plain: AsyncIterable<Buffer>) => work(createByteReader(plain)),
  ).catch((error: NodeJS.ErrnoException) => {
    // The passphrase was right, so the file is authentic, but its content was not packed by zstd.
    throw error.code !== undefined && /^(Z_|ZSTD_|ERR_ZSTD)/.test(error.code) ? unreadable() : error;
  });
}

function otherKey(): BackupError {
  const advice = "Set that one, or leave SECRET_KEY out and say --secret-key-out FILE to get it";
  return new BackupError(`SECRET_KEY is not the one of the backup. ${advice}.`);
}
