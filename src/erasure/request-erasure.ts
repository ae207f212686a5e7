import { sql } from "kysely";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { row, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";

/**
 * Requests the erasure of a site, which may have been removed before. Removes the site at once, so that its sends halt
 * within a second. Maintenance then deletes everything about it within two hours. The audit log keeps one event with
 * its name. Throws `not_found`.
 */
export async function requestSiteErasure(app: App, siteId: string): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    const site = isId(siteId)
      ? await row(
          sql<{ tenantId: string; name: string }>`update sites
            set removed_at = coalesce(removed_at, now()), erase_at = coalesce(erase_at, now())
            where id = ${siteId} returning tenant_id as "tenantId", name`,
          tx,
        )
      : undefined;
    if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
    const { tenantId, name } = site;
    await recordAuditEvent(tx, { kind: "operator", tenantId }, "site.erased", { details: { name } });
  });
}

/**
 * Requests the erasure of a tenant. Its keys and members lose their access at once. People who belong to no other
 * tenant are deleted with their data, and the tenant's sites are removed. Maintenance deletes the rest within two
 * hours. Throws `not_found`.
 */
export async function requestTenantErasure(app: App, tenantId: string): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    const tenant = isId(tenantId)
      ? await row(
          sql`update tenants set erase_at = coalesce(erase_at, now()), paused_at = coalesce(paused_at, now())
            where id = ${tenantId} returning id`,
          tx,
        )
      : undefined;
    if (tenant === undefined) throw appError("not_found", { message: `There is no tenant ${tenantId}.` });
    await sql`update sites set removed_at = coalesce(removed_at, now()), erase_at = coalesce(erase_at, now())
      where tenant_id = ${tenantId}`.execute(tx);
    await endAccess(tx, tenantId);
  });
}

async function endAccess(tx: Tx, tenantId: string): Promise<void> {
  await sql`delete from api_keys where tenant_id = ${tenantId}`.execute(tx);
  await sql`delete from invitations where tenant_id = ${tenantId}`.execute(tx);
  await sql`delete from users u using members m where m.tenant_id = ${tenantId} and m.user_id = u.id
    and not exists (select from members other where other.user_id = u.id and other.tenant_id <> m.tenant_id)`.execute(
    tx,
  );
  await sql`delete from members where tenant_id = ${tenantId}`.execute(tx);
}
