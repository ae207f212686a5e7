import { type FileHandle, open } from "node:fs/promises";
import { invalidFields } from "../errors.ts";
import { fault, faults } from "../faults.ts";

/**
 * Creates a file that only this user can read. Refuses an existing file, because it would keep its mode, and another
 * process may have it open. `named`: the option or operand that names the file, such as `--out`. Throws
 * `validation_failed`.
 */
export async function createSecretFile(file: string, named: string): Promise<FileHandle> {
  try {
    return await open(file, "wx", 0o600);
  } catch {
    throw invalidFields([fault(`/${named}`, faults.not_a_new_file())]);
  }
}
