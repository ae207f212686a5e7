import { sql } from "kysely";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import { newId } from "../ids.ts";
import type { LocalTime } from "../local-time.ts";
import type { PlannedSendEnd } from "./planned-send.ts";
import type { WaitsFor } from "./states.ts";

export type NewPlannedSend = {
  waitsFor: WaitsFor;
  /** When the send starts: a time in ms since 1970, or a number of seconds from now. Null for immediately. */
  starts: { atMs: number } | { inSeconds: number } | null;
  localTime?: LocalTime | null;
  /** When a campaign at a local time starts to be late, ms since 1970. */
  lateFromMs?: number | null;
  /** The member who decided; null if no member did. */
  userId: string | null;
  isUnapproved?: boolean;
  /** The id of the request that this send approves. */
  approves?: string | null;
  /** How many hours a request for approval lives. It ends earlier at the site's freshness limit, or at `untilMs`. */
  expires?: { hours: number; untilMs: number | null };
  audience?: { audience: number; audienceExact?: boolean };
};

/**
 * How many days ended sends are kept. This is longer than the hour in which they count, plus the longest
 * GRACE_MINUTES for which a pause can delay a due campaign.
 */
const keptDays = 8;

const moment = (ms: number | null | undefined) =>
  ms == null ? sql`null::timestamptz` : sql`to_timestamp(${ms}::float8 / 1000)`;

/**
 * Inserts a planned send of a campaign that the caller has locked. It replaces a waiting one of the same `waitsFor`.
 * Deletes the member's sends at this site that ended days ago, except schedules and requests, which people look up.
 */
export async function insertPlannedSend(
  tx: Tx,
  { id: campaignId, siteId, tenantId }: Pick<CampaignRecord, "id" | "siteId" | "tenantId">,
  send: NewPlannedSend,
): Promise<void> {
  const { waitsFor, starts, userId, expires } = send;
  const { audience = null, audienceExact = true } = send.audience ?? {};
  await endWaiting(tx, campaignId, { waitsFor: [waitsFor], status: "withdrawn" });
  const startsAt =
    starts !== null && "inSeconds" in starts
      ? sql`clock_timestamp() + make_interval(secs => ${starts.inSeconds})`
      : moment(starts?.atMs);
  const expiresAt = expires
    ? sql`least(now() + make_interval(hours => least(${expires.hours}::int, s.freshness_hours)), ${moment(expires.untilMs)})`
    : sql`null::timestamptz`;
  const localTime = send.localTime ? JSON.stringify(send.localTime) : null;
  const isOver = waitsFor === "nothing";
  await sql`insert into planned_sends (id, tenant_id, site_id, campaign_id, campaign_revision, waits_for, starts_at, local_time,
      late_from, user_id, is_unapproved, approves, expires_at, audience, audience_exact, status, ended_at)
    select ${newId()}, ${tenantId}, ${siteId}, c.id, c.revision, ${waitsFor}, ${startsAt}, ${localTime}::jsonb,
      ${moment(send.lateFromMs)}, ${userId}, ${send.isUnapproved ?? false}, ${send.approves ?? null}, ${expiresAt},
      ${audience}, ${audienceExact}, ${isOver ? "sent" : "waiting"}, case when ${isOver} then clock_timestamp() end
    from campaigns c join sites s on s.id = c.site_id where c.site_id = ${siteId} and c.id = ${campaignId}`.execute(tx);
  await sql`delete from planned_sends where user_id = ${userId} and site_id = ${siteId} and waits_for in ('undo', 'nothing')
    and ended_at < now() - make_interval(days => ${keptDays})`.execute(tx);
}

/** Ends a waiting planned send. Returns false if it has already ended. */
export async function endPlannedSend(on: Executor, id: string, end: PlannedSendEnd): Promise<boolean> {
  const by = "by" in end ? end.by : null;
  const refusal = "refusal" in end ? end.refusal : null;
  const ended = await row(
    sql`update planned_sends set status = ${end.status}, decided_by = ${by}, refusal = ${refusal},
        ended_at = clock_timestamp() where id = ${id} and status = 'waiting' returning id`,
    on,
  );
  return ended !== undefined;
}

/**
 * Ends the waiting planned sends of a campaign that the caller has locked. `waitsFor`: which of them; by default all.
 */
export async function endWaiting(
  tx: Tx,
  campaignId: string,
  end: { waitsFor?: WaitsFor[]; status: "withdrawn" | "failed" },
): Promise<void> {
  const { waitsFor = ["approval", "undo", "time"], status } = end;
  await sql`update planned_sends set status = ${status}, ended_at = clock_timestamp()
    where campaign_id = ${campaignId} and status = 'waiting' and waits_for = any(${waitsFor})`.execute(tx);
}

/** Locks and returns the waiting schedules of a site for a local time. */
export function lockLocalSchedules(
  tx: Tx,
  siteId: string,
): Promise<{ id: string; startsAt: Date; localTime: LocalTime }[]> {
  return rows(
    sql<{
      id: string;
      startsAt: Date;
      localTime: LocalTime;
    }>`select id, starts_at as "startsAt", local_time as "localTime"
      from planned_sends
      where site_id = ${siteId} and status = 'waiting' and waits_for = 'time' and local_time is not null
      order by id for no key update`,
    tx,
  );
}

/** Sets when schedules start to be late. `late`: the id of each schedule, with ms since 1970. */
export async function setLateFrom(tx: Tx, late: { id: string; lateFromMs: number }[]): Promise<void> {
  await sql`update planned_sends p set late_from = to_timestamp(late.ms / 1000)
    from unnest(${late.map(({ id }) => id)}::uuid[], ${late.map(({ lateFromMs }) => lateFromMs)}::float8[]) as late (id, ms)
    where p.id = late.id`.execute(tx);
}

/** Withdraws requests and undo windows at a site that was moved to this installation without its members. */
export async function withdrawMembersSends(tx: Tx, siteId: string): Promise<void> {
  await sql`update planned_sends set status = 'withdrawn', ended_at = clock_timestamp()
    where site_id = ${siteId} and status = 'waiting' and waits_for in ('approval', 'undo')`.execute(tx);
}

/**
 * Returns the database's clock in ms since 1970. Does not use now(), which is the start of the transaction, because
 * the transaction may have waited for a lock.
 */
export async function databaseNowMs(on: Executor): Promise<number> {
  const clock = await row(sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`, on);
  return clock!.ms;
}
