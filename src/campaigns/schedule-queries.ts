import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { Failure } from "./campaign.ts";
import { delayingGate } from "./gate-queries.ts";
import type { DelayingGateCode } from "./gates.ts";

/** Whether a gate delays a due campaign `c` of site `s` and tenant `t`: until the grace time ends. */
export const isDelayed = (graceMinutes: number) =>
  sql`${delayingGate} is not null
    and coalesce(c.grace_from, c.scheduled_at) > now() - make_interval(mins => ${graceMinutes})`;

export type DueCampaign = { campaignId: string; tenantId: string };

/**
 * At most 1,000 campaigns that are due by the database's clock and not delayed, the longest due first. Held ones are
 * left out because nothing can be done for them: otherwise hundreds would be checked twice a second. Takes no lock, so
 * other processes may get the same campaigns.
 */
export function dueCampaigns(on: Executor, graceMinutes: number): Promise<DueCampaign[]> {
  return rows(
    sql<DueCampaign>`select c.id as "campaignId", c.tenant_id as "tenantId"
      from campaigns c join sites s on s.id = c.site_id join tenants t on t.id = c.tenant_id
      where c.status = 'scheduled' and c.scheduled_at <= now() and not (${isDelayed(graceMinutes)})
      order by c.scheduled_at limit 1000`,
    on,
  );
}

/** Time until the next scheduled campaign is due, in ms; Infinity if there is none. */
export async function nextDueInMs(on: Executor): Promise<number> {
  const next = await row(
    // min() of no rows is null, and so is the difference. greatest(0, …) in SQL would turn that null into 0.
    sql<{ ms: number | null }>`select (extract(epoch from min(scheduled_at) - clock_timestamp()) * 1000)::float8 as ms
      from campaigns where status = 'scheduled' and scheduled_at > now()`,
    on,
  );
  return next?.ms == null ? Number.POSITIVE_INFINITY : Math.max(0, next.ms);
}

/**
 * Locks a campaign that is due. Returns for how many ms it has been late, at the hour of readers below 0; undefined if
 * another process has it locked, or if it is no longer due.
 */
export function lockDueCampaign(on: Executor, id: string): Promise<{ lateMs: number } | undefined> {
  return row(
    sql<{ lateMs: number }>`select
        (extract(epoch from clock_timestamp() - coalesce(grace_from, scheduled_at)) * 1000)::float8 as "lateMs"
      from campaigns where id = ${id} and status = 'scheduled' and scheduled_at <= now()
      for no key update skip locked`,
    on,
  );
}

/** Fails all campaigns that are due with `failure`. Returns them. */
export function failDueCampaigns(
  tx: Tx,
  failure: Failure,
): Promise<{ campaignId: string; siteId: string; tenantId: string }[]> {
  return rows(
    sql<{ campaignId: string; siteId: string; tenantId: string }>`update campaigns set status = 'failed',
        failure = ${JSON.stringify(failure)}, updated_at = now()
      where status = 'scheduled' and scheduled_at <= now()
      returning id as "campaignId", site_id as "siteId", tenant_id as "tenantId"`,
    tx,
  );
}

/** A schedule of any tenant, for the operator. `delayed`: a pause of its tenant or site holds it when it is due. */
export type ScheduleRecord = {
  campaignId: string;
  tenantName: string;
  siteId: string;
  siteName: string;
  title: string;
  scheduledAt: Date;
  delayed: boolean;
};

/** The scheduled campaigns of all tenants, or of one site, the next one first. */
export function scheduledCampaigns(on: Executor, siteId?: string): Promise<ScheduleRecord[]> {
  return rows(
    sql<ScheduleRecord>`select c.id as "campaignId", t.name as "tenantName", s.id as "siteId", s.name as "siteName", c.title,
        c.scheduled_at as "scheduledAt", ${delayingGate} is not null as delayed
      from campaigns c join sites s on s.id = c.site_id join tenants t on t.id = c.tenant_id
      where c.status = 'scheduled' and s.removed_at is null
        and (${siteId ?? null}::uuid is null or c.site_id = ${siteId ?? null})
      order by c.scheduled_at, c.id`,
    on,
  );
}

export type DelayedCampaign = { id: string; tenantId: string; gate: DelayingGateCode };

/**
 * Finds one delayed campaign for whose `scheduledAt` no e-mail was written yet, and records that it is now. Returns it
 * with the gate that delays it; undefined if there is none.
 */
export function recordNextDelay(on: Executor, graceMinutes: number): Promise<DelayedCampaign | undefined> {
  return row(
    sql<DelayedCampaign>`with delayed as materialized (
        select c.site_id, c.id, ${delayingGate} as gate
        from campaigns c join sites s on s.id = c.site_id join tenants t on t.id = c.tenant_id
        where c.status = 'scheduled' and c.scheduled_at <= now() and c.delay_notified_for is distinct from c.scheduled_at
          and ${isDelayed(graceMinutes)} limit 1 for no key update of c skip locked)
      update campaigns c set delay_notified_for = c.scheduled_at from delayed
      where c.site_id = delayed.site_id and c.id = delayed.id
      returning c.id, c.tenant_id as "tenantId", delayed.gate`,
    on,
  );
}

/**
 * When a scheduled campaign goes out, in ms since 1970: with local-time delivery when it is that hour at the site,
 * though its run begins before.
 */
export async function scheduledMomentMs(on: Executor, { siteId, id }: { siteId: string; id: string }): Promise<number> {
  const found = await row(
    sql<{ ms: number }>`select (extract(epoch from coalesce(grace_from, scheduled_at)) * 1000)::float8 as ms
      from campaigns where site_id = ${siteId} and id = ${id}`,
    on,
  );
  return found!.ms;
}

/**
 * The database's clock in ms since 1970. Not now(): that is the begin of the transaction, which may have waited for a
 * lock.
 */
export async function databaseNowMs(on: Executor): Promise<number> {
  const clock = await row(sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`, on);
  return clock!.ms;
}
