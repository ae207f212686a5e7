import { readFileSync } from "node:fs";

/** The settings that hold a secret. NAME_FILE can replace each of them. It is the path of a file with the secret. */
export const secretSettings = [
  "METRICS_TOKEN",
  "DATABASE_URL",
  "DATABASE_URL_DIRECT",
  "DATABASE_URL_REPLICA",
  "SECRET_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "SMTP_URL",
  "OIDC_CLIENT_SECRET",
] as const;

type Settings = Record<string, string>;

/**
 * Replaces each NAME_FILE of a secret setting by NAME with the content of the file, without line breaks at its end.
 * Container secrets and systemd credentials are such files. `faults`: one for each NAME_FILE that cannot be used, in
 * the form "NAME_FILE must …". They contain neither value nor path, because somebody may have typed the secret in
 * place of the path.
 */
export function readSecretFiles(given: Settings): { given: Settings; faults: string[] } {
  const read = { ...given };
  const faults: string[] = [];
  for (const name of secretSettings) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) {
      faults.push(`${name}_FILE must not be set when ${name} is: remove one of the two`);
      continue;
    }
    try {
      const secret = readFileSync(file, "utf8").replace(/[\r\n]+$/, "");
      // An empty file is a mistake, unlike an empty variable: the secret was not written, or not mounted.
      if (secret === "") faults.push(`${name}_FILE must name a file that is not empty`);
      else read[name] = secret;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      faults.push(`${name}_FILE must name a file that exists and that this user can read (${code})`);
    }
  }
  return { given: read, faults };
}
