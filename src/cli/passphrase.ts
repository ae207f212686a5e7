import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { minPassphraseCharacters } from "../backup/write-backup.ts";
import { UsageError, type Values } from "./command.ts";

/**
 * The options for a passphrase. The passphrase itself is never an argument, because every user of the machine can see
 * arguments.
 */
export const passphraseOptions = {
  "passphrase-file": { type: "string" },
  "passphrase-stdin": { type: "boolean" },
} as const;
export const passphraseUsage = "(--passphrase-file FILE | --passphrase-stdin)";

/**
 * Reads the passphrase from the first line of a file or of standard input. Throws UsageError if it is missing or too
 * short.
 */
export async function readPassphrase(values: Values): Promise<string> {
  const file = values["passphrase-file"] as string | undefined;
  if ((file === undefined) === (values["passphrase-stdin"] !== true))
    throw new UsageError("say --passphrase-file FILE or --passphrase-stdin");
  const [passphrase = ""] = (file === undefined ? await text(process.stdin) : await readText(file)).split(/\r?\n/);
  if (passphrase.length >= minPassphraseCharacters) return passphrase;
  throw new UsageError(`the passphrase must have at least ${minPassphraseCharacters} characters, in the first line`);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`--passphrase-file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
