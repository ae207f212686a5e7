import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the path of the file in DATA_DIR with the secret key of the embedded database. */
export function secretKeyFile(dataDir: string): string {
  return join(dataDir, "secret.key");
}

/** Returns the secret key in DATA_DIR; undefined if there is none. */
export async function readSecretKey(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(secretKeyFile(dataDir), "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}

/**
 * Stores a secret key in DATA_DIR, readable by its owner only. Keeps a key that is already there. Returns the stored
 * key.
 */
export async function storeSecretKey(dataDir: string, secretKey: string): Promise<string> {
  const file = secretKeyFile(dataDir);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${secretKey}\n`, { mode: 0o600 });
  // `link` fails if the file exists, so two first starts at the same time end up with the same key.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await readSecretKey(dataDir))!;
}

/** Reads the secret key of the embedded database from DATA_DIR. Generates it at the first start. */
export async function readOrCreateSecretKey(dataDir: string): Promise<string> {
  return (await readSecretKey(dataDir)) ?? storeSecretKey(dataDir, randomBytes(32).toString("base64url"));
}
