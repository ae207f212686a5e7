import { sql } from "kysely";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type Database, inTenant, rows } from "../db/pool.ts";
import { canBeStopped } from "../runs/kinds.ts";
import { countUncertain } from "../runs/ledger/counts.ts";
import { listedRuns } from "../runs/queries.ts";
import { viewRecord } from "../runs/read-run.ts";
import type { RunRecord } from "../runs/run.ts";
import { stopRun } from "../runs/stop-run.ts";
import { type ScheduleRecord, scheduledCampaigns } from "../sends/due-queries.ts";
import { isSiteMoved, releaseQuarantine, unmarkSiteMoved } from "../tenants/sites/quarantine-queries.ts";
import { BackupError } from "./backup-error.ts";

/**
 * An open run of a quarantined site, with its figures. `uncertain`: the pending recipients whose message was perhaps
 * posted.
 */
export type QuarantinedRun = {
  runId: string;
  /** Null for the run of a digest, a welcome or a win-back. */
  campaignId: string | null;
  audience: number;
  accepted: number;
  pending: number;
  uncertain: number;
};

/** A quarantined site. `feeds`: how many of its feeds are on. `items`: the feed items that wait for the release. */
export type QuarantinedSite = {
  siteId: string;
  tenantId: string;
  tenantName: string;
  siteName: string;
  quarantinedAt: Date;
  /** When the site was exported to another installation. Null if it was not. */
  movedAt: Date | null;
  feeds: number;
  items: number;
  runs: QuarantinedRun[];
  schedules: ScheduleRecord[];
};

type SiteRow = Omit<QuarantinedSite, "runs" | "schedules">;

/** Returns the quarantined sites of all tenants, each with everything that a release would send. */
export async function listQuarantinedSites(app: App): Promise<QuarantinedSite[]> {
  const held = await rows(
    sql<SiteRow>`select s.id as "siteId", t.id as "tenantId", t.name as "tenantName", s.name as "siteName",
        s.quarantined_at as "quarantinedAt", s.moved_at as "movedAt",
        (select count(*) from feeds f where f.site_id = s.id and f.enabled) as feeds,
        (select count(*) from feed_items i where i.site_id = s.id and i.status in ('new', 'waiting')) as items
      from sites s join tenants t on t.id = s.tenant_id
      where s.quarantined_at is not null and s.paused_at is not null and s.removed_at is null order by t.name, s.name, s.id`,
    app.db,
  );
  const schedules = await scheduledCampaigns(app.db);
  const sites: QuarantinedSite[] = [];
  for (const site of held) {
    const runs: QuarantinedRun[] = [];
    for (const record of await openLiveRuns(app.db, site.siteId)) {
      const { runId, campaignId, audience, accepted, pending } = await viewRecord(app.db, record);
      const uncertain = await countUncertain(app.db, { siteId: site.siteId, runId });
      runs.push({ runId, campaignId, audience, accepted, pending, uncertain });
    }
    sites.push({ ...site, runs, schedules: schedules.filter(({ siteId }) => siteId === site.siteId) });
  }
  return sites;
}

const movedMessage = (siteId: string) =>
  `Site ${siteId} was exported to another installation, and would send there and here. If its file was imported nowhere, ` +
  "say --not-moved.";

async function openLiveRuns(db: Database, siteId: string): Promise<RunRecord[]> {
  return (await listedRuns(db, { siteId, ended: 0 })).filter(({ kind }) => canBeStopped(kind));
}

/**
 * Releases a quarantined site. Its schedules and feeds go on. `runs`: open runs reach their remaining readers
 * ("continue"), or end ("stop"). `notMoved`: releases the site although it was exported. Throws BackupError if the
 * site is not quarantined, if it was exported, or if it has open runs and `runs` is undefined. Returns whether the
 * site is still paused, because it was paused before the quarantine.
 */
export async function releaseSite(
  app: App,
  actor: Actor,
  { siteId, runs, notMoved = false }: { siteId: string; runs: "continue" | "stop" | undefined; notMoved?: boolean },
): Promise<{ paused: boolean }> {
  if (!notMoved && (await isSiteMoved(app.db, actor.tenantId, siteId))) throw new BackupError(movedMessage(siteId));
  const undecided = (await openLiveRuns(app.db, siteId)).filter(({ status }) => status !== "stopping");
  if (undecided.length > 0 && runs === undefined) {
    const count = undecided.length === 1 ? "an open run" : `${undecided.length} open runs`;
    throw new BackupError(`Site ${siteId} has ${count} (quarantine list): say --runs continue or --runs stop.`);
  }
  // Runs stop before the release, so that no worker starts a POST for them.
  if (runs === "stop") for (const { id: runId } of undecided) await stopRun(app, actor, { runId });
  return inTenant(app.db, actor.tenantId, async (tx) => {
    if (notMoved) await unmarkSiteMoved(tx, actor.tenantId, siteId);
    const released = await releaseQuarantine(tx, actor.tenantId, siteId);
    if (released === undefined) throw new BackupError(`Site ${siteId} is not quarantined.`);
    if (!released.paused) await recordAuditEvent(tx, actor, "site.resumed", { siteId });
    return released;
  });
}
