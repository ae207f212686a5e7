import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import { registrationLimit } from "../rate-limits/limits.ts";
import { countLeft } from "./left-days.ts";
import { provenCount } from "./queries.ts";

const { quotaAtLeast, quotaAtMost, shareOfProven, windowSeconds } = registrationLimit;
const windowStart = sql`(now() - make_interval(secs => ${windowSeconds}))`;

export type RegistrationHour = { isOver: boolean; quota: number; resetSeconds: number };

/**
 * Returns the site's quota, whether more subscribers than that were registered within the last hour (`isOver`), and
 * the seconds until one of them no longer counts (`resetSeconds`). The count includes those that the transaction has
 * inserted. It comes from an index and stops at one more than the quota, because with a counter's row all
 * registrations of a site would wait for each other. Simultaneous registrations do not see each other, so the quota
 * may be exceeded by as many as there are connections.
 */
export async function readRegistrationHour(on: Executor, siteId: string): Promise<RegistrationHour> {
  const hour = await row(
    sql<RegistrationHour>`with site as materialized (
        select coalesce((select quota from registration_quotas where site_id = ${siteId} and valid_until > now()),
          ${quotaAtLeast}) as quota)
      select count(*) > (select quota from site) as "isOver", (select quota from site) as quota,
        greatest(1, ceil(extract(epoch from min(created_at) - ${windowStart})))::int as "resetSeconds"
      from (select s.created_at from subscribers s where s.site_id = ${siteId} and s.registered and not s.is_test
          and s.created_at > ${windowStart} order by s.created_at desc limit (select quota from site) + 1) hour`,
    on,
  );
  return hour!;
}

/**
 * Sets the quota of a site from its proven subscribers, unless that happened within the last hour. Returns whether it
 * did.
 */
export async function renewQuota(on: Executor, siteId: string): Promise<boolean> {
  const share = sql`${provenCount(siteId, quotaAtMost / shareOfProven)} * ${shareOfProven}::float8`;
  const renewed = await row(
    sql`insert into registration_quotas as q (site_id, quota, valid_until)
      select ${siteId}, least(${quotaAtMost}::int, greatest(${quotaAtLeast}::int, ${share}))::int,
        now() + make_interval(secs => ${windowSeconds})
      where not exists (select from registration_quotas where site_id = ${siteId} and valid_until > now())
      on conflict (site_id) do update set quota = excluded.quota, valid_until = excluded.valid_until
        where q.valid_until <= now()
      returning quota`,
    on,
  );
  return renewed !== undefined;
}

/** A site whose owners need a warning, and the quota that was used up. */
export type LimitedSite = { tenantId: string; name: string; quota: number };

/** Records that the owners of a site are warned. Returns undefined if they were already warned within the last day. */
export function recordWarning(on: Executor, siteId: string): Promise<LimitedSite | undefined> {
  return row(
    sql<LimitedSite>`update registration_quotas q set warned_at = now() from sites s
      where q.site_id = ${siteId} and s.id = q.site_id
        and (q.warned_at is null or q.warned_at < now() - interval '1 day')
      returning s.tenant_id as "tenantId", s.name, q.quota`,
    on,
  );
}

/** Returns the quota of a site that refused registrations, if its owners were warned of that within the last day. */
export async function quotaOfWarning(on: Executor, siteId: string): Promise<number | undefined> {
  const found = await row(
    sql<{ quota: number }>`select quota from registration_quotas
      where site_id = ${siteId} and warned_at > now() - interval '1 day'`,
    on,
  );
  return found?.quota;
}

/** Returns the e-mail addresses of the owners of a tenant. */
export async function ownersOfTenant(on: Executor, tenantId: string): Promise<string[]> {
  const owners = await rows(
    sql<{ email: string }>`select u.email from members m join users u on u.id = m.user_id
      where m.tenant_id = ${tenantId} and m.role = 'owner' order by m.id`,
    on,
  );
  return owners.map(({ email }) => email);
}

/** Registrations from `from` (included) to `to` (excluded). */
export type RegistrationWindow = { from: Date; to: Date; neverAccepted: boolean };

const isInWindow = (siteId: string, { from, to, neverAccepted }: RegistrationWindow) =>
  sql`s.site_id = ${siteId} and s.registered and not s.is_test and s.created_at >= ${from} and s.created_at < ${to}
    and not (${neverAccepted} and s.accepted)`;

/** Counts the subscribers of a site that were registered in a window. */
export async function countRegistered(on: Executor, siteId: string, window: RegistrationWindow): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from subscribers s where ${isInWindow(siteId, window)}`,
    on,
  );
  return counted!.n;
}

/**
 * Deletes at most `limit` subscribers that were registered in a window, the oldest first. Returns how many it deleted.
 */
export async function deleteRegisteredPage(
  on: Executor,
  siteId: string,
  window: RegistrationWindow,
  limit: number,
): Promise<number> {
  const deleted = await row(
    // With an array PostgreSQL finds the rows by the primary key even without statistics. The condition is repeated,
    // because a message to one of them may be accepted while the delete waits for its row.
    sql<{ n: number }>`with deleted as (
        delete from subscribers s where ${isInWindow(siteId, window)} and s.id = any(array(
          select s.id from subscribers s where ${isInWindow(siteId, window)} order by s.created_at limit ${limit}))
        returning site_id, is_test),
      counted as (${countLeft("deleted")})
      select count(*) as n from deleted`,
    on,
  );
  return deleted!.n;
}

export type RegisteredHour = { at: Date; registered: number; neverAccepted: number };

/** Counts the registrations of a site by hour (UTC) in the last `hours` hours. Reads at most a million. */
export function registeredHours(on: Executor, siteId: string, hours: number): Promise<RegisteredHour[]> {
  return rows(
    sql<RegisteredHour>`select date_trunc('hour', created_at, 'UTC') as at, count(*) as registered,
        count(*) filter (where not accepted) as "neverAccepted"
      from (select s.created_at, s.accepted from subscribers s
        where s.site_id = ${siteId} and s.registered and not s.is_test
          and s.created_at >= date_trunc('hour', now(), 'UTC') - make_interval(hours => ${hours - 1})
        limit 1000000) registered
      group by 1 order by 1`,
    on,
  );
}
