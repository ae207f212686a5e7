import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "./errors.ts";

type Environment = Record<string, string | undefined>;

/**
 * Where the units of deploy/systemd have it. A checkout, which is TypeScript, reads it only if it is named: who develops on
 * a machine with a service must not get its database.
 */
const usualFile = import.meta.url.endsWith(".ts") ? undefined : "/etc/pressbell/settings";

/**
 * Returns `environment` with the settings of the file that SETTINGS_FILE names, else of `usual`, which may be missing: so
 * commands know what the service knows. Variables win over lines of the file. Throws ConfigError for a file that cannot be
 * read, and for a value that systemd would read otherwise.
 */
export function withSettingsFile(environment: Environment, usual = usualFile): Environment {
  const named = environment.SETTINGS_FILE || undefined;
  const file = named ?? usual;
  if (file === undefined) return environment;
  try {
    return { ...parseLines(readFileSync(file, "utf8"), file), ...environment };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && named === undefined) return environment;
    const what = named === undefined ? "the settings" : "SETTINGS_FILE";
    throw new ConfigError(`Wrong setting: ${what} must be a file that can be read (${file}: ${code}).`);
  }
}

/** A # without quotes begins a comment here and in compose, and is a part of the value to systemd: it is refused. */
function parseLines(text: string, file: string): Environment {
  const line = /^\s*(\w+)\s*=\s*(?!["'])[^\n]*#/m.exec(text);
  if (line === null) return parseEnv(text);
  throw new ConfigError(`Wrong setting: the value of ${line[1]} in ${file} has a #. Put it in quotes.`);
}
