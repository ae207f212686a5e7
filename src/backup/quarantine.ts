import { recordAuditEvent } from "../audit/record-event.ts";
import { endDrills } from "../automations/drill/queries.ts";
import { endWinBacks } from "../automations/win-back/queries.ts";
import type { Tx } from "../db/pool.ts";
import { blocks } from "../feeds/items/check-item.ts";
import { skipOpenItems } from "../feeds/items/queries.ts";
import { feedMessages } from "../feeds/messages.ts";
import { resetFeeds } from "../feeds/queries.ts";
import { deleteAllEmails } from "../mail/queries.ts";
import { defineMessages, said } from "../messages.ts";
import { restartRecurringSends } from "../recurring-sends/queries.ts";
import { endPassedWaves } from "../runs/ledger/waves.ts";
import { stopTestRuns } from "../runs/queries.ts";
import { failDueSends } from "../sends/due-queries.ts";
import { deleteAllEditorNudges } from "../subscribers/editor-devices/queries.ts";
import { clearDigests } from "../subscribers/preferences/queries.ts";
import { deleteDueWelcomes } from "../subscribers/welcome-queries.ts";
import { quarantineSites } from "../tenants/sites/quarantine-queries.ts";

/**
 * The number of quarantined sites, and the numbers of sends and e-mails that were ended because they may have gone out
 * since the backup.
 */
export type Quarantined = {
  quarantinedSites: number;
  failedSchedules: number;
  refusedSends: number;
  skippedItems: number;
  stoppedTests: number;
  deletedEmails: number;
};

/** Why a schedule failed that was due before the restore. */
export const quarantineTexts = {
  perhaps_sent:
    "It may have gone out after the backup from which Pressbell was restored. Make a copy of it if it has not.",
} as const;

const messages = defineMessages(quarantineTexts);

/**
 * Quarantines a restored database in the caller's transaction, so that it sends nothing by itself. Sites are paused
 * until they are released, so open runs, schedules and feeds wait. Whatever was due may have gone out since the
 * backup. So overdue schedules fail, begun sends and feed items are refused, and test sends stop. E-mails,
 * notifications to editors, headlines kept for digests and welcomes with a due step are deleted. Due win-backs and
 * running fire drills end. Readers whose local hour has passed count as perhaps notified. Items that each feed has at
 * its next poll are never sent. Each recurring send continues with its first occurrence after now.
 */
export async function quarantineEverything(tx: Tx): Promise<Quarantined> {
  const sites = await quarantineSites(tx);
  for (const { siteId, tenantId } of sites)
    await recordAuditEvent(tx, { kind: "operator", tenantId }, "site.paused", {
      siteId,
      details: { after: "restore" },
    });
  const failure = { code: "missed", ...said(messages.perhaps_sent()) };
  const { failed, undoWindows } = await failDueSends(tx, failure);
  for (const { campaignId: subjectId, siteId, tenantId } of failed) {
    const facts = { siteId, subjectId, details: { code: failure.code } };
    await recordAuditEvent(tx, { kind: "operator", tenantId }, "campaign.failed", facts);
  }
  const restored = blocks("restored", feedMessages.item_during_restore());
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
