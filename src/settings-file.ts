import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "./errors.ts";
import { secretSettings } from "./secret-files.ts";

type Environment = Record<string, string | undefined>;

/** Where the units of deploy/systemd have it. */
export const installedFile = "/etc/pressbell/settings";

/**
 * A checkout, which is TypeScript, reads a file only if it is named: who develops on a machine with a service must not get
 * its database.
 */
const usualFile = import.meta.url.endsWith(".ts") ? undefined : installedFile;

/**
 * Returns `environment` with the settings of the file that SETTINGS_FILE names, else of `usual`, which may be missing: so
 * commands know what the service knows. Variables win over lines of the file, unless they are empty; a secret that is
 * given as NAME or NAME_FILE wins over both. Throws ConfigError for a file that cannot be read, and for a value that
 * systemd would read otherwise.
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

/** NAME of a secret setting for NAME_FILE, and the reverse; undefined for other settings. */
function otherFormOf(name: string): string | undefined {
  const base = name.replace(/_FILE$/, "");
  if (!secretSettings.some((secret) => secret === base)) return undefined;
  return base === name ? `${name}_FILE` : base;
}

/** A # without quotes begins a comment here and in compose, and is a part of the value to systemd: it is refused. */
function parseLines(text: string, file: string): Environment {
  const line = /^\s*(\w+)\s*=\s*(?!["'])[^\n]*#/m.exec(text);
  if (line === null) return parseEnv(text);
  throw new ConfigError(`Wrong setting: the value of ${line[1]} in ${file} has a #. Put it in quotes.`);
}
