import type { Executor } from "../db/pool.ts";
import { countQuarantinedSites } from "../tenants/sites/quarantine-queries.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** Checks whether sites are quarantined, as after a restore: they send nothing until a person releases them. */
export async function checkQuarantine(on: Executor): Promise<Finding> {
  const check = "quarantine";
  const sites = await countQuarantinedSites(on);
  if (sites === 0) return ok(check, "no site is quarantined");
  const them =
    sites === 1 ? "1 site is quarantined, and sends nothing" : `${sites} sites are quarantined, and send nothing`;
  return warning(check, `${them}: see pressbell quarantine list, then pressbell quarantine release`);
}
