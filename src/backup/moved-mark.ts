import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../errors.ts";

const fileOf = (dataDir: string) => join(dataDir, "moved");

/**
 * Marks DATA_DIR as moved to a database, so that nothing starts there any more. `place`: the host and name of the
 * database.
 */
export async function markMoved(dataDir: string, place: string): Promise<void> {
  await writeFile(fileOf(dataDir), `${JSON.stringify({ to: place, at: new Date().toISOString() })}\n`, { mode: 0o600 });
}

/** Removes the mark. Returns false if there was none. */
export async function unmarkMoved(dataDir: string): Promise<boolean> {
  if ((await readMark(dataDir)) === undefined) return false;
  await rm(fileOf(dataDir), { force: true });
  return true;
}

/** Throws ConfigError if DATA_DIR is marked as moved. A service there would send everything again. */
export async function expectNotMoved(dataDir: string): Promise<void> {
  const mark = await readMark(dataDir);
  if (mark === undefined) return;
  throw new ConfigError(
    `${dataDir} was moved to ${mark.to} on ${mark.at}, and is used no more. Set DATABASE_URL and SECRET_KEY to the new one. ` +
      "If that has sent nothing, and you want this one back: pressbell move --back",
  );
}

async function readMark(dataDir: string): Promise<{ to: string; at: string } | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(dataDir), "utf8")) as { to: string; at: string };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
