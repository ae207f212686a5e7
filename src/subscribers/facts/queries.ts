import { type RawBuilder, sql } from "kysely";
import { type Executor, row, type Tx } from "../../db/pool.ts";
import type { DeclaredFact } from "../../tenants/sites/declared-facts.ts";

/**
 * What a site has said of a reader: values by the names of their facts. Null: the reader has removed the fact for
 * good.
 */
export type Facts = Record<string, string | null>;

/** SQL condition: subscriber `s` has, for each of these facts, one of the values given. */
export function hasFacts(wanted: Record<string, string[]>): RawBuilder<unknown> {
  const each = Object.entries(wanted).map(([name, values]) => sql`s.facts->>${name}::text = any(${values}::text[])`);
  return sql.join(each, sql` and `);
}

/** Returns what a site has said of a subscriber and which facts it declares. Locks the subscriber if `isForChange`. */
export async function factsOf(
  on: Executor,
  siteId: string,
  subscriberId: number,
  isForChange: boolean,
): Promise<{ facts: Facts; declared: DeclaredFact[] }> {
  const found = await row(
    sql<{ facts: Facts; declared: DeclaredFact[] }>`select coalesce(s.facts, '{}') as facts, sites.facts as declared
      from subscribers s join sites on sites.id = s.site_id
      where s.site_id = ${siteId} and s.id = ${subscriberId} ${isForChange ? sql`for no key update of s` : sql``}`,
    on,
  );
  return found ?? { facts: {}, declared: [] };
}

/** Stores what the site has said of a subscriber. */
export async function updateFacts(tx: Tx, siteId: string, subscriberId: number, facts: Facts): Promise<void> {
  const stored = Object.keys(facts).length === 0 ? null : JSON.stringify(facts);
  await sql`update subscribers set facts = ${stored}::jsonb where site_id = ${siteId} and id = ${subscriberId}`.execute(
    tx,
  );
}

/** A site whose declared facts have changed. `cutAt`: the time of the change as text, which is exact. */
export type CutSite = { siteId: string; cutAt: string };

/** Returns a site that changed its facts more than a minute ago. No statement with the old facts can run any more. */
export function nextCutSite(on: Executor): Promise<CutSite | undefined> {
  return row(
    sql<CutSite>`select id as "siteId", facts_cut_at::text as "cutAt" from sites
      where facts_cut_at < now() - interval '1 minute' order by facts_cut_at, id limit 1`,
    on,
  );
}

/**
 * Removes facts that the site no longer declares from its next `limit` subscribers after `afterId`. Returns how many
 * it changed, and the last that it looked at, or null if there are no more.
 */
export async function cutFacts(
  tx: Tx,
  siteId: string,
  afterId: number,
  limit: number,
): Promise<{ changed: number; lastId: number | null }> {
  const cut = await row(
    sql<{ changed: number; lastId: number | null }>`with page as materialized (
        select id, facts from subscribers where site_id = ${siteId} and id > ${afterId} order by id limit ${limit}),
      declared as (
        select fact->>'name' as name, fact->'values' as known
        from sites cross join jsonb_array_elements(sites.facts) as fact where sites.id = ${siteId}),
      kept as (
        select page.id, page.facts as before, (select jsonb_object_agg(one.key, one.value)
            from jsonb_each(page.facts) one join declared d on d.name = one.key
            where one.value = 'null' or d.known @> jsonb_build_array(one.value)) as facts
        from page where page.facts is not null),
      changed as (
        update subscribers s set facts = kept.facts from kept
        where s.site_id = ${siteId} and s.id = kept.id and s.facts = kept.before and kept.facts is distinct from kept.before
        returning s.id)
      select (select count(*) from changed) as changed, (select max(id) from page) as "lastId"`,
    tx,
  );
  return cut!;
}

/**
 * Notes that no subscriber of a site has an undeclared fact any more, unless the site has changed its facts again
 * meanwhile.
 */
export async function endCut(tx: Tx, { siteId, cutAt }: CutSite): Promise<void> {
  await sql`update sites set facts_cut_at = null where id = ${siteId} and facts_cut_at::text = ${cutAt}`.execute(tx);
}
