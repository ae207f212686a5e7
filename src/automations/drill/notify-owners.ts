import type { App } from "../../app.ts";
import { publicBase } from "../../config.ts";
import type { Tx } from "../../db/pool.ts";
import { queueEmail } from "../../mail/queue-email.ts";
import { ownersOfTenant } from "../../subscribers/registration-queries.ts";
import { siteById } from "../../tenants/sites/queries.ts";
import { failureOf } from "./check-drill.ts";
import { type DrillResult, drillSteps, viewDrill } from "./drill.ts";
import { lockDrill, noteTold } from "./queries.ts";

/**
 * Logs that the drill of a site has failed, and e-mails its owners in the same transaction. It does so at most once a
 * day for each step.
 */
export async function notifyOfFailure(app: App, tx: Tx, siteId: string): Promise<void> {
  const drill = (await lockDrill(tx, siteId))!;
  const failure = failureOf(drill)!;
  app.log.warn({ siteId, step: failure.step }, "a fire drill has failed");
  if (!(await noteTold(tx, siteId, failure.step))) return;
  const { name, tenantId } = (await siteById(tx, siteId))!;
  const lines = [
    `The fire drill of ${name} has failed. ${failure.message}`,
    stepsOf(viewDrill(drill, failure, []).last!),
    "Pressbell sends a fire drill to the canary of a site by the same way as notifications to readers. See the last one here:",
    `${publicBase(app.config, "")}/sites/${siteId}/settings/drill`,
    "This e-mail comes at most once a day for each cause.",
  ];
  const email = { subject: `The fire drill of ${name} has failed`, text: `${lines.join("\n\n")}\n` };
  for (const to of await ownersOfTenant(tx, tenantId)) await queueEmail(app, tx, { to, ...email });
}

/** Returns the steps of a drill in one line of text. */
function stepsOf({ startedAt, seconds, expectsDisplay }: DrillResult): string {
  const steps = drillSteps.filter((step) => step !== "displayed" || expectsDisplay);
  const said = steps.map((step) => `${step} ${seconds[step] === null ? "not reached" : `after ${seconds[step]} s`}`);
  return `It began at ${startedAt}: ${said.join(", ")}.`;
}
