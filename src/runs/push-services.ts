import { sql } from "kysely";
import { type Database, type Executor, rows } from "../db/pool.ts";

/** Why a push service is blocked: it refuses the site's key. */
export type BlockedReason = "unauthorized" | "forbidden";

/** How long an observed rate limit of a push service is assumed to last, in hours. */
export const rateLimitedHours = 1;

/** SQL condition: push service `l` has limited the site within `rateLimitedHours`. */
export const isRateLimited = sql.raw(
  `coalesce(l.rate_limited_at > now() - interval '${rateLimitedHours} hours', false)`,
);

/** Returns the push services that have limited a site within the last `hours`. */
export async function rateLimitedPushServices(on: Executor, siteId: string, hours: number): Promise<string[]> {
  const rateLimited = await rows(
    sql<{ pushService: string }>`select origin as "pushService" from site_push_services
      where site_id = ${siteId} and rate_limited_at > now() - make_interval(hours => ${hours}) order by origin`,
    on,
  );
  return rateLimited.map(({ pushService }) => pushService);
}

/**
 * Keeps batches of the push service from being claimed for `waitMs`. `reason`: why the service refuses the site's
 * key; null if it only asked to wait. An earlier, longer wait stays, and so does its reason. A reason also deletes
 * the record that the service accepted the key. `throttle`: given if the service answered messages of several readers
 * with 429. `hasFlowed`: whether it had accepted other messages before.
 */
export async function delayPushService(
  db: Database,
  siteId: string,
  pushService: string,
  waitMs: number,
  reason: BlockedReason | null = null,
  throttle: { hasFlowed: boolean } | null = null,
): Promise<void> {
  const isThrottle = throttle !== null;
  await sql`insert into site_push_services as l (site_id, origin, not_before, blocked_reason, throttled_at, throttles)
    values (${siteId}, ${pushService}, now() + ${waitMs}::float8 * interval '1 millisecond', ${reason},
      case when ${isThrottle} then now() end, ${isThrottle ? 1 : 0})
    on conflict (site_id, origin) do update set not_before = greatest(l.not_before, excluded.not_before),
      blocked_reason = coalesce(excluded.blocked_reason, l.blocked_reason),
      throttled_at = case when ${isThrottle} then now() else l.throttled_at end,
      throttles = case when not ${isThrottle} then l.throttles
        when coalesce(l.throttled_at < now() - interval '10 minutes', true) then 1
        -- The first to say so after the rest: what other threads say of the same time is the same throttle.
        when ${throttle?.hasFlowed ?? false} and coalesce(l.not_before <= now(), true) then least(l.throttles + 1, 1000)
        else l.throttles end`.execute(db);
  if (reason === null) return;
  await sql`delete from accepted_keys where site_id = ${siteId} and push_service = ${pushService}`.execute(db);
}

/** Records that the push service accepts messages that are signed with this key. */
export async function recordAcceptedKey(
  db: Database,
  siteId: string,
  pushService: string,
  publicKey: Buffer,
): Promise<void> {
  await sql`insert into accepted_keys (site_id, push_service, public_key) values (${siteId}, ${pushService}, ${publicKey})
    on conflict (site_id, push_service, public_key) do update set accepted_at = now()`.execute(db);
}

/**
 * Ends the block of a push service that accepts the site's messages again. If the service has asked for a wait
 * meanwhile, that wait stays.
 */
export async function releasePushService(db: Database, siteId: string, pushService: string): Promise<void> {
  await sql`update site_push_services set blocked_reason = null,
      not_before = case when not_before > now() then not_before end
    where site_id = ${siteId} and origin = ${pushService} and blocked_reason is not null`.execute(db);
}
