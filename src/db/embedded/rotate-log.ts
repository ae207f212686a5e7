import { constants, copyFileSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";

/** A log that has grown above this is put aside: so log and former log have twice this, and what a second adds. */
export const maxLogBytes = 8 * 1024 * 1024;
const checkEveryMs = 1_000;

/**
 * Puts the log aside as FILE.1, in place of a former one, and empties it, if it has more than 8 MB. PostgreSQL and the
 * supervisor go on in the same file, which they opened for appending. Lines that they write between the copy and the cut
 * are lost. A full disk loses the former log, and never stops them.
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
