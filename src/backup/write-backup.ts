import type { FileHandle } from "node:fs/promises";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type { Connection } from "../db/pool.ts";
import { BackupError } from "./backup-error.ts";
import { inCopyTx } from "./copy-session.ts";
import { dump } from "./dump.ts";
import { seal } from "./sealed-stream.ts";

/** The fewest characters of a passphrase: the file holds every secret of the service, and may lie anywhere. */
export const minPassphraseCharacters = 12;

type BackupInput = {
  connection: Connection;
  secretKey: string;
  passphrase: string;
  /** A new file at `path`, open for writing. It is closed, and deleted after a failure. */
  output: FileHandle;
  path: string;
  signal: AbortSignal;
};

/**
 * Writes the database and the secret key into one file: records (records.ts), compressed by Zstandard, sealed under the
 * passphrase (sealed-stream.ts). One snapshot, while the service runs. Returns the length of the file in bytes.
 */
export async function writeBackup(input: BackupInput): Promise<{ bytes: number }> {
  const { connection, secretKey, passphrase, output, path, signal } = input;
  const file = output.createWriteStream({ flush: true });
  try {
    await inCopyTx(connection, "reading", (session) =>
      pipeline(
        dump(session, secretKey),
        createZstdCompress(),
        (compressed: AsyncIterable<Buffer>) => seal(compressed, passphrase),
        file,
        { signal },
      ),
    );
    return { bytes: file.bytesWritten };
  } catch (error) {
    await rm(path, { force: true });
    if (signal.aborted) throw new BackupError("The backup was stopped: no file was written.");
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall !== "write" && syscall !== "fsync") throw error;
    throw new BackupError(`The backup could not be written (${message}): make room, or take another folder.`);
  }
}
