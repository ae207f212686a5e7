import { type RawBuilder, sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { isOfAny, type Audience as Readers } from "../subscribers/audience.ts";
import {
  countProvenSubscribers,
  countSubscribers,
  isReachable,
  isUnproven,
  provenCount,
  subscribersByKey,
} from "../subscribers/queries.ts";
import { pendingCode } from "./ledger/codes.ts";
import type { RunRef } from "./queries.ts";
import { receiptKinds } from "./receipt-kinds.ts";

/**
 * The audience of a run, frozen when it starts.
 * - `readers`: the site's reachable subscribers who have any of the topics, are in the segment and follow the id, up
 *   to the highest subscriber number at the send.
 * - `recipients`: the recipients of an earlier run who have one of these codes. Corrections and updates go to them.
 *   If the codes include the code of pending recipients, the audience includes recipients that the earlier run has
 *   not planned yet.
 * - `list`: the subscribers that the run's list names (run_lists), for a digest or a step of the welcome.
 * - `testDevices`: the site's test devices up to a subscriber number. `from`: the first subscriber number, if it is
 *   not 0.
 */
export type Audience =
  | ({ of: "readers"; upTo: number } & Readers)
  | { of: "recipients"; runId: string; outcomes: number[] }
  | { of: "list" }
  | { of: "testDevices"; from?: number; upTo: number };

/** The audience of a send before it starts, when `upTo` is not known yet. */
export type WantedAudience = ({ of: "readers" } & Readers) | Extract<Audience, { of: "recipients" }>;

export type SiteAudience = WantedAudience & { siteId: string };

/**
 * SQL condition: run `table` went to all readers of a site or to topics, not to a segment or to followers. Only the
 * figures of such runs are compared with each other.
 */
export const isComparable = (table: "r" | "runs") =>
  sql.raw(`(${table}.audience->>'of' = 'readers' and ${table}.audience->'segment' = 'null'
    and ${table}.audience->>'followersOf' is null)`);

/** SQL: the ids of a run's topics as text. Empty if the run went to all readers. */
export const topicsOf = (table: "r" | "runs") =>
  sql.raw(`array(select jsonb_array_elements_text(coalesce(${table}.audience->'topicIds', '[]')))`);

/**
 * SQL from `from` to the end of a condition: the reachable subscribers `s` who are recipients of a run with one of
 * the codes `outcomes`, in the batches that `ofBatches` selects (a condition on run_batches `b`). `s.has_interacted`:
 * the reader has clicked or closed the run's message. "offset 0" makes PostgreSQL look up lists and subscribers by
 * their keys. Without it, PostgreSQL compares all lists with all subscribers if it expects few rows, as after a run
 * that has just ended.
 */
export function readersOfRun(
  { siteId, runId }: RunRef,
  outcomes: number[],
  ofBatches: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`from run_batches b
      cross join lateral (select p.subscriber_ids,
          (select bit_or(k.bits) from receipt_bits k where k.site_id = p.site_id and k.run_id = p.run_id and k.no = p.no
            and k.kind in (${receiptKinds.clicked}, ${receiptKinds.dismissed})) as bits
        from run_recipients p where p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no offset 0) list
      cross join lateral (select array_agg(id) filter (where has_interacted) as interacted,
          array_agg(id) filter (where not has_interacted) as others
        from (select one.id, coalesce(get_bit(list.bits, (one.position - 1)::int) = 1, false) as has_interacted
          from unnest(list.subscriber_ids) with ordinality as one (id, position)
          where get_byte(b.codes, (one.position - 1)::int) = any(${outcomes}::int[])) one offset 0) ids
      cross join lateral (
        select others.*, false as has_interacted from (${subscribersByKey(siteId, sql`= any(ids.others)`)}) others
        union all
        select interacted.*, true from (${subscribersByKey(siteId, sql`= any(ids.interacted)`)}) interacted) s
    where b.site_id = ${siteId} and b.run_id = ${runId} and ${ofBatches} and not s.is_test and ${isReachable}`;
}

/** Returns how many reachable subscribers an audience has, but no more than `limit`. */
export function countAudienceOf(on: Executor, { siteId, ...to }: SiteAudience, limit: number): Promise<number> {
  return to.of === "readers"
    ? countSubscribers(on, siteId, to, limit)
    : countRecipients(on, { siteId, runId: to.runId }, to.outcomes, limit, sql`true`);
}

/**
 * Returns how many proven subscribers an audience has, but no more than `limit`. The cap of a plan and
 * `confirmAbove` use it.
 */
export function countProvenAudienceOf(on: Executor, { siteId, ...to }: SiteAudience, limit: number): Promise<number> {
  return to.of === "readers"
    ? countProvenSubscribers(on, siteId, to, limit)
    : countRecipients(on, { siteId, runId: to.runId }, to.outcomes, limit, sql`not (${isUnproven})`);
}

/** Returns how many proven subscribers are in any of the audiences, each counted once, but no more than `limit`. */
export async function countProvenOfAny(
  on: Executor,
  siteId: string,
  audiences: WantedAudience[],
  limit: number,
): Promise<number> {
  const readers = audiences.filter((audience) => audience.of === "readers");
  const recipients = audiences.filter((audience) => audience.of === "recipients");
  const conditions = [
    ...(readers.length === 0 ? [] : [isOfAny(siteId, readers)]),
    ...recipients.map(
      ({ runId, outcomes }) => sql`s.id in (select s.id ${readersOfRun({ siteId, runId }, outcomes, sql`true`)})`,
    ),
  ];
  const isInAny = sql`(${sql.join(conditions, sql` or `)})`;
  const counted = await row(sql<{ n: number }>`select ${provenCount(siteId, limit, isInAny)} as n`, on);
  return counted!.n;
}

async function countRecipients(
  on: Executor,
  run: RunRef,
  outcomes: number[],
  limit: number,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const unplanned = sql`coalesce((select greatest(0, r.expected_audience - sums.size)
    from runs r join run_sums sums on sums.site_id = r.site_id and sums.run_id = r.id
    where r.site_id = ${run.siteId} and r.id = ${run.runId} and r.planned_at is null), 0)`;
  const others = outcomes.includes(pendingCode) ? unplanned : 0;
  const counted = await row(
    sql<{ n: number }>`select least(${limit}, count(*) + ${others})::bigint as n from (
      select 1 ${readersOfRun(run, outcomes, condition)} limit ${limit}) audience`,
    on,
  );
  return counted!.n;
}
