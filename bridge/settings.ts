import { readFileSync } from "node:fs";
import { ghostMapping, type Mapping, readMapping } from "./mapping.ts";

export type Settings = {
  url: string;
  apiKey: string;
  tenantId: string;
  siteId: string;
  token: string | undefined;
  ghostSecret: string | undefined;
  mapping: Mapping;
  journalFile: string;
  host: string;
  port: number;
  giveUpMs: number;
};

/** Reads the settings from the environment (docs/bridge.md). Throws Error with all their faults, without secrets. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const faults: string[] = [];
  const attempt = <T>(name: string, read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
      return otherwise;
    }
  };
  const required = (name: string, value: string | undefined) => {
    if (!value) faults.push(`${name} must be set`);
    return value ?? "";
  };
  const secret = (name: string): string | undefined => {
    const file = env[`${name}_FILE`];
    if (!file) return env[name] || undefined;
    return attempt(`${name}_FILE`, () => readFileSync(file, "utf8").trim(), "unreadable, and reported as such");
  };
  const number = (name: string, otherwise: number, max: number) => {
    const value = Number(env[name] || otherwise);
    if (!Number.isInteger(value) || value < 0 || value > max) faults.push(`${name} must be a number up to ${max}`);
    return value;
  };
  const [token, ghostSecret, mappingFile] = [secret("HOOK_TOKEN"), secret("GHOST_SECRET"), env.MAPPING_FILE];
  if (!token && !ghostSecret) faults.push("HOOK_TOKEN or GHOST_SECRET must be set, so that only your CMS can post");
  if (token && !/^[\w-]{16,200}$/.test(token)) faults.push("HOOK_TOKEN must have 16 to 200 letters, digits, - and _");
  const settings = {
    url: required("PRESSBELL_URL", env.PRESSBELL_URL),
    apiKey: required("PRESSBELL_KEY", secret("PRESSBELL_KEY")),
    tenantId: required("TENANT_ID", env.TENANT_ID),
    siteId: required("SITE_ID", env.SITE_ID),
    token,
    ghostSecret,
    mapping: mappingFile ? attempt("MAPPING_FILE", () => readMapping(mappingFile), ghostMapping) : ghostMapping,
    journalFile: env.JOURNAL_FILE || "pressbell-bridge.ndjson",
    host: env.HOST || "127.0.0.1",
    port: number("PORT", 8090, 65_535),
    giveUpMs: number("GIVE_UP_MINUTES", 60, 10_080) * 60_000,
  };
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return settings;
}
