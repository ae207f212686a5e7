import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { isListed } from "../../runs/effect.ts";
import { showsCampaign } from "../../runs/kinds.ts";
import { earliestStart } from "../../runs/queries.ts";
import { isQuiet, readReaderZones, zonesTable } from "../../runs/reader-zones.ts";
import { isAtLocalTime } from "../../runs/timing.ts";
import { gatesOpen } from "../../sends/gate-queries.ts";
import { nextDigest } from "../../subscribers/preferences/queries.ts";

/** The most readers of one transaction, and its most lists of headlines. */
const readersAtOnce = 20_000;
const listsAtOnce = 100;

/**
 * The greatest age of a headline in a digest, in days. Headlines can get that old because a pause of the site delays
 * digests.
 */
const keptDays = 2;

/**
 * Readers (`readers`: their numbers) whose limits have suppressed the same notifications (`suppressed`: thread ids).
 */
export type DueGroup = { suppressed: string[]; readers: string[] };

/** Returns a site with open gates and a digest that is due. `plans`: the names in the setting PLANS. */
export async function siteWithDueDigests(on: Executor, plans: string[]): Promise<string | undefined> {
  const found = await row(
    sql<{ siteId: string }>`select p.site_id as "siteId" from reader_preferences p
        join sites s on s.id = p.site_id join tenants t on t.id = s.tenant_id
      where p.digest_due_at <= now() and ${gatesOpen(plans)} order by p.digest_due_at limit 1`,
    on,
  );
  return found?.siteId;
}

/**
 * Takes up to `limit` readers of a site whose digest is due, grouped by the suppressed notifications. If a digest is
 * due within the reader's quiet hours (a pause has delayed it, or clocks have changed), it waits for its next time.
 * Skips readers that another process takes or plans at this moment; the next call finds them. Returns the groups, and in `readers` the
 * number of due digests, including those that wait.
 */
export async function takeDueGroups(
  tx: Tx,
  siteId: string,
  limit = readersAtOnce,
): Promise<{ groups: DueGroup[]; readers: number }> {
  const zones = await readReaderZones(tx, siteId);
  const lists = await rows(
    sql<{ suppressed: string[]; isQuiet: boolean; ids: string[] }>`with ${zonesTable(zones)},
      due as materialized (
        select p.subscriber_id, p.suppressed, z.minute, coalesce(${isQuiet}, false) as is_quiet
        from reader_preferences p join zones z on z.name = p.time_zone
        where p.site_id = ${siteId} and p.digest_due_at <= now() order by p.subscriber_id
        limit ${Math.min(limit, readersAtOnce)} for update of p skip locked),
      deferred as (
        update reader_preferences p set digest_due_at = ${nextDigest(sql`p.digest_at`, sql`due.minute`)}
        from due where p.site_id = ${siteId} and p.subscriber_id = due.subscriber_id and due.is_quiet)
      select suppressed, is_quiet as "isQuiet", array_agg(subscriber_id::text) as ids
      from due group by suppressed, is_quiet limit ${listsAtOnce}`,
    tx,
  );
  const groups = lists.filter((list) => !list.isQuiet);
  for (const { ids } of groups) {
    await sql`update reader_preferences set digested = suppressed, suppressed = '{}', digest_due_at = null
      where site_id = ${siteId} and subscriber_id = any(${ids}::bigint[])`.execute(tx);
  }
  return {
    groups: groups.map(({ suppressed, ids }) => ({ suppressed, readers: ids })),
    readers: lists.reduce((sum, { ids }) => sum + ids.length, 0),
  };
}

/**
 * Returns the headlines of threads, newest first, each with the newest text of its thread. Leaves out threads whose
 * first run was stopped without a follow-up, and old threads. After a headline test it is the chosen headline.
 */
export async function headlinesOf(on: Executor, siteId: string, threadIds: string[]): Promise<string[]> {
  const oldest = sql`now() - make_interval(days => ${keptDays})`;
  const found = await rows(
    sql<{ title: string }>`select title from (
        select distinct on (r.thread_id) m.message->>'title' as title, r.created_at
        from runs r left join headline_tests h on h.site_id = r.site_id and h.run_id = r.id
          join run_messages m on m.site_id = r.site_id and m.run_id = r.id and m.no = coalesce(h.chosen, 0)
        where r.site_id = ${siteId} and r.thread_id = any(${threadIds}::uuid[]) and ${showsCampaign("r")}
          and r.created_at > case when ${isAtLocalTime("r")} then ${earliestStart(oldest)} else ${oldest} end
          and ${isListed}
        order by r.thread_id, r.sequence desc) latest
      order by created_at desc`,
    on,
  );
  return found.map(({ title }) => title);
}
