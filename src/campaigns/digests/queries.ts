import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { newId } from "../../ids.ts";
import { isQuiet, readReaderZones, zonesTable } from "../../runs/kept-back.ts";
import { earliestStart } from "../../runs/queries.ts";
import { nextDigest } from "../../subscribers/preferences/queries.ts";

/** How many readers and lists of headlines one transaction takes at most. */
const readersAtOnce = 20_000;
const listsAtOnce = 100;

/** A headline is in no digest that comes later than this, because its site was paused. */
const keptDays = 2;

/** Readers whose limits have kept back the same nudges (`keptBack`: run ids), and the id of the run that goes to them. */
export type DueGroup = { runId: string; keptBack: string[]; readers: number };

/** A site, neither paused nor removed, with a digest that is due. */
export async function siteWithDueDigests(on: Executor): Promise<string | undefined> {
  const found = await row(
    sql<{ siteId: string }>`select p.site_id as "siteId" from reader_preferences p
        join sites s on s.id = p.site_id and s.paused_at is null and s.removed_at is null
        join tenants t on t.id = s.tenant_id and t.paused_at is null
      where p.digest_due_at <= now() order by p.digest_due_at limit 1`,
    on,
  );
  return found?.siteId;
}

/**
 * Takes the readers of a site whose digest is due, by what was kept back, and points them to the run that will be theirs.
 * Where it is due within their quiet hours (a pause has held it, or clocks have changed), it waits for its next time.
 * `readers`: for how many one was due, also of those who wait. What another process is taking, or planning, is left to the
 * next call.
 */
export async function takeDueGroups(tx: Tx, siteId: string): Promise<{ groups: DueGroup[]; readers: number }> {
  const zones = await readReaderZones(tx, siteId);
  const lists = await rows(
    sql<{ keptBack: string[]; isQuiet: boolean; ids: string[] }>`with ${zonesTable(zones)},
      due as materialized (
        select p.subscriber_id, p.kept_back, z.minute, coalesce(${isQuiet}, false) as is_quiet
        from reader_preferences p join zones z on z.name = p.time_zone
        where p.site_id = ${siteId} and p.digest_due_at <= now() order by p.subscriber_id
        limit ${readersAtOnce} for update of p skip locked),
      deferred as (
        update reader_preferences p set digest_due_at = ${nextDigest(sql`p.digest_at`, sql`due.minute`)}
        from due where p.site_id = ${siteId} and p.subscriber_id = due.subscriber_id and due.is_quiet)
      select kept_back as "keptBack", is_quiet as "isQuiet", array_agg(subscriber_id::text) as ids
      from due group by kept_back, is_quiet limit ${listsAtOnce}`,
    tx,
  );
  const groups = lists.filter((list) => !list.isQuiet).map((list) => ({ ...list, runId: newId() }));
  for (const { runId, ids } of groups) {
    await sql`update reader_preferences set digest_run_id = ${runId}, digested = kept_back, kept_back = '{}',
        digest_due_at = null
      where site_id = ${siteId} and subscriber_id = any(${ids}::bigint[])`.execute(tx);
  }
  return {
    groups: groups.map(({ runId, keptBack, ids }) => ({ runId, keptBack, readers: ids.length })),
    readers: lists.reduce((sum, { ids }) => sum + ids.length, 0),
  };
}

/**
 * The headlines of runs, newest first, each as its last correction has it. Without those that were stopped, and those that
 * are old.
 */
export async function headlinesOf(on: Executor, siteId: string, runIds: string[]): Promise<string[]> {
  const oldest = sql`now() - make_interval(days => ${keptDays})`;
  const found = await rows(
    sql<{ title: string; status: string }>`with recent as (
        select id, message->>'title' as title, coalesce(message->>'tag', id::text) as tag, created_at, status from runs
        where site_id = ${siteId} and kind = 'live'
          and created_at > case when reader_hour is null then ${oldest} else ${earliestStart(oldest)} end)
      select title, status from (
        select distinct on (tag) title, status, created_at from recent
        where tag in (select tag from recent where id = any(${runIds}::uuid[])) order by tag, created_at desc) latest
      order by created_at desc`,
    on,
  );
  return found.filter(({ status }) => status !== "stopping" && status !== "stopped").map(({ title }) => title);
}
