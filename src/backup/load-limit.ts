import { BackupError } from "./backup-error.ts";

/** PostgreSQL holds a row in memory until it ends. The longest of ours, a list of a million readers, has 10 MB. */
export const maxRowBytes = 64 * 2 ** 20;
/** How many times its size a file may unpack to. Keys and addresses, most of a site, unpack to two or three times. */
export const maxRatio = 1_000;
/** Whatever the size of the file. */
export const leastBytes = 256 * 2 ** 20;

const newline = 0x0a;

/**
 * Returns a watch over the rows of a file of `fileBytes`, which may be a stranger's: it gets all that is loaded, and
 * throws BackupError for a row or a sum that is too long, before PostgreSQL takes the memory or the disk for it.
 */
export function createLoadLimit(
  fileBytes: number,
  { rowBytes = maxRowBytes, sumBytes = Math.max(leastBytes, maxRatio * fileBytes) } = {},
): (bytes: Buffer) => void {
  let [sum, row] = [0, 0];
  return (bytes) => {
    const lastEnd = bytes.lastIndexOf(newline);
    // The rows that are within `bytes` are short: a record has at most 1 MiB.
    row = lastEnd < 0 ? row + bytes.length : bytes.length - lastEnd - 1;
    sum += bytes.length;
    if (row > rowBytes)
      throw new BackupError("The file holds a row that is too long for a site, and nothing was changed.");
    if (sum > sumBytes)
      throw new BackupError("The file unpacks to far more than a site of its size has, and nothing was changed.");
  };
}
