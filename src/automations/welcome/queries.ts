import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { gatesOpen } from "../../sends/gate-queries.ts";
import { hasTopic } from "../../subscribers/has-topic.ts";
import { welcomeDueIn } from "../../subscribers/welcome-queries.ts";
import type { StepMove } from "./under-way.ts";
import type { Welcome, WelcomeStep } from "./welcome.ts";

/** The most readers of one transaction, and of one run. */
const readersAtOnce = 20_000;

/** Returns the welcome of a site; undefined if it never had one. */
export function welcomeOfSite(on: Executor, siteId: string): Promise<Welcome | undefined> {
  return row(sql<Welcome>`select enabled, steps from welcomes where site_id = ${siteId}`, on);
}

/**
 * Returns the welcome of a site like `welcomeOfSite`, and locks it until the transaction ends, so that a change
 * computes its moves from the current steps.
 */
export function lockWelcome(tx: Tx, siteId: string): Promise<Welcome | undefined> {
  return row(sql<Welcome>`select enabled, steps from welcomes where site_id = ${siteId} for update`, tx);
}

/**
 * Stores the welcome of a site. Readers who are waiting for a step continue by `moves`. If the welcome is switched
 * off, it ends for all of them. Waits until the readers whose step is being sent have moved to their next step, and
 * moves them from there.
 */
export async function upsertWelcome(
  tx: Tx,
  siteId: string,
  { enabled, steps }: Welcome,
  moves: StepMove[] = [],
): Promise<void> {
  await sql`insert into welcomes (site_id, enabled, steps) values (${siteId}, ${enabled}, ${JSON.stringify(steps)})
    on conflict (site_id) do update set enabled = excluded.enabled, steps = excluded.steps, changed_at = now()`.execute(
    tx,
  );
  const isUnderWay = sql`site_id = ${siteId} and due_at is not null`;
  if (enabled && moves.length === 0) return;
  await sql`select from welcome_due where ${isUnderWay} for update`.execute(tx);
  const ended = moves.filter(({ to }) => to === null).map(({ from }) => from);
  await sql`delete from welcome_due where ${isUnderWay} and (not ${enabled} or step = any(${ended}::int[]))`.execute(
    tx,
  );
  const moved = moves.filter(({ to }) => to !== null);
  await sql`update welcome_due set step = move."to", due_at = due_at + make_interval(days => move.days)
    from unnest(${moved.map(({ from }) => from)}::int[], ${moved.map(({ to }) => to)}::int[],
      ${moved.map(({ days }) => days)}::int[]) as move ("from", "to", days)
    where ${isUnderWay} and step = move."from"`.execute(tx);
}

/** Returns the sites with open gates and readers who are due for a step. `plans`: the names in the setting PLANS. */
export async function sitesWithDueReaders(on: Executor, plans: string[]): Promise<string[]> {
  const found = await rows(
    // One look into an index for each site with a welcome.
    sql<{
      id: string;
    }>`select s.id from welcomes w join sites s on s.id = w.site_id join tenants t on t.id = s.tenant_id
      where ${gatesOpen(plans)}
        and exists (select from welcome_due d where d.site_id = w.site_id and d.due_at <= now())
      order by s.id`,
    on,
  );
  return found.map(({ id }) => id);
}

/** Readers who are due for a step. */
export type DueReaders = { step: number; ids: string[] };

/**
 * Locks the readers of a site who are due for a step, up to `limit`, and returns them by step. Readers whom another
 * process is taking are left to the next call.
 */
export function lockDueReaders(tx: Tx, siteId: string, limit = readersAtOnce): Promise<DueReaders[]> {
  return rows(
    sql<DueReaders>`select step, array_agg(subscriber_id::text) as ids from (
        select subscriber_id, step from welcome_due where site_id = ${siteId} and due_at <= now()
        order by due_at, subscriber_id limit ${Math.min(limit, readersAtOnce)} for update skip locked) due
      group by step order by step`,
    tx,
  );
}

/** Ends the welcome of readers who wait for a step that the site no longer has. */
export async function deleteWaiting(tx: Tx, siteId: string, ids: string[]): Promise<void> {
  await sql`delete from welcome_due where site_id = ${siteId} and subscriber_id = any(${ids}::bigint[])`.execute(tx);
}

/**
 * Assigns a run to the readers who meet the conditions of its step. Moves all readers to the next step, or ends their
 * welcome if there is none. Returns the readers of the run.
 */
export async function takeReaders(
  tx: Tx,
  { siteId, runId, ids }: { siteId: string; runId: string; ids: string[] },
  step: WelcomeStep,
  next: WelcomeStep | undefined,
): Promise<string[]> {
  const days = next && sql`${next.afterDays - step.afterDays}::int`;
  const taken = await row(
    sql<{ ids: string[] }>`with checked as (
        select s.id, ${hasTopic(step.topicId === null ? [] : [step.topicId])}
          and (not ${step.onlyUnclicked} or s.clicked_on is null) as gets
        from subscribers s where s.site_id = ${siteId} and s.id = any(${ids}::bigint[])),
      ended as (
        delete from welcome_due d using checked j
        where d.site_id = ${siteId} and d.subscriber_id = j.id and not j.gets and ${days === undefined}),
      moved as (
        update welcome_due d set run_id = case when j.gets then ${runId}::uuid end,
          step = d.step + ${days === undefined ? 0 : 1}, due_at = ${days === undefined ? sql`null` : welcomeDueIn(days)}
        from checked j
        where d.site_id = ${siteId} and d.subscriber_id = j.id and (j.gets or ${days !== undefined})
        returning j.gets, j.id)
      select coalesce(array_agg(id::text) filter (where gets), '{}') as ids from moved`,
    tx,
  );
  return taken!.ids;
}
