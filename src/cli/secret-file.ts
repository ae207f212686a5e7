import { type FileHandle, open } from "node:fs/promises";
import { invalidFields } from "../errors.ts";

/**
 * Creates a file that only this user can read. Refuses an existing file, because it would keep its mode, and another
 * process may have it open. `named`: the option or operand that names the file, such as `--out`. Throws
 * `validation_failed`.
 */
export async function createSecretFile(file: string, named: string): Promise<FileHandle> {
  try {
    return await open(file, "wx", 0o600);
  } catch {
    throw invalidFields([
      { path: `/${named}`, message: "must be a file that does not exist yet, in a folder that you can write to" },
    ]);
  }
}
