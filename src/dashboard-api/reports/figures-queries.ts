import { type RawBuilder, sql } from "kysely";
import { type Executor, rows } from "../../db/pool.ts";
import { sendsCampaign } from "../../runs/kinds.ts";
import { earliestStart } from "../../runs/queries.ts";
import type { Site } from "../../tenants/sites/site.ts";

/** The ways to group the figures of a period. */
export const groupings = ["day", "topic", "sender", "class", "label"] as const;
export type Grouping = (typeof groupings)[number];

/**
 * The sums of one group over the notifications that were sent in a period. `key`: a day (YYYY-MM-DD), the id of a
 * topic, a sender (`user:ID`, `key:ID`, `feed:ID` or a kind of actor), a class, or a label; null for notifications
 * without one. `name`: the name for people.
 */
export type FiguresOfGroup = {
  key: string | null;
  name: string | null;
  sends: number;
  audience: number;
  accepted: number;
  gone: number;
  failed: number;
  expired: number;
  notSent: number;
  unknown: number;
  reporting: number;
  displayed: number;
  clicked: number;
  dismissed: number;
  unsubscribed: number;
};

/**
 * SQL: the sender of a sent campaign, such as `user:ID`. The sender is the member who decided on the send, or else
 * the creator of the campaign.
 */
export const senderOf = (campaign: "c" | "campaign_states") =>
  sql.raw(`coalesce((select 'user:' || p.user_id from planned_sends p where p.campaign_id = ${campaign}.id
    and p.status = 'sent' and p.user_id is not null order by p.decided_at desc limit 1), ${campaign}.created_by)`);

/**
 * SQL: the name of the sender `sums.key`; null if it has none or is gone. `person`: the name or the label of a
 * member.
 */
export function nameOfSender(tenantId: string, person: "name" | "label"): RawBuilder<unknown> {
  const id = (kind: string) =>
    sql.raw(`case when sums.key like '${kind}:%' then split_part(sums.key, ':', 2)::uuid end`);
  return sql`coalesce((select ${sql.raw(person === "name" ? "u.name" : "label_of(u)")} from users u where u.id = ${id("user")}),
    (select k.name from api_keys k where k.id = ${id("key")} and k.tenant_id = ${tenantId}),
    (select coalesce(f.title, f.url) from feeds f where f.id = ${id("feed")} and f.tenant_id = ${tenantId}))`;
}

/**
 * SQL over a run `r`: whether it was sent on the days `from` to `to` of the site's calendar. An absent day sets no
 * limit.
 */
export function isSentIn(
  { timeZone }: Pick<Site, "timeZone">,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): RawBuilder<unknown> {
  const begins = sql`(${from ?? null}::date::timestamp at time zone ${timeZone})`;
  const ends = sql`((${to ?? null}::date + 1)::timestamp at time zone ${timeZone})`;
  return sql.join(
    [
      ...(from === undefined ? [] : [sql`r.created_at >= ${earliestStart(begins)} and r.counts_at >= ${begins}`]),
      ...(to === undefined ? [] : [sql`r.counts_at < ${ends}`]),
    ],
    sql` and `,
  );
}

/** SQL over a run `r` and its campaign `c`: a lateral table `k` (key) with the groups that the run belongs to. */
function keysOf(by: Grouping, { timeZone }: Site): RawBuilder<unknown> {
  const one = (key: RawBuilder<unknown>) => sql`(select ${key} as key)`;
  const each = (keys: RawBuilder<unknown>) =>
    sql`(select unnest(case when cardinality(${keys}) = 0 then array[null::text] else ${keys} end) as key)`;
  return {
    day: one(sql`to_char(r.counts_at at time zone ${timeZone}, 'YYYY-MM-DD')`),
    topic: each(sql`c.topic_ids::text[]`),
    sender: one(senderOf("c")),
    class: one(sql`r.class`),
    label: each(sql`c.labels`),
  }[by];
}

/** SQL: the name of the group `sums.key`; null if the key needs no name. */
function nameOf(by: Grouping, { id: siteId, tenantId }: Site): RawBuilder<unknown> {
  if (by === "topic") return sql`(select t.name from topics t where t.site_id = ${siteId} and t.id = sums.key::uuid)`;
  if (by === "class") return sql`(select classes->sums.key->>'name' from sites where id = ${siteId})`;
  return by === "sender" ? nameOfSender(tenantId, "name") : sql`null::text`;
}

/**
 * Returns at most `limit` groups with a key greater than `after`, in the order of their keys, and last the group
 * without a key. A run with several topics or labels counts in each of them. `offset 0` makes each run look up its
 * figures by its key.
 */
export function figuresOfPeriod(
  on: Executor,
  site: Site,
  { from, to, by }: { from: string; to: string; by: Grouping },
  page: { after: string | undefined; limit: number },
): Promise<FiguresOfGroup[]> {
  const names = ["accepted", "gone", "failed", "expired", "not_sent", "unknown", "reporting"];
  const received = ["displayed", "clicked", "dismissed", "unsubscribed"];
  const total = (table: string) => (name: string) =>
    sql.raw(`coalesce(sum(${table}.${name}), 0)::bigint as "${name === "not_sent" ? "notSent" : name}"`);
  return rows(
    sql<FiguresOfGroup>`with sums as (
        select k.key, count(*)::int as sends,
          coalesce(sum(case when r.planned_at is null then greatest(r.expected_audience, s.size) else s.size end), 0)::bigint as audience,
          ${sql.join([...names.map(total("s")), ...received.map(total("h"))])}
        from runs r join campaigns c on c.site_id = r.site_id and c.id = r.campaign_id
          join run_sums s on s.site_id = r.site_id and s.run_id = r.id
          cross join lateral (select * from notification_sums
            where site_id = r.site_id and run_id = r.id offset 0) h
          cross join lateral ${keysOf(by, site)} k
        where r.site_id = ${site.id} and ${sendsCampaign("r")} and ${isSentIn(site, { from, to })}
        group by k.key)
      select sums.*, ${nameOf(by, site)} as name from sums
      where ${page.after ?? null}::text is null or sums.key is null or sums.key collate "C" > ${page.after ?? null}
      order by sums.key collate "C" nulls last limit ${page.limit}`,
    on,
  );
}
