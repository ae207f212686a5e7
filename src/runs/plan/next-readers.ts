import { type RawBuilder, sql } from "kysely";
import { isOfAudience } from "../../subscribers/audience.ts";
import { isReachable, subscribersByKey } from "../../subscribers/queries.ts";
import { type Audience, readersOfRun } from "../audience.ts";
import type { NextReaders } from "../ledger/plan-batches.ts";
import type { RunRef } from "../queries.ts";

/**
 * The audience of a run that is being planned. `cursor`: the number of the last subscriber of a page; for the
 * recipients of an earlier run, the number of its last batch.
 */
export type UnplannedAudience = RunRef & { audience: Audience; cursor: number };

/** Batches of a page, at most: with few readers in each a page has fewer of them. */
const listsAtMost = 200;

/** The next `limit` subscribers that are in no batch yet, paged by key, never by OFFSET. */
export function nextReaders(run: UnplannedAudience, limit: number): NextReaders {
  return run.audience.of === "recipients" ? nextRecipients(run, run.audience, limit) : nextSubscribers(run, limit);
}

function nextSubscribers(run: UnplannedAudience, limit: number): NextReaders {
  return {
    lists: sql``,
    readers: sql`${unplannedSubscribers(run)} order by s.id limit ${limit}`,
    hasInteracted: sql`false`,
    cursor: sql`(select coalesce(max(id), 0) from page)`,
    isLast: sql`(select count(*) < ${limit} from page)`,
  };
}

/**
 * The recipients of an earlier run, by its batches: each is read once. By subscriber each page would read all of them.
 */
function nextRecipients(
  { siteId, cursor }: UnplannedAudience,
  { runId, outcomes }: Extract<Audience, { of: "recipients" }>,
  limit: number,
): NextReaders {
  const left = sql`from run_batches where site_id = ${siteId} and run_id = ${runId} and no > ${cursor}`;
  // A range, as the batches of a page follow each other.
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

/** SQL: the subscribers that are in no batch yet, from subscribers `s` on. */
export function unplannedReaders(run: UnplannedAudience): RawBuilder<unknown> {
  const { siteId, audience, cursor } = run;
  return audience.of === "recipients"
    ? readersOfRun({ siteId, runId: audience.runId }, audience.outcomes, sql`b.no > ${cursor}`)
    : unplannedSubscribers(run);
}

/** The same of an audience that is paged by subscriber. */
function unplannedSubscribers({ siteId, runId, audience, cursor }: UnplannedAudience): RawBuilder<unknown> {
  switch (audience.of) {
    case "readers":
      return sql`from (${subscribersByKey(siteId, sql`> ${cursor} and s.id <= ${audience.upTo} order by s.id`)}) s
        where not s.is_test and ${isReachable} and ${isOfAudience(audience)}`;
    case "list":
      return sql`from run_lists l cross join lateral unnest(l.subscriber_ids) as listed (id)
          cross join lateral (${subscribersByKey(siteId, sql`= listed.id`)}) s
        where l.site_id = ${siteId} and l.run_id = ${runId} and listed.id > ${cursor} and not s.is_test and ${isReachable}`;
    // Also devices that their push service keeps refusing: whether it accepts them is what a test finds out.
    case "testDevices":
      return sql`from subscribers s
        where s.site_id = ${siteId} and s.id > ${cursor} and s.id <= ${audience.upTo} and s.is_test`;
    case "recipients":
      throw new Error("the recipients of a run are paged by its batches");
  }
}
