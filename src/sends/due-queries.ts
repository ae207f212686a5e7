import { sql } from "kysely";
import type { Failure } from "../campaigns/campaign.ts";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import { delayingGate } from "./gate-queries.ts";
import type { DelayingGateCode } from "./gates.ts";

/** SQL: planned sends `p` with their site `s` and its tenant `t`. */
const sendsOfSites = sql`planned_sends p join sites s on s.id = p.site_id join tenants t on t.id = p.tenant_id`;

/** SQL condition: the scheduler starts the planned send. */
const isAwaited = sql`p.status = 'waiting' and p.waits_for in ('undo', 'time')`;
const isDue = sql`${isAwaited} and p.starts_at <= now()`;

/**
 * Returns an SQL condition: a gate delays the due planned send `p` of site `s` and tenant `t`, until
 * the grace time ends.
 */
const isDelayed = (graceMinutes: number) =>
  sql`p.waits_for = 'time' and ${delayingGate} is not null
    and coalesce(p.late_from, p.starts_at) > now() - make_interval(mins => ${graceMinutes})`;

export type DueSend = {
  id: string;
  campaignId: string;
  tenantId: string;
  waitsFor: "undo" | "time";
  /** Null if no member decided. */
  userId: string | null;
};

/**
 * Returns up to 1,000 planned sends that are due by the database's clock and not delayed. Undo windows come first,
 * because somebody waits for them. Then come the sends that have been due longest. Leaves out delayed sends, because
 * nothing can be done for them, and hundreds of them would be checked twice a second. Takes no lock, so other
 * processes may get the same sends.
 */
export function dueSends(on: Executor, graceMinutes: number): Promise<DueSend[]> {
  return rows(
    sql<DueSend>`select p.id, p.campaign_id as "campaignId", p.tenant_id as "tenantId", p.waits_for as "waitsFor",
        p.user_id as "userId"
      from ${sendsOfSites} where ${isDue} and not (${isDelayed(graceMinutes)})
      order by p.waits_for = 'undo' desc, p.starts_at limit 1000`,
    on,
  );
}

/** Returns the time until the next planned send is due, in ms; Infinity if there is none. */
export async function nextDueInMs(on: Executor): Promise<number> {
  const next = await row(
    // min() of no rows is null, so the difference is null too. greatest(0, …) in SQL would turn that null into 0.
    sql<{ ms: number | null }>`select (extract(epoch from min(p.starts_at) - clock_timestamp()) * 1000)::float8 as ms
      from planned_sends p where ${isAwaited} and p.starts_at > now()`,
    on,
  );
  return next?.ms == null ? Number.POSITIVE_INFINITY : Math.max(0, next.ms);
}

export type LateSend = { isUnapproved: boolean; atMs: number; lateMs: number };

/**
 * Locks a planned send that is due, and its campaign before it. Returns when the send starts to be late (`atMs`,
 * since 1970) and how late it is now (`lateMs`). `lateMs` is below 0 before the local time at the site. Returns
 * undefined if another process holds the lock, or if the send is no longer due.
 */
export async function lockDueSend(tx: Tx, { id, campaignId }: DueSend): Promise<LateSend | undefined> {
  const campaign = await row(sql`select from campaigns where id = ${campaignId} for no key update skip locked`, tx);
  if (campaign === undefined) return undefined;
  return row(
    sql<LateSend>`select p.is_unapproved as "isUnapproved",
        (extract(epoch from coalesce(p.late_from, p.starts_at)) * 1000)::float8 as "atMs",
        (extract(epoch from clock_timestamp() - coalesce(p.late_from, p.starts_at)) * 1000)::float8 as "lateMs"
      from planned_sends p where p.id = ${id} and ${isDue} for no key update`,
    tx,
  );
}

/**
 * Ends all planned sends that the scheduler could start now. Due campaigns fail with `failure`, and undo windows are
 * refused as late. Returns the campaigns, and the number of undo windows.
 */
