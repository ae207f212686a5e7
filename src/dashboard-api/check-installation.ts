import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { publicBase } from "../config.ts";
import { type InstallationCheck, type InstallationFinding, readInstallation } from "../tenants/sites/installation.ts";
import { noteInstallation } from "../tenants/sites/queries.ts";
import { findSite } from "./audience.ts";

/**
 * The result of a check. `publicUrl`: where readers' browsers reach the service; null, with no findings, without
 * PUBLIC_URL.
 */
export type InstallationReport = { publicUrl: string | null; siteUrl: string; findings: InstallationFinding[] };

/**
 * Checks whether a site loads Pressbell as a reader's browser would, and stores the result for the first steps. Reads
 * at most four files. Throws `not_found`.
 */
export async function checkInstallation(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<InstallationReport> {
  const { url: siteUrl } = await findSite(app, actor, siteId);
  if (app.config.PUBLIC_URL === undefined) return { publicUrl: null, siteUrl, findings: [] };
  const base = publicBase(app.config, "");
  const findings = await readInstallation(app.pages, { siteUrl, siteId, base, requester: actor.tenantId });
  await noteInstallation(app.db, siteId, { line: isRight(findings, "snippet"), worker: isRight(findings, "worker") });
  return { publicUrl: base, siteUrl, findings };
}

/** Returns whether a check passed; null if that is unknown, because it was not read or its page did not answer. */
function isRight(findings: InstallationFinding[], check: InstallationCheck): boolean | null {
  const { problem } = findings.find((finding) => finding.check === check)!;
  if (problem === null) return true;
  return ["unchecked", "unreachable", "refused", "tag_manager"].includes(problem) ? null : false;
}
