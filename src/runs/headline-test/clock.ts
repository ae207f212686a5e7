import { type RawBuilder, sql } from "kysely";
import type { Executor } from "../../db/pool.ts";
import type { RunRef } from "../queries.ts";
import type { ClockWait } from "./headline-test.ts";

/**
 * The clock of a headline test. It runs only while readers can get and click the variants. It starts with the first
 * accepted message. It stops during a pause, and while every push service of the run rests or is blocked. `clock`:
 * the stored reason why it is halted; null while it runs. `waitsFor`: the reason why it must be halted now; null if
 * it may run. `isDue`: its time has run out.
 */
export type ClockFacts = { clock: ClockWait | null; waitsFor: ClockWait | null; isDue: boolean };

/** SQL condition: no push service of run `r` takes messages now. */
const allRest = sql.raw(`r.push_services <> '{}' and not exists (
  select from unnest(r.push_services) as of_run (push_service)
    left join site_push_services l on l.site_id = r.site_id and l.origin = of_run.push_service
  where l.blocked_reason is null and (l.not_before is null or l.not_before <= now()))`);

/**
 * Returns SQL: the facts of the clock of test `h`, with run `r`, site `s` and tenant `t`. `hasAccepted`: SQL
 * condition that one of its messages was accepted. It is evaluated only while the clock is halted. If the run has
 * ended, only a missing first accepted message halts the clock.
 */
export function clockFacts(hasAccepted: RawBuilder<unknown>): RawBuilder<unknown> {
  const waitsFor = sql`case
    when r.finished_at is null and (s.paused_at is not null or t.paused_at is not null) then 'pause'
    when h.ends_at is null and not ${hasAccepted} then 'first_accepted'
    when r.finished_at is null and ${allRest} then 'push_services' end`;
  return sql`h.waits_for as clock, ${waitsFor} as "waitsFor", coalesce(h.ends_at <= now(), false) as "isDue"`;
}

/**
 * Halts the clock of a test, or lets it continue, by the database's time. A pause counts from its own start, even if
 * it is noticed late. The clock never takes more than half of the run's remaining time to live. So a test that a
 * pause has delayed does not let the messages to the other readers expire. Does nothing if another process has moved
 * the clock.
 */
export async function moveClock(on: Executor, test: RunRef & ClockFacts): Promise<void> {
  const { siteId, runId, clock, waitsFor } = test;
  const haltedAt = waitsFor === "pause" ? sql`least(now(), s.paused_at, t.paused_at)` : sql`now()`;
  await sql`update headline_tests h set waits_for = ${waitsFor},
      time_left = case when h.ends_at is null then h.time_left
        else least(h.time_left, greatest(interval '0', h.ends_at - ${haltedAt})) end,
      ends_at = case when ${waitsFor}::text is null then now() + least(h.time_left, (r.expires_at - now()) / 2) end
    from runs r join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
    where h.site_id = ${siteId} and h.run_id = ${runId} and h.ended_at is null
      and h.waits_for is not distinct from ${clock}::text and r.site_id = h.site_id and r.id = h.run_id`.execute(on);
}
