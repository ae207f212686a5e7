import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { originOf } from "./queries.ts";

/**
 * Quarantines and pauses all sites until a person releases them. A pause that exists keeps its time. Returns the
 * sites that were not yet both quarantined and paused.
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
 * Ends the quarantine of a tenant's site and the pause that came with it. An earlier pause stays. Returns whether the
 * site is paused now; undefined if it was not quarantined.
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
 * Marks a site as moved to another installation, and quarantines it. Returns its state before. The caller has locked
 * the site.
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

/** Removes the mark of a moved site. The site stays quarantined. */
export async function unmarkSiteMoved(tx: Tx, tenantId: string, siteId: string): Promise<void> {
  await sql`update sites set moved_at = null where id = ${siteId} and tenant_id = ${tenantId}`.execute(tx);
}

/** Counts the quarantined sites that wait for a person. Leaves out sites that have moved to another installation. */
export async function countQuarantinedSites(on: Executor): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from sites
      where quarantined_at is not null and paused_at is not null and moved_at is null and removed_at is null`,
    on,
  );
  return counted!.n;
}

/** Returns whether a tenant's site is marked as moved to another installation. */
export async function isSiteMoved(on: Executor, tenantId: string, siteId: string): Promise<boolean> {
  const found = await row(
    sql`select from sites where id = ${siteId} and tenant_id = ${tenantId} and moved_at is not null`,
    on,
  );
  return found !== undefined;
}

/**
 * Inserts an exported site as a site of this tenant, and quarantines it. An earlier pause of the site stays after the
 * release. `site`: its row as PostgreSQL's JSON, without the private key. Returns false if a site of any tenant has
 * its id.
 */
export async function insertMovedSite(
  tx: Tx,
  tenantId: string,
  { site, sealed }: { site: Record<string, unknown>; sealed: Buffer },
): Promise<boolean> {
  // The origin comes from the URL. The origin in the file may come from a stranger.
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
