import { recordAuditEvent } from "../audit/record-event.ts";
import { endDrills } from "../automations/drill/queries.ts";
import { endWinBacks } from "../automations/win-back/queries.ts";
import type { Tx } from "../db/pool.ts";
import { blocks } from "../feeds/items/check-item.ts";
import { skipOpenItems } from "../feeds/items/queries.ts";
import { resetFeeds } from "../feeds/queries.ts";
import { deleteAllEmails } from "../mail/queries.ts";
import { restartRecurringSends } from "../recurring-sends/queries.ts";
import { endPassedWaves } from "../runs/ledger/waves.ts";
import { stopTestRuns } from "../runs/queries.ts";
import { failDueSends } from "../sends/due-queries.ts";
import { deleteAllEditorNudges } from "../subscribers/editor-devices/queries.ts";
import { clearDigests } from "../subscribers/preferences/queries.ts";
import { deleteDueWelcomes } from "../subscribers/welcome-queries.ts";
import { quarantineSites } from "../tenants/sites/quarantine-queries.ts";

/** How many sites are quarantined, and of how much that was open an end was made because it may have gone out since. */
export type Quarantined = {
  quarantinedSites: number;
  failedSchedules: number;
  refusedSends: number;
  skippedItems: number;
  stoppedTests: number;
  deletedEmails: number;
};

const perhapsSent = "It may have gone out after the backup from which Pressbell was restored.";

/**
 * Makes a database that was restored send nothing by itself, in the caller's transaction. Sites are paused until they
 * are released: open runs, schedules and feeds wait. What was due at a moment that has passed may have gone out since
 * the backup, and is ended: schedules fail, confirmed sends and items of feeds are refused, test sends stop, e-mails,
 * notifications to editors and what is suppressed for digests are deleted, welcomes of which a step was due,
 * win-backs and fire drills end, and readers whose hour has passed are counted as perhaps notified. The next poll of
 * each feed is a first one: what the feed has then is never sent. The next occurrence of each recurring send is the first
 * one after now.
 */
export async function quarantineEverything(tx: Tx): Promise<Quarantined> {
  const sites = await quarantineSites(tx);
  for (const { siteId, tenantId } of sites)
    await recordAuditEvent(tx, { kind: "operator", tenantId }, "site.paused", {
      siteId,
      details: { after: "restore" },
    });
  const failure = { code: "missed", message: `${perhapsSent} Make a copy of it if it has not.` };
  const { failed, undoWindows } = await failDueSends(tx, failure);
  for (const { campaignId: subjectId, siteId, tenantId } of failed) {
    const facts = { siteId, subjectId, details: { code: failure.code } };
    await recordAuditEvent(tx, { kind: "operator", tenantId }, "campaign.failed", facts);
  }
  const restored = blocks("restored", `${perhapsSent} Send it by hand if it has not.`);
  const skippedItems = await skipOpenItems(tx, "all", restored);
  await resetFeeds(tx, "all");
  await deleteAllEditorNudges(tx);
  await clearDigests(tx);
  await deleteDueWelcomes(tx, "all");
  await endWinBacks(tx, "all");
  await endDrills(tx, "all");
  await restartRecurringSends(tx, "all");
  await endPassedWaves(tx);
  return {
    quarantinedSites: sites.length,
    failedSchedules: failed.length,
    refusedSends: undoWindows,
    skippedItems,
    stoppedTests: await stopTestRuns(tx),
    deletedEmails: await deleteAllEmails(tx),
  };
}
