import { constants, copyFileSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";

/**
 * The size above which a log is put aside. The log and the former log together take at most twice this, plus what one
 * second adds.
 */
export const maxLogBytes = 8 * 1024 * 1024;
const checkEveryMs = 1_000;

/**
 * Copies a log of more than 8 MB to FILE.1, which replaces a former one, and empties the log. PostgreSQL and the
 * supervisor go on writing to the same file, which they opened for appending. Lines that they write between the copy
 * and the cut are lost. If the disk is full, the copy fails and the whole content of the log is lost, but neither
 * program stops.
 */
export function rotateLog(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= maxLogBytes) return;
  const draft = `${log}.new`;
  try {
    rmSync(draft, { force: true });
    copyFileSync(log, draft, constants.COPYFILE_EXCL);
    renameSync(draft, `${log}.1`);
  } catch {
    rmSync(draft, { force: true });
  }
  truncateSync(log);
}

/** Rotates the log of this process's PostgreSQL every second, for as long as this process lives. */
export function keepLogSmall(log: string): void {
  setInterval(() => {
    try {
      rotateLog(log);
    } catch (error) {
      process.stderr.write(`pressbell: ${log} cannot be rotated (${(error as Error).message})\n`);
    }
  }, checkEveryMs).unref();
}
