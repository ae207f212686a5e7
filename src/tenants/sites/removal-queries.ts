import { sql } from "kysely";
import { type Executor, row } from "../../db/pool.ts";

/** For how many days a removed site can be restored. After that, its readers are deleted. */
export const restoreDays = 7;

/** Returns an SQL condition: site `table` was removed so long ago that it cannot be restored. */
export const isRemovedForGood = (table: "s" | "sites") =>
  sql.raw(`coalesce(${table}.removed_at < now() - interval '${restoreDays} days', false)`);

/**
 * Restores a site that was removed within `restoreDays` and is not being erased. Returns false if there is no such
 * site.
 */
export async function unmarkSiteRemoved(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const restored = await row(
    sql`update sites set removed_at = null where id = ${id} and tenant_id = ${tenantId} and removed_at is not null
      and erase_at is null and not ${isRemovedForGood("sites")} returning id`,
    on,
  );
  return restored !== undefined;
}

/** Returns the tenant of a site, even of a removed one. */
export async function tenantOfSite(on: Executor, id: string): Promise<string | undefined> {
  const site = await row(sql<{ tenantId: string }>`select tenant_id as "tenantId" from sites where id = ${id}`, on);
  return site?.tenantId;
}

/** Marks a tenant's site as removed. Returns false if there is no such site. */
export async function markSiteRemoved(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const removed = await row(
    sql`update sites set removed_at = now() where id = ${id} and tenant_id = ${tenantId} and removed_at is null returning id`,
    on,
  );
  return removed !== undefined;
}
