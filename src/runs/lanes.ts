import { sql } from "kysely";
import { type Database, type Executor, rows } from "../db/pool.ts";

/** Why nothing is sent on a lane: its push service refuses the site's key. */
export type HeldReason = "unauthorized" | "forbidden";

/** For so many hours a lane counts as limited after its push service was last seen to limit the site. */
export const cappedHours = 1;

/** SQL condition: the push service of lane `l` was seen to limit the site, within `cappedHours`. */
export const isCapped = sql.raw(`coalesce(l.capped_at > now() - interval '${cappedHours} hours', false)`);

/** The lanes of a site whose push service was seen to limit it, within the last `hours`. */
export async function cappedLanes(on: Executor, siteId: string, hours: number): Promise<string[]> {
  const capped = await rows(
    sql<{ lane: string }>`select origin as lane from lanes
      where site_id = ${siteId} and capped_at > now() - make_interval(hours => ${hours}) order by origin`,
    on,
  );
  return capped.map(({ lane }) => lane);
}

/**
 * Keeps the lane from being claimed for `waitMs`, because the push service asked to wait or refuses our key (`reason`). A
 * longer wait that is there already stays, and so does its reason. With a reason, nothing speaks for the key any more.
 * `throttle`: several readers' messages were answered with 429; `hasFlowed`: after others were accepted.
 */
export async function holdLane(
  db: Database,
  siteId: string,
  lane: string,
  waitMs: number,
  reason: HeldReason | null = null,
  throttle: { hasFlowed: boolean } | null = null,
): Promise<void> {
  const isThrottle = throttle !== null;
  await sql`insert into lanes as l (site_id, origin, not_before, held_reason, throttled_at, throttles)
    values (${siteId}, ${lane}, now() + ${waitMs}::float8 * interval '1 millisecond', ${reason},
      case when ${isThrottle} then now() end, ${isThrottle ? 1 : 0})
    on conflict (site_id, origin) do update set not_before = greatest(l.not_before, excluded.not_before),
      held_reason = coalesce(excluded.held_reason, l.held_reason),
      throttled_at = case when ${isThrottle} then now() else l.throttled_at end,
      throttles = case when not ${isThrottle} then l.throttles
        when coalesce(l.throttled_at < now() - interval '10 minutes', true) then 1
        -- The first to say so after the rest: what other threads say of the same time is the same throttle.
        when ${throttle?.hasFlowed ?? false} and coalesce(l.not_before <= now(), true) then least(l.throttles + 1, 1000)
        else l.throttles end`.execute(db);
  if (reason === null) return;
  await sql`delete from accepted_keys where site_id = ${siteId} and lane = ${lane}`.execute(db);
}

/** Records that the lane accepts messages that are signed with this key. */
export async function recordAcceptedKey(db: Database, siteId: string, lane: string, publicKey: Buffer): Promise<void> {
  await sql`insert into accepted_keys (site_id, lane, public_key) values (${siteId}, ${lane}, ${publicKey})
    on conflict (site_id, lane, public_key) do update set accepted_at = now()`.execute(db);
}

/** Ends the hold of a lane whose push service accepts the site's messages again. A wait that was asked for meanwhile stays. */
export async function releaseLane(db: Database, siteId: string, lane: string): Promise<void> {
  await sql`update lanes set held_reason = null,
      not_before = case when not_before > now() then not_before end
    where site_id = ${siteId} and origin = ${lane} and held_reason is not null`.execute(db);
}
