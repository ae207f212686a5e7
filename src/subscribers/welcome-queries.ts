import { type RawBuilder, sql } from "kysely";
import type { Executor } from "../db/pool.ts";

/**
 * SQL: the time at which a step is due that comes `days` days from now. A step for today is due at the next minute, a
 * later one at an hour. Readers are therefore due together, and a site has few runs, however many readers come.
 */
export function welcomeDueIn(days: RawBuilder<unknown>) {
  return sql`case when ${days} = 0 then date_trunc('minute', now(), 'UTC') + interval '1 minute'
    else date_trunc('hour', now() + interval '59 minutes', 'UTC') + make_interval(days => ${days}) end`;
}

/** Begins the welcome of a new subscriber, if the site has a welcome and the subscriber is no test device. */
export async function beginWelcome(on: Executor, siteId: string, endpointHash: Buffer): Promise<void> {
  await sql`insert into welcome_due (site_id, subscriber_id, step, due_at)
    select s.site_id, s.id, 1, ${welcomeDueIn(sql`(w.steps->0->>'afterDays')::int`)}
    from welcomes w join subscribers s on s.site_id = w.site_id
    where w.site_id = ${siteId} and w.enabled and s.endpoint_hash = ${endpointHash} and not s.is_test
    on conflict do nothing`.execute(on);
}

/** Deletes the welcomes whose last step was this run, once the run's lists of recipients have expired. */
export async function deleteEndedWelcomes(on: Executor, run: { siteId: string; runId: string }): Promise<void> {
  await sql`delete from welcome_due where site_id = ${run.siteId} and run_id = ${run.runId} and due_at is null`.execute(
    on,
  );
}

/** Ends the welcomes with a step that is due and was not sent, at a site or everywhere (`all`). */
export async function deleteDueWelcomes(on: Executor, siteId: string | "all"): Promise<void> {
  const ofSites = siteId === "all" ? sql`true` : sql`site_id = ${siteId}`;
  await sql`delete from welcome_due where due_at <= now() and ${ofSites}`.execute(on);
}
