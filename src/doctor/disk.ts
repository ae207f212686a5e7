import { access, constants, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type Finding, failed, ok, reasonOf, warning } from "./finding.ts";

const mebibyte = 1024 * 1024;
const fullBytes = 256 * mebibyte;
const lowBytes = 1024 * mebibyte;

/**
 * Checks the disk of DATA_DIR, an absolute path, or of the folder in which the first start creates it. `isEmbedded`:
 * the database is on that disk, and stops when the disk is full.
 */
export async function checkDisk(dataDir: string, isEmbedded: boolean): Promise<Finding> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(dataDir);
    return assessDisk(dataDir, bavail * bsize, isEmbedded);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return checkDiskOfParent(dirname(dataDir), isEmbedded);
    return failed("disk", `DATA_DIR cannot be used by this user (${reasonOf(error)}): chown it, or set another`);
  }
}

/** Checks the disk of a parent folder. checkFirstStart tests whether a folder can be created there. */
async function checkDiskOfParent(folder: string, isEmbedded: boolean): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return assessDisk(folder, bavail * bsize, isEmbedded);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT" && folder !== dirname(folder);
    if (isMissing) return checkDiskOfParent(dirname(folder), isEmbedded);
    return failed("disk", `DATA_DIR cannot be created in ${folder} (${reasonOf(error)}): set another`);
  }
}

export function assessDisk(dataDir: string, freeBytes: number, isEmbedded: boolean): Finding {
  const check = "disk";
  const free = `${Math.floor(freeBytes / mebibyte).toLocaleString("en")} MiB are free in ${dataDir}`;
  const advice = "delete what is not needed, or move DATA_DIR to a larger disk";
  if (!isEmbedded || freeBytes >= lowBytes) return ok(check, free);
  return freeBytes < fullBytes
    ? failed(check, `${free}, and the database stops when none is left: ${advice}`)
    : warning(check, `${free}: ${advice}`);
}
