import { type RawBuilder, sql } from "kysely";
import { type Executor, row } from "../db/pool.ts";
import { isOfAny, type Audience as Readers } from "../subscribers/audience.ts";
import {
  countProvenSubscribers,
  countSubscribers,
  isReachable,
  isUnproven,
  provenCount,
} from "../subscribers/queries.ts";
import { pendingCode } from "./ledger/codes.ts";
import type { RunRef } from "./queries.ts";

/**
 * Who a run goes to, frozen when it starts. `readers`: the site's reachable subscribers with any of the topics who are
 * in the segment, up to the highest subscriber number of the send. `recipients`: the recipients of an earlier run who
 * have one of these codes: whom a correction or an update follows. With the code of pending recipients also those of a
 * run that is not planned to its end. `list`: the subscribers that the run's list names (run_lists): those of a digest,
 * or of a step of the welcome. `testDevices`: the site's test devices, up to a subscriber number.
 */
export type Audience =
  | ({ of: "readers"; upTo: number } & Readers)
  | { of: "recipients"; runId: string; outcomes: number[] }
  | { of: "list" }
  | { of: "testDevices"; upTo: number };

/** The audience of a send before it starts: `upTo` is not known yet. */
export type WantedAudience = ({ of: "readers" } & Readers) | Extract<Audience, { of: "recipients" }>;

export type SiteAudience = WantedAudience & { siteId: string };

/** SQL condition: run `table` went to readers of a site without a segment. Only of these are figures comparable. */
export const isWithoutSegment = (table: "r" | "runs") =>
  sql.raw(`(${table}.audience->>'of' = 'readers' and ${table}.audience->'segment' = 'null')`);

/** SQL: the ids of the topics that a run was sent to, as text; empty: it was sent to all. */
export const topicsOf = (table: "r" | "runs") =>
  sql.raw(`array(select jsonb_array_elements_text(coalesce(${table}.audience->'topicIds', '[]')))`);

/**
 * SQL: the recipients (id, code, push service, no) of a run whose code is one of `outcomes`, from the batches that
 * `ofBatches` (a condition of run_batches `b`) selects. Lists are looked up by their key ("offset 0"): where PostgreSQL
 * expects few of them, it would read all.
 */
export function recipientsOf(
  { siteId, runId }: RunRef,
  outcomes: number[],
  ofBatches: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`(select one.id from run_batches b
      cross join lateral (select p.subscriber_ids from run_recipients p
        where p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no offset 0) list
      cross join lateral unnest(list.subscriber_ids) with ordinality as one (id, position)
    where b.site_id = ${siteId} and b.run_id = ${runId} and ${ofBatches}
      and get_byte(b.codes, (one.position - 1)::int) = any(${outcomes}::int[]))`;
}

/** Counts the reachable subscribers of an audience, at most to `limit`. */
export function countAudienceOf(on: Executor, { siteId, ...to }: SiteAudience, limit: number): Promise<number> {
  return to.of === "readers"
    ? countSubscribers(on, siteId, to, limit)
    : countRecipients(on, { siteId, runId: to.runId }, to.outcomes, limit, sql`true`);
}

/** The same without subscribers that are not proven: what a plan's cap and `confirmAbove` count. */
export function countProvenAudienceOf(on: Executor, { siteId, ...to }: SiteAudience, limit: number): Promise<number> {
  return to.of === "readers"
    ? countProvenSubscribers(on, siteId, to, limit)
    : countRecipients(on, { siteId, runId: to.runId }, to.outcomes, limit, sql`not (${isUnproven})`);
}

/** Counts like `countProvenAudienceOf` those in any of the audiences, each once. */
export async function countProvenOfAny(
  on: Executor,
  siteId: string,
  audiences: WantedAudience[],
  limit: number,
): Promise<number> {
  const readers = audiences.filter((audience) => audience.of === "readers");
  const recipients = audiences.filter((audience) => audience.of === "recipients");
  const conditions = [
    ...(readers.length === 0 ? [] : [isOfAny(readers)]),
    ...recipients.map(({ runId, outcomes }) => sql`s.id in ${recipientsOf({ siteId, runId }, outcomes)}`),
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
      select 1 from ${recipientsOf(run, outcomes)} recipient
        join subscribers s on s.site_id = ${run.siteId} and s.id = recipient.id
      where not s.is_test and ${isReachable} and ${condition} limit ${limit}) audience`,
    on,
  );
  return counted!.n;
}
