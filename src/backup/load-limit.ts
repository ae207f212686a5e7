import { BackupError } from "./backup-error.ts";

/** PostgreSQL holds a whole row in memory. The longest row of a site, a list of a million readers, has 10 MB. */
export const maxRowBytes = 64 * 2 ** 20;
/**
 * The most times that a file may grow when it is unpacked. Keys and addresses, most of a site, grow two or three
 * times.
 */
export const maxRatio = 1_000;
/** The size to which any file may unpack, however small it is. */
export const leastBytes = 256 * 2 ** 20;

const newline = 0x0a;

/**
 * Returns a check of the rows of a file of `fileBytes`, which may come from a stranger. The check gets all loaded
 * bytes, and throws BackupError if a row or the sum is too long, before PostgreSQL uses memory or disk for it.
 */
export function createLoadLimit(
  fileBytes: number,
  { rowBytes = maxRowBytes, sumBytes = Math.max(leastBytes, maxRatio * fileBytes) } = {},
): (bytes: Buffer) => void {
  let [sum, row] = [0, 0];
  return (bytes) => {
    const lastEnd = bytes.lastIndexOf(newline);
    // Rows that end within `bytes` are short, because a record has at most 1 MiB.
    row = lastEnd < 0 ? row + bytes.length : bytes.length - lastEnd - 1;
    sum += bytes.length;
    if (row > rowBytes)
      throw new BackupError("The file holds a row that is too long for a site, and nothing was changed.");
    if (sum > sumBytes)
      throw new BackupError("The file unpacks to far more than a site of its size has, and nothing was changed.");
  };
}