export async function failDueSends(
  tx: Tx,
  failure: Failure,
): Promise<{ failed: { campaignId: string; siteId: string; tenantId: string }[]; undoWindows: number }> {
  const failed = await rows(
    sql<{ campaignId: string; siteId: string; tenantId: string }>`with due as (
        update planned_sends p set status = 'failed', ended_at = clock_timestamp()
        where ${isDue} and p.waits_for = 'time' returning p.campaign_id)
      update campaigns set status = 'failed', failure = ${JSON.stringify(failure)}, updated_at = now()
      where id in (select campaign_id from due) and status = 'draft'
      returning id as "campaignId", site_id as "siteId", tenant_id as "tenantId"`,
    tx,
  );
  const undone = await rows(
    sql`update planned_sends set status = 'refused', refusal = 'late', ended_at = clock_timestamp()
      where status = 'waiting' and waits_for = 'undo' returning id`,
    tx,
  );
  return { failed, undoWindows: undone.length };
}

/** A schedule of any tenant, for the operator. `delayed`: a pause of its tenant or site delays it when it is due. */
export type ScheduleRecord = {
  campaignId: string;
  tenantName: string;
  siteId: string;
  siteName: string;
  title: string;
  scheduledAt: Date;
  delayed: boolean;
};

/** Returns the scheduled campaigns of all tenants, or of one site. The campaign that is due next is first. */
export function scheduledCampaigns(on: Executor, siteId?: string): Promise<ScheduleRecord[]> {
  return rows(
    sql<ScheduleRecord>`select c.id as "campaignId", t.name as "tenantName", s.id as "siteId", s.name as "siteName", c.title,
        p.starts_at as "scheduledAt", ${delayingGate} is not null as delayed
      from ${sendsOfSites} join campaigns c on c.site_id = p.site_id and c.id = p.campaign_id
      where p.status = 'waiting' and p.waits_for = 'time' and s.removed_at is null
        and (${siteId ?? null}::uuid is null or p.site_id = ${siteId ?? null})
      order by p.starts_at, c.id`,
    on,
  );
}

export type DelayedCampaign = { id: string; tenantId: string; gate: DelayingGateCode };

/**
 * Finds one delayed campaign that has had no e-mail about its delay, and records that the e-mail is sent. Returns the
 * campaign with the gate that delays it; undefined if there is none.
 */
export function recordNextDelay(on: Executor, graceMinutes: number): Promise<DelayedCampaign | undefined> {
  return row(
    sql<DelayedCampaign>`with delayed as materialized (
        select p.id, ${delayingGate} as gate from ${sendsOfSites}
        where ${isDue} and not p.delay_notified and ${isDelayed(graceMinutes)} limit 1 for no key update of p skip locked)
      update planned_sends p set delay_notified = true from delayed where p.id = delayed.id
      returning p.campaign_id as id, p.tenant_id as "tenantId", delayed.gate`,
    on,
  );
}

/** The figures of all schedules. */
export type ScheduleFigures = {
  /** How many seconds the longest due campaign without a delaying gate has waited; 0 if none waits. */
  lagSeconds: number;
  /** Due campaigns that a gate delays. */
  delayed: number;
};

/**
 * Returns the figures of the whole installation for metrics, by the database's clock. Costs one scan of due campaigns.
 */
export async function readScheduleFigures(on: Executor, graceMinutes: number): Promise<ScheduleFigures> {
  return (await row(
    sql<ScheduleFigures>`select coalesce(extract(epoch from now() - min(at) filter (where not delayed)), 0)::float8
        as "lagSeconds", count(*) filter (where delayed) as delayed
      from (select p.starts_at as at, ${isDelayed(graceMinutes)} as delayed from ${sendsOfSites}
        where ${isDue} and p.waits_for = 'time') due`,
    on,
  ))!;
}
