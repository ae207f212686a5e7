import type { App } from "../app.ts";
import { writeRunMessage } from "../campaigns/run-message.ts";
import { publicBase } from "../config.ts";
import type { Tx } from "../db/pool.ts";
import type { NudgeExtras, Urgency } from "../runs/run.ts";
import { type NewRun, startRun } from "../runs/start-run.ts";
import type { Site } from "../tenants/sites/site.ts";
import type { AutomatedNudge } from "./nudge-fields.ts";

/** The fields in which the runs of automations differ. */
type AutomatedRun = Pick<
  NewRun,
  "runId" | "kind" | "audience" | "ttlSeconds" | "timing" | "label" | "expectedAudience" | "thread"
> & { nudge: AutomatedNudge & { extras?: NudgeExtras }; urgency?: Urgency };

/**
 * Starts a run without a campaign, with one notification of a site, in the caller's transaction. Returns the run's id.
 */
export function startAutomation(app: App, tx: Tx, site: Site, { nudge, ...run }: AutomatedRun) {
  const base = app.config.PUBLIC_URL === undefined ? null : publicBase(app.config, "");
  return startRun(tx, {
    siteId: site.id,
    tenantId: site.tenantId,
    campaignId: null,
    idempotencyKey: null,
    urgency: "normal",
    messages: [writeRunMessage({ ...nudge, language: null }, site, base)],
    ...run,
  });
}
