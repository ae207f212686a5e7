import type { FileHandle } from "node:fs/promises";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import type { Connection } from "../db/pool.ts";
import { BackupError } from "./backup-error.ts";
import { type CopyTx, inCopyTx } from "./copy-session.ts";
import { dump } from "./dump.ts";
import { seal } from "./sealed-stream.ts";

/** The fewest characters of a passphrase. The file holds every secret of the service, and may be stored anywhere. */
export const minPassphraseCharacters = 12;

/** A sealed file to write, and its database. */
export type SealedFile = {
  connection: Connection;
  passphrase: string;
  /** A new file at `path`, open for writing. It is closed in any case, and deleted after a failure. */
  output: FileHandle;
  path: string;
  signal: AbortSignal;
};

/**
 * Writes the database and the secret key into one file: records (records.ts) of one snapshot, compressed by Zstandard
 * and sealed under the passphrase (sealed-stream.ts). The service can run meanwhile. Returns the length of the file in
 * bytes.
 */
export async function writeBackup(input: SealedFile & { secretKey: string }): Promise<{ bytes: number }> {
  return writeSealed(input, (session) => dump(session, input.secretKey));
}

/**
 * Writes a sealed file with the records that `read` reads from one snapshot of the database. Returns the length of the
 * file in bytes.
 */
export async function writeSealed(
  { connection, passphrase, output, path, signal }: SealedFile,
  read: (session: CopyTx) => AsyncGenerator<Buffer>,
): Promise<{ bytes: number }> {
  const file = output.createWriteStream({ flush: true });
  try {
    await inCopyTx(connection, "reading", (session) =>
      pipeline(
        read(session),
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
