import { sql } from "kysely";
import { rows } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";

/**
 * The maintenance task that erases the publishers that `requestTenantErasure` has marked, after the last of their
 * sites was erased. Keys, invitations, members and the audit log are deleted with them. A person who belongs to
 * another publisher stays.
 */
export const eraseTenants: MaintenanceTask = {
  name: "tenants to erase",
  async sweep(tx) {
    const erased = await rows(
      sql`delete from tenants t where t.erase_at is not null and not exists (select from sites s where s.tenant_id = t.id)
        returning t.id`,
      tx,
    );
    return { removed: erased.length, at: null };
  },
};
