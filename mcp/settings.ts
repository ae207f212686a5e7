import { readFileSync } from "node:fs";

/** The settings of the MCP server. `url`: the address of the dashboard and the API. */
export type Settings = { url: string; apiKey: string; tenantId: string };

/** Reads the settings from the environment (docs/mcp.md). Throws Error with all their faults, without secrets. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const faults: string[] = [];
  const { PRESSBELL_URL: url, PRESSBELL_KEY_FILE: keyFile, TENANT_ID: tenantId } = env;
  let apiKey = env.PRESSBELL_KEY ?? "";
  if (keyFile) {
    try {
      apiKey = readFileSync(keyFile, "utf8").trim();
    } catch (error) {
      faults.push(`PRESSBELL_KEY_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    }
  } else if (apiKey === "") faults.push("PRESSBELL_KEY_FILE or PRESSBELL_KEY must be set");
  if (!url) faults.push("PRESSBELL_URL must be set");
  if (!tenantId) faults.push("TENANT_ID must be set");
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return { url: url!.replace(/\/+$/, ""), apiKey, tenantId: tenantId! };
}
