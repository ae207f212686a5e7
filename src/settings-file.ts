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
 * read.
 */
export function withSettingsFile(environment: Environment, usual = usualFile): Environment {
  const named = environment.SETTINGS_FILE || undefined;
  const file = named ?? usual;
  if (file === undefined) return environment;
  try {
    return { ...parseEnv(readFileSync(file, "utf8")), ...environment };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && named === undefined) return environment;
    throw new ConfigError(`Wrong setting: SETTINGS_FILE must name a file that can be read (${file}: ${code}).`);
  }
}
