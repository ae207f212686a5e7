import { type RawBuilder, sql } from "kysely";
import { isOfTopicsAndSegment } from "../../subscribers/audience.ts";
import { isReachable, subscribersByKey } from "../../subscribers/queries.ts";
import { type Audience, readersOfRun } from "../audience.ts";
import type { NextReaders } from "../ledger/plan-batches.ts";
import type { RunRef } from "../queries.ts";

/**
 * The audience of a run that is being planned. `cursor`: the number of the last subscriber of the previous page. If the
 * audience is the recipients of an earlier run, it is the number of the last batch of that run that was read.
 */
export type UnplannedAudience = RunRef & { audience: Audience; cursor: number };

/** The most batches of a page. If the batches are small, the page has fewer readers. */
const listsAtMost = 200;

/** Returns SQL of the next `limit` subscribers that are in no batch yet, paged by key, never by OFFSET. */
export function nextReaders(run: UnplannedAudience, limit: number): NextReaders {
  return run.audience.of === "recipients" ? nextRecipients(run, run.audience, limit) : nextSubscribers(run, limit);
}

/**
 * SQL: the subscriber's number in the index from which an audience is read, so that a page ends after its last
 * reader.
 */
const numberOf = (audience: Audience) =>
  audience.of === "readers" && audience.followersOf !== null ? sql`f.subscriber_id` : sql`s.id`;

function nextSubscribers(run: UnplannedAudience, limit: number): NextReaders {
  return {
    lists: sql``,
    readers: sql`${unplannedSubscribers(run)} order by ${numberOf(run.audience)} limit ${limit}`,
    hasInteracted: sql`false`,
    cursor: sql`(select coalesce(max(id), 0) from page)`,
    isLast: sql`(select count(*) < ${limit} from page)`,
  };
}

/**
 * Returns SQL of the recipients of an earlier run, batch by batch, so that each batch is read once. If they were
 * paged by subscriber, each page would read all batches.
 */
function nextRecipients(
  { siteId, cursor }: UnplannedAudience,
  { runId, outcomes }: Extract<Audience, { of: "recipients" }>,
  limit: number,
): NextReaders {
  const left = sql`from run_batches where site_id = ${siteId} and run_id = ${runId} and no > ${cursor}`;
  // The batches of a page follow each other, so a range selects them.
  const ofPage = sql`b.no > ${cursor} and b.no <= (select max(no) from lists)`;
  return {
    lists: sql`lists as materialized (
      select no from (select no, size, sum(size) over (order by no) as total
        from (select no, size ${left} order by no limit ${listsAtMost}) next) summed
      where total - size < ${limit}),`,
    readers: readersOfRun({ siteId, runId }, outcomes, ofPage),
    hasInteracted: sql`s.has_interacted`,
    cursor: sql`(select coalesce(max(no), ${cursor}) from lists)`,
    isLast: sql`(not exists (select ${left} and no > (select coalesce(max(no), 0) from lists)))`,
  };
}

/** Returns SQL: the subscribers that are in no batch yet, from subscribers `s` to the end. */
export function unplannedReaders(run: UnplannedAudience): RawBuilder<unknown> {
  const { siteId, audience, cursor } = run;
  return audience.of === "recipients"
    ? readersOfRun({ siteId, runId: audience.runId }, audience.outcomes, sql`b.no > ${cursor}`)
    : unplannedSubscribers(run);
}

/** Returns the same for an audience that is paged by subscriber. */
function unplannedSubscribers({ siteId, runId, audience, cursor }: UnplannedAudience): RawBuilder<unknown> {
  switch (audience.of) {
    case "readers":
      if (audience.followersOf !== null) {
        return sql`from follows f cross join lateral (${subscribersByKey(siteId, sql`= f.subscriber_id`)}) s
          where f.site_id = ${siteId} and f.key = ${audience.followersOf} and f.subscriber_id > ${cursor}
            and f.subscriber_id <= ${audience.upTo} and not s.is_test and ${isReachable} and ${isOfTopicsAndSegment(audience)}`;
      }
      return sql`from (${subscribersByKey(siteId, sql`> ${cursor} and s.id <= ${audience.upTo} order by s.id`)}) s
        where not s.is_test and ${isReachable} and ${isOfTopicsAndSegment(audience)}`;
    case "list":
      return sql`from run_lists l cross join lateral unnest(l.subscriber_ids) as listed (id)
          cross join lateral (${subscribersByKey(siteId, sql`= listed.id`)}) s
        where l.site_id = ${siteId} and l.run_id = ${runId} and listed.id > ${cursor} and not s.is_test and ${isReachable}`;
    // Devices that their push service keeps refusing are included, because a test shows whether it accepts them again.
    case "testDevices":
      return sql`from subscribers s
        where s.site_id = ${siteId} and s.id > ${cursor} and s.id between ${audience.from ?? 0} and ${audience.upTo} and s.is_test`;
    case "recipients":
      throw new Error("the recipients of a run are paged by its batches");
  }
}
