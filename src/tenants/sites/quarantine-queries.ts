import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { originOf } from "./queries.ts";

/**
 * Pauses all sites that are not quarantined yet until a person releases them. A pause that is there stays. Returns
 * these sites.
 */
export function quarantineSites(tx: Tx): Promise<{ siteId: string; tenantId: string }[]> {
  return rows(
    sql<{
      siteId: string;
      tenantId: string;
    }>`update sites set quarantined_at = now(), paused_at = coalesce(paused_at, now())
      where removed_at is null and (quarantined_at is null or paused_at is null) returning id as "siteId", tenant_id as "tenantId"`,
    tx,
  );
}

/**
 * Ends the quarantine of a tenant's site, and the pause that came with it; one that was there before stays. Returns
 * whether the site is paused now; undefined if it was not quarantined.
 */
export function releaseQuarantine(tx: Tx, tenantId: string, siteId: string): Promise<{ paused: boolean } | undefined> {
  return row(
    sql<{
      paused: boolean;
    }>`update sites set quarantined_at = null, paused_at = case when paused_at <> quarantined_at then paused_at end
      where id = ${siteId} and tenant_id = ${tenantId} and quarantined_at is not null
      returning paused_at is not null as paused`,
    tx,
  );
}

/**
 * Marks a site as moved to another installation, and quarantines it. Returns what it was before. The caller has locked
 * it.
 */
export async function markSiteMoved(tx: Tx, siteId: string): Promise<{ wasMoved: boolean; wasQuarantined: boolean }> {
  const before = await row(
    sql<{ wasMoved: boolean; wasQuarantined: boolean }>`select moved_at is not null as "wasMoved",
        quarantined_at is not null and paused_at is not null as "wasQuarantined"
      from sites where id = ${siteId}`,
    tx,
  );
  await sql`update sites set moved_at = coalesce(moved_at, now()), paused_at = coalesce(paused_at, now()),
      quarantined_at = case when quarantined_at is not null and paused_at is not null then quarantined_at else now() end
    where id = ${siteId}`.execute(tx);
  return before!;
}

/** Takes the mark away; the site is still quarantined. */
export async function unmarkSiteMoved(tx: Tx, tenantId: string, siteId: string): Promise<void> {
  await sql`update sites set moved_at = null where id = ${siteId} and tenant_id = ${tenantId}`.execute(tx);
}

/** Counts the sites that are quarantined and wait for a person, without those that have moved to another installation. */
export async function countQuarantinedSites(on: Executor): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from sites
      where quarantined_at is not null and paused_at is not null and moved_at is null and removed_at is null`,
    on,
  );
  return counted!.n;
}

/** Whether a tenant's site is marked as moved to another installation. */
export async function isSiteMoved(on: Executor, tenantId: string, siteId: string): Promise<boolean> {
  const found = await row(
    sql`select from sites where id = ${siteId} and tenant_id = ${tenantId} and moved_at is not null`,
    on,
  );
  return found !== undefined;
}

/**
 * Inserts a site that was exported, as one of this tenant, and quarantines it. A pause that it had before stays after
 * the release. `site`: its row as JSON of PostgreSQL, without the private key. Returns false if there is one with its
 * id, of any tenant.
 */
export async function insertMovedSite(
  tx: Tx,
  tenantId: string,
  { site, sealed }: { site: Record<string, unknown>; sealed: Buffer },
): Promise<boolean> {
  // Not the origin that the file names: it may come from a stranger.
  const own = {
    ...site,
    origin: originOf(String(site.url)),
    tenant_id: tenantId,
    vapid_private_key_sealed: `\\x${sealed.toString("hex")}`,
  };
  const inserted = await row(
    sql`insert into sites select (jsonb_populate_record(null::sites, ${JSON.stringify(own)}::jsonb)).*
      on conflict (id) do nothing returning id`,
    tx,
  );
  if (inserted === undefined) return false;
  await sql`update sites set moved_at = null, quarantined_at = now(),
      paused_at = case when paused_at <> quarantined_at then paused_at else now() end
    where id = ${String(site.id)}`.execute(tx);
  return true;
}
