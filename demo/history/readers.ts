import { sql } from "kysely";
import type { Tx } from "../../src/db/pool.ts";
import type { Random } from "./random.ts";
import { topics } from "./stories.ts";

const dayMs = 86_400_000;

/** Returns how many readers joined on each day, the first day first. */
export function planJoins(random: Random, subscribers: number, days: number): number[] {
  return Array.from({ length: days }, (_, day) => {
    const isWeekend = day % 7 > 4;
    return Math.round(subscribers * random.between(0.002, 0.006) * (isWeekend ? 0.6 : 1));
  });
}

/**
 * Spreads the imported subscribers of a site over the past. `joins` registered in a browser on each day. The others
 * came with an import on the day before the first, as did the `gone` readers, who no longer exist.
 */
export async function spreadReaders(
  tx: Tx,
  site: { siteId: string; timeZone: string },
  history: { joins: number[]; startMs: number; nowMs: number; gone: number },
): Promise<void> {
  const { siteId, timeZone } = site;
  const { joins, startMs, nowMs, gone } = history;
  // The last imported subscribers are the last to join. Multiplying by a prime spreads those of a day over its hours.
  await sql`with ranked as (
      select id, row_number() over (order by id desc) as n from subscribers where site_id = ${siteId} and not is_test),
    days as (select day, n, sum(n) over (order by day desc) as upto from unnest(${joins}::int[]) with ordinality as d (n, day)),
    joined as (select r.id, d.day from ranked r left join lateral (
      select day from days where upto >= r.n and n > 0 order by upto limit 1) d on true)
    update subscribers s set registered = j.day is not null, accepted = true,
      created_at = case when j.day is null then ${new Date(startMs)}::timestamptz - interval '12 hours'
        else least(${new Date(nowMs)}::timestamptz - interval '2 hours', ${new Date(startMs)}::timestamptz
          + (j.day - 1) * interval '1 day' + interval '6 hours' + (j.id * 7919 % 57600) * interval '1 second') end
    from joined j where s.site_id = ${siteId} and s.id = j.id`.execute(tx);
  await sql`delete from subscribers_joined where site_id = ${siteId}`.execute(tx);
  await sql`insert into subscribers_joined (site_id, day, registered, n)
    select site_id, (created_at at time zone ${timeZone})::date, registered, count(*) + case when registered then 0 else ${gone} end
    from subscribers where site_id = ${siteId} and not is_test group by 1, 2, 3`.execute(tx);
}

/** Counts the readers that each send found gone, on the day of the send. */
export async function writeLeft(tx: Tx, { siteId, timeZone }: { siteId: string; timeZone: string }): Promise<void> {
  await sql`insert into subscribers_left (site_id, day, reason, part, n)
    select r.site_id, (r.created_at at time zone ${timeZone})::date, 'gone', 0, sum(t.n)
    from runs r join run_totals t on t.site_id = r.site_id and t.run_id = r.id
    where r.site_id = ${siteId} and t.code >> 4 = 3 group by 1, 2`.execute(tx);
}

/** Adds the topics, and gives each to its share of the subscribers. Returns their ids by name. */
export async function chooseTopics(
  tx: Tx,
  siteId: string,
  insert: (name: string) => Promise<string>,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const { name, share } of topics) {
    ids[name] = await insert(name);
    await sql`insert into subscriber_topics (site_id, topic_id, subscriber_id)
      select site_id, ${ids[name]}, id from subscribers
      where site_id = ${siteId} and not is_test and (id * 2654435761 + length(${name})) % 1000 < ${share * 1_000}`.execute(
      tx,
    );
  }
  return ids;
}

/** Moves the audit events of the publisher's set-up back, so that the audit log begins with them. */
export async function moveSetUpBack(tx: Tx, tenantId: string, startMs: number): Promise<void> {
  await sql`update audit_events set at = ${new Date(startMs - dayMs / 2)} where tenant_id = ${tenantId}`.execute(tx);
}
