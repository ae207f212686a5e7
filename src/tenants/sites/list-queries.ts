import { sql } from "kysely";
import { type Executor, rows } from "../../db/pool.ts";
import { topicsOfSite } from "./queries.ts";
import { isRemovedForGood } from "./removal-queries.ts";

export type ListedSite = {
  siteId: string;
  tenantId: string;
  name: string;
  url: string;
  timeZone: string;
  paused: boolean;
  vapidPublicKey: Buffer;
  topics: { topicId: string; name: string }[];
  createdAt: Date;
};

/**
 * Returns up to `limit` sites of a tenant with their topics, oldest first, after the site `after`. `siteIds`, if
 * given, limits the list to these sites.
 */
export function sitesOfTenant(
  on: Executor,
  tenantId: string,
  {
    after = null,
    limit,
    siteIds = null,
  }: { after: string | null | undefined; limit: number; siteIds?: string[] | undefined | null },
): Promise<ListedSite[]> {
  return rows(
    sql<ListedSite>`select s.id as "siteId", s.tenant_id as "tenantId", s.name, s.url, s.time_zone as "timeZone",
        s.paused_at is not null as paused, s.vapid_public_key as "vapidPublicKey", s.created_at as "createdAt",
        ${topicsOfSite} as topics
      from sites s where s.tenant_id = ${tenantId} and s.removed_at is null
        and (${after}::uuid is null or s.id > ${after})
        and (${siteIds}::uuid[] is null or s.id = any(${siteIds}::uuid[]))
      order by s.id limit ${limit}`,
    on,
  );
}

/** A site as the operator sees it. `tenant`: the tenant's name. */
export type OperatorSite = {
  siteId: string;
  tenant: string;
  name: string;
  url: string;
  paused: boolean;
  quarantined: boolean;
  /** When the site was removed; null if it was not. A removed site in this list can be restored. */
  removedAt: Date | null;
};

/**
 * Returns the sites of one tenant, or of all tenants if `tenantId` is null, oldest first. Includes removed sites that
 * can be restored.
 */
export function allSites(on: Executor, tenantId: string | null): Promise<OperatorSite[]> {
  return rows(
    sql<OperatorSite>`select s.id as "siteId", t.name as tenant, s.name, s.url, s.paused_at is not null as paused,
        s.quarantined_at is not null as quarantined, s.removed_at as "removedAt"
      from sites s join tenants t on t.id = s.tenant_id
      where s.erase_at is null and not ${isRemovedForGood("s")} and (${tenantId}::uuid is null or s.tenant_id = ${tenantId}) order by s.id`,
    on,
  );
}

/** Returns the ids of the sites with this name or this host, in any case. */
export async function siteIdsByName(on: Executor, name: string): Promise<string[]> {
  const found = await rows(
    sql<{ id: string }>`select id from sites where removed_at is null
      and (lower(name) = lower(${name}) or lower(split_part(url, '/', 3)) = lower(${name})) order by id`,
    on,
  );
  return found.map(({ id }) => id);
}

export type WorkspaceSite = { siteId: string; tenantId: string; name: string; url: string; timeZone: string };

/** Returns the sites of several tenants, oldest first. */
export function sitesOfTenants(on: Executor, tenantIds: string[]): Promise<WorkspaceSite[]> {
  return rows(
    sql<WorkspaceSite>`select id as "siteId", tenant_id as "tenantId", name, url, time_zone as "timeZone"
      from sites where tenant_id = any(${tenantIds}::uuid[]) and removed_at is null order by id`,
    on,
  );
}
