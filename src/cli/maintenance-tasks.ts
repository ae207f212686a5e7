import { expireAccounts } from "../access/accounts/expire-accounts.ts";
import { expireAuditEvents } from "../audit/expire-events.ts";
import type { Config } from "../config.ts";
import { expireAutosavedDrafts } from "../dashboard-api/autosaved-drafts.ts";
import { eraseSites } from "../erasure/erase-sites.ts";
import { eraseTenants } from "../erasure/erase-tenants.ts";
import { eraseTraces } from "../erasure/erase-traces.ts";
import { expireItemKeys, expireItems } from "../feeds/items/expire-items.ts";
import { learnSites } from "../forecast/learn-sites.ts";
import { countHoldoutDays, expireHoldoutDays } from "../holdouts/count-days.ts";
import type { MaintenanceTask } from "../maintenance.ts";
import { expirePromptDays, expireSiteDays } from "../receipts/expire-days.ts";
import { expireMinutes } from "../receipts/expire-minutes.ts";
import { pruneBatches } from "../runs/ledger/prune-batches.ts";
import { expireConsentProofs } from "../subscribers/consent/expire-proofs.ts";
import { expireEditorDevices } from "../subscribers/editor-devices/expire-devices.ts";
import { expireDormant } from "../subscribers/expire-dormant.ts";
import { expireGone } from "../subscribers/expire-gone.ts";
import { cutUndeclaredFacts } from "../subscribers/facts/cut-facts.ts";
import { expireFollows } from "../subscribers/follows/expire-follows.ts";
import { expireMutes } from "../subscribers/preferences/expire-mutes.ts";

/**
 * Returns the maintenance tasks: all deletions of the service, with the periods of the settings, and its daily
 * learning and counting.
 */
export function maintenanceTasks({
  ACCOUNT_DAYS,
  AUDIT_DAYS,
  RECIPIENT_DAYS,
  AUTOSAVED_DRAFT_DAYS,
  CONSENT_PROOF_DAYS,
}: Config): MaintenanceTask[] {
  return [
    expireDormant,
    expireGone,
    expireConsentProofs(CONSENT_PROOF_DAYS),
    expireMutes,
    cutUndeclaredFacts,
    expireFollows,
    pruneBatches(RECIPIENT_DAYS),
    expireItems,
    expireItemKeys,
    expireAuditEvents(AUDIT_DAYS),
    expireAccounts(ACCOUNT_DAYS),
    expireAutosavedDrafts(AUTOSAVED_DRAFT_DAYS),
    expireMinutes,
    expireSiteDays,
    expirePromptDays,
    countHoldoutDays,
    expireHoldoutDays,
    expireEditorDevices,
    eraseTraces,
    eraseSites,
    eraseTenants,
    learnSites,
  ];
}
