import { sql } from "kysely";
import { type Executor, row, type Tx } from "../db/pool.ts";
import type { WantedAudience } from "../runs/audience.ts";
import { hasEffect } from "../runs/effect.ts";
import { goesToReaders, sendsCampaign } from "../runs/kinds.ts";
import { finalCode, pendingCode, reachedCodes } from "../runs/ledger/codes.ts";
import { isOpenRun, moveRun } from "../runs/queries.ts";
import type { Thread } from "../runs/run.ts";
import type { CampaignExtras } from "./nudge-extras.ts";

/**
 * The live run of a campaign, to which a correction or an update is added. Messages of one thread replace each other on
 * the screen and in the store of a push service.
 */
export type ShownRun = {
  siteId: string;
  runId: string;
  /** The id of the thread, which is the id of its first run. */
  threadId: string;
  /** The topics of the run's campaign. */
  topicIds: string[];
  segment: string | null;
  followersOf: string | null;
  extras: CampaignExtras;
  /** Whether the run has ended. */
  isOver: boolean;
  /** Whether the first run of the thread was stopped, or is still open and would be stopped by a correction. */
  isCutOff: boolean;
  /** Whether recipients of the first run have been deleted, all or some of them. */
  isForgotten: boolean;
  /** When the first run ended, ms since 1970; null if it has not. */
  finishedMs: number | null;
  /** The audience, as counted at the send. */
  expectedAudience: number;
  /** The clock of the database, ms since 1970. */
  nowMs: number;
};

/** Returns the live run of a campaign; undefined if it has none. */
export function shownRunOf(on: Executor, tenantId: string, campaignId: string): Promise<ShownRun | undefined> {
  return row(
    sql<ShownRun>`select c.site_id as "siteId", r.id as "runId", r.thread_id as "threadId", c.topic_ids as "topicIds",
        c.segment_id as segment, c.followers_of as "followersOf", c.extras, r.finished_at is not null as "isOver",
        first.status in ('queued', 'sending', 'stopping', 'stopped') as "isCutOff",
        first.pruned_at is not null as "isForgotten",
        floor(extract(epoch from first.finished_at) * 1000)::float8 as "finishedMs",
        r.expected_audience as "expectedAudience", floor(extract(epoch from now()) * 1000)::float8 as "nowMs"
      from campaigns c join runs r on r.site_id = c.site_id and r.campaign_id = c.id and ${sendsCampaign("r")}
        join runs first on first.site_id = r.site_id and first.id = r.thread_id
      where c.id = ${campaignId} and c.tenant_id = ${tenantId}`,
    on,
  );
}

/**
 * Makes corrections and updates of one thread wait for each other until the transaction ends. Returns the next place
 * in the thread. The database assigns the place, so clocks of processes do not matter.
 */
export async function takePlace(
  tx: Executor,
  { siteId, threadId }: Pick<ShownRun, "siteId" | "threadId">,
): Promise<Thread> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`thread ${threadId}`}, 0))`.execute(tx);
  const last = await row(
    sql<{ sequence: number }>`select coalesce(max(sequence), 0) as sequence from runs
      where site_id = ${siteId} and thread_id = ${threadId} and sequence > 0`,
    tx,
  );
  return { threadId, sequence: last!.sequence + 1 };
}

/** Stops the open runs of a thread. The next run begins after they have ended, so that its message is the newest. */
export async function stopThread(tx: Tx, { siteId, threadId }: Pick<ShownRun, "siteId" | "threadId">): Promise<void> {
  const open = sql<{ id: string }>`select id from runs
    where site_id = ${siteId} and (id = ${threadId} or (thread_id = ${threadId} and sequence > 0)) and ${goesToReaders("runs")}
      and ${isOpenRun("runs")} order by sequence`;
  for (const { id } of (await open.execute(tx)).rows) await moveRun(tx, { siteId, runId: id }, "stopping");
}

/** Returns the id of the last campaign that corrected a run. Returns undefined if there is none. */
export async function correctionOf(
  on: Executor,
  { siteId, runId, threadId }: Pick<ShownRun, "siteId" | "runId" | "threadId">,
): Promise<string | undefined> {
  const found = await row(
    sql<{ campaignId: string }>`select r.campaign_id as "campaignId" from runs r
      where r.site_id = ${siteId} and r.thread_id = ${threadId} and ${sendsCampaign("r")} and ${hasEffect("r")}
        and r.sequence > (select sequence from runs where site_id = ${siteId} and id = ${runId})
      order by r.sequence desc limit 1`,
    on,
  );
  return found?.campaignId;
}

/**
 * Returns the audience of a correction: the recipients of the thread's first run that the message has reached or may
 * have reached. If that run was cut off, it includes the recipients to which the message was not sent.
 */
export function correctionAudience({ threadId, isCutOff }: ShownRun): WantedAudience {
  const outcomes = isCutOff ? [...reachedCodes, finalCode.stopped, pendingCode] : reachedCodes;
  return { of: "recipients", runId: threadId, outcomes };
}

/** Returns the audience of an update: the recipients that the shown run's message has reached or may have reached. */
export function updateAudience({ runId }: ShownRun): WantedAudience {
  return { of: "recipients", runId, outcomes: reachedCodes };
}
