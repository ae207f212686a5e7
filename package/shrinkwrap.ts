import { execFile } from "node:child_process";
import { copyFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes npm-shrinkwrap.json beside the package.json in `folder`, so that npm installs exactly the versions that the
 * tests ran with. The file has the versions and hashes of package-lock.json, for the dependencies of that manifest
 * only. Asks no registry.
 */
export async function writeShrinkwrap(folder: string): Promise<void> {
  const lock = join(folder, "package-lock.json");
  await copyFile(join(root, "package-lock.json"), lock);
  const words = ["install", "--package-lock-only", "--omit=dev", "--offline", "--ignore-scripts"];
  await promisify(execFile)("npm", words, { cwd: folder });
  await rename(lock, join(folder, "npm-shrinkwrap.json"));
}
