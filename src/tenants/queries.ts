import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { Tenant, TenantChange } from "./tenant.ts";

const tenantColumns = sql.raw(`id, name, plan, paused_at as "pausedAt", dpa_accepted_at as "dpaAcceptedAt",
  dpa_version as "dpaVersion", dpa_accepted_by as "dpaAcceptedBy",
  confirm_above as "confirmAbove", requires_second_factor as "requiresSecondFactor", site_limit as "siteLimit", topic_limit as "topicLimit"`);

export async function insertTenant(
  on: Executor,
  tenant: { id: string; name: string; plan: string; dpaVersion: string | null },
): Promise<void> {
  await sql`insert into tenants (id, name, plan, dpa_version, dpa_accepted_at)
    values (${tenant.id}, ${tenant.name}, ${tenant.plan}, ${tenant.dpaVersion},
      case when ${tenant.dpaVersion}::text is not null then now() end)`.execute(on);
}

export function tenantById(on: Executor, id: string): Promise<Tenant | undefined> {
  return row(sql<Tenant>`select ${tenantColumns} from tenants where id = ${id}`, on);
}

export type ListedTenant = {
  tenantId: string;
  name: string;
  plan: string;
  paused: boolean;
  sites: number;
  members: number;
  createdAt: Date;
};

/** Returns all tenants, oldest first. */
export function allTenants(on: Executor): Promise<ListedTenant[]> {
  return rows(
    sql<ListedTenant>`select t.id as "tenantId", t.name, t.plan, t.paused_at is not null as paused,
        (select count(*) from sites s where s.tenant_id = t.id and s.removed_at is null) as sites,
        (select count(*) from members m where m.tenant_id = t.id) as members, t.created_at as "createdAt"
      from tenants t order by t.id`,
    on,
  );
}

/** Returns the ids of the tenants with this name, in any case. */
export async function tenantIdsByName(on: Executor, name: string): Promise<string[]> {
  return (
    await rows(sql<{ id: string }>`select id from tenants where lower(name) = lower(${name}) order by id`, on)
  ).map(({ id }) => id);
}

/** Returns the tenant and locks its row against changes until the transaction ends. */
export function tenantLocked(tx: Executor, id: string): Promise<Tenant | undefined> {
  return row(sql<Tenant>`select ${tenantColumns} from tenants where id = ${id} for no key update`, tx);
}

/**
 * Changes the given fields. A second pause keeps the time of the first pause. A second acceptance of the same version
 * keeps the time of the first acceptance. `acceptance`: the version that this change accepts, and the actor who
 * accepts it.
 */
export function updateTenant(
  on: Executor,
  id: string,
  change: TenantChange,
  acceptance: { version: string; by: string },
): Promise<Tenant | undefined> {
  const { name = null, plan = null, paused = null, dpaAccepted = null, confirmAbove } = change;
  const { requiresSecondFactor = null, siteLimit = null, topicLimit = null } = change;
  const { version, by } = acceptance;
  // Expressions in SET see the old row, so the three columns of an acceptance can make the same comparison.
  const accepted = (column: string, value: ReturnType<typeof sql>) =>
    sql`case ${dpaAccepted}::boolean when false then null
      when true then case when dpa_accepted_at is not null and dpa_version is not distinct from ${version}
        then ${sql.raw(column)} else ${value} end
      else ${sql.raw(column)} end`;
  return row(
    sql<Tenant>`update tenants set
        name = coalesce(${name}, name),
        confirm_above = ${confirmAbove === undefined ? sql`confirm_above` : confirmAbove},
        requires_second_factor = coalesce(${requiresSecondFactor}, requires_second_factor),
        site_limit = coalesce(${siteLimit}, site_limit),
        topic_limit = coalesce(${topicLimit}, topic_limit),
        plan = coalesce(${plan}, plan),
        paused_at = case ${paused}::boolean when true then coalesce(paused_at, now()) when false then null else paused_at end,
        dpa_accepted_at = ${accepted("dpa_accepted_at", sql`now()`)},
        dpa_version = ${accepted("dpa_version", sql`${version}`)},
        dpa_accepted_by = ${accepted("dpa_accepted_by", sql`${by}`)}
      where id = ${id} returning ${tenantColumns}`,
    on,
  );
}

/** Records who accepted the agreement at the creation of the tenant. The owner is created after the tenant. */
export async function recordAcceptance(on: Executor, tenantId: string, by: string): Promise<void> {
  await sql`update tenants set dpa_accepted_by = ${by} where id = ${tenantId} and dpa_accepted_at is not null`.execute(
    on,
  );
}

/** Returns whether there is any tenant. */
export async function hasTenant(on: Executor): Promise<boolean> {
  const found = await row(sql<{ found: boolean }>`select exists (select from tenants) as found`, on);
  return found!.found;
}

/** Blocks other inserts of tenants until the transaction ends. If two first visits come at once, only one sets up. */
export async function lockTenants(tx: Tx): Promise<void> {
  await sql`lock table tenants in share row exclusive mode`.execute(tx);
}
