import { readConfig } from "../config.ts";
import { examine } from "../doctor/examine.ts";
import { type Finding, failed } from "../doctor/finding.ts";
import { ConfigError } from "../errors.ts";
import { type AloneCommand, print, printText } from "./command.ts";

export const doctor: AloneCommand = {
  words: ["doctor"],
  summary: "Check the installation, and say how to fix what is wrong",
  usage:
    "doctor [--site ID] [--json]\n" +
    "      checks settings, database, disk, port, clock, push services and PUBLIC_URL, with --site also that site's installation;\n" +
    "      says how to fix what is wrong; exit code 1 if a check failed",
  options: { site: { type: "string" }, json: { type: "boolean" } },
  async runAlone(environment, values) {
    const findings = await findingsOf(environment, values.site as string | undefined);
    const hasFailed = findings.some(({ level }) => level === "failed");
    const lines = findings.map(({ check, level, message }) => `${level.padEnd(8)} ${check}: ${message}`);
    if (values.json === true) print(values, { ok: !hasFailed, findings });
    else printText(...lines);
    if (hasFailed) process.exitCode = 1;
  },
};

/**
 * Returns the findings. With a wrong setting it runs no other check, because the checks would examine something else
 * than the service will use.
 */
async function findingsOf(environment: NodeJS.ProcessEnv, siteId: string | undefined): Promise<Finding[]> {
  try {
    return await examine(readConfig(environment), { now: Date.now, siteId });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [failed("settings", error.message)];
  }
}
