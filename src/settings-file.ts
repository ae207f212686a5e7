import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "./errors.ts";
import { secretSettings } from "./secret-files.ts";

type Environment = Record<string, string | undefined>;

/** The path at which the units of deploy/systemd expect the file. */
export const installedFile = "/etc/pressbell/settings";

/**
 * A checkout, which runs as TypeScript, reads a file only if SETTINGS_FILE names it. A developer on a machine with a
 * service must not get the service's database.
 */
const usualFile = import.meta.url.endsWith(".ts") ? undefined : installedFile;

/**
 * Returns `environment` with the settings of the file that SETTINGS_FILE names, or otherwise of `usual`, which may be
 * missing. So commands know the settings of the service. Variables win over lines of the file, unless they are empty.
 * A variable NAME or NAME_FILE of a secret wins over both forms in the file. Throws ConfigError for a file that cannot
 * be read, and for a value that systemd would read differently.
 */
export function withSettingsFile(environment: Environment, usual = usualFile): Environment {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => (value ?? "") !== ""));
  const file = given.SETTINGS_FILE ?? usual;
  if (file === undefined) return given;
  const isNamed = given.SETTINGS_FILE !== undefined;
  try {
    const lines = Object.entries(parseLines(readFileSync(file, "utf8"), file));
    return { ...Object.fromEntries(lines.filter(([name]) => given[otherFormOf(name) ?? ""] === undefined)), ...given };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !isNamed) return given;
    const what = isNamed ? "SETTINGS_FILE" : "the settings";
    throw new ConfigError(`Wrong setting: ${what} must be a file that can be read (${file}: ${code}).`);
  }
}

/** Returns NAME for the NAME_FILE of a secret setting, and NAME_FILE for NAME. Returns undefined for other settings. */
function otherFormOf(name: string): string | undefined {
  const base = name.replace(/_FILE$/, "");
  if (!secretSettings.some((secret) => secret === base)) return undefined;
  return base === name ? `${name}_FILE` : base;
}

/**
 * Parses the lines of a settings file. Refuses a # outside quotes: it begins a comment here and in compose, but is a
 * part of the value for systemd.
 */
function parseLines(text: string, file: string): Environment {
  const line = /^\s*(\w+)\s*=\s*(?!["'])[^\n]*#/m.exec(text);
  if (line === null) return parseEnv(text);
  throw new ConfigError(`Wrong setting: the value of ${line[1]} in ${file} has a #. Put it in quotes.`);
}
