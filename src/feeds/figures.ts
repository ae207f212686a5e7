import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import type { PollResult } from "./feed.ts";
import type { ItemStatus } from "./items/states.ts";
import { ofLiveSite } from "./queries.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Figures of all tenants' enabled feeds. `asking`: feeds that ask about very many new items. `late`: polls due for a
 * minute or more.
 */
export type FeedFigures = {
  /** The number of feeds by the outcome of their last poll. `none`: not polled yet. */
  polled: Record<PollResult["outcome"] | "none", number>;
  asking: number;
  late: number;
  /** How long the most overdue poll has been due. 0: none is due. */
  delaySeconds: number;
};

/**
 * Reads the figures of feeds for metrics. They cover the whole installation, whichever process polls. Scans `feeds`
 * once.
 */
export async function readFeedFigures(on: Executor): Promise<FeedFigures> {
  const { asking, late, delaySeconds, ...polled } = (await row(
    sql<FeedFigures["polled"] & Omit<FeedFigures, "polled">>`select
        count(*) filter (where polled_at is null) as none,
        count(*) filter (where poll_result->>'outcome' = 'read') as read,
        count(*) filter (where poll_result->>'outcome' = 'unchanged') as unchanged,
        count(*) filter (where poll_result->>'outcome' = 'failed') as failed,
        count(asked_at) as asking,
        count(*) filter (where next_poll_at < now() - interval '1 minute') as late,
        coalesce(greatest(0, extract(epoch from now() - min(next_poll_at))), 0)::float8 as "delaySeconds"
      from feeds where enabled and ${ofLiveSite}`,
    on,
  ))!;
  return { polled, asking, late, delaySeconds };
}

/** Counts the items that came within a day before `nowMs` in the feeds of all tenants, by their present status. */
export async function countRecentItems(on: Executor, nowMs: number): Promise<{ status: ItemStatus; n: number }[]> {
  return rows(
    sql<{ status: ItemStatus; n: number }>`select i.status, count(*) as n
      from feeds join feed_items i on i.feed_id = feeds.id and i.id >= ${firstIdAt(nowMs - dayMs)}
      group by i.status`,
    on,
  );
}

/** Returns the lowest UUIDv7 of a time (RFC 9562 section 5.7). Ids sort by time, and items have an index of ids. */
function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
