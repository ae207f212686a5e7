import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import type { PollResult } from "./feed.ts";
import type { ItemStatus } from "./items/states.ts";
import { ofLiveSite } from "./queries.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** The feeds of all tenants that are on. `asking`: that ask about very many new items. `late`: due for a minute or more. */
export type FeedFigures = {
  /** By the outcome of the last poll; `none`: not polled yet. */
  polled: Record<PollResult["outcome"] | "none", number>;
  asking: number;
  late: number;
  /** For how long the poll has been due that waits the longest. 0: none waits. */
  delaySeconds: number;
};

/** Reads the figures of feeds for metrics: of the whole installation, whichever process polls. One scan of `feeds`. */
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

/** Counts the items that feeds of all tenants had within a day before `nowMs`, by what became of them so far. */
export async function countRecentItems(on: Executor, nowMs: number): Promise<{ status: ItemStatus; n: number }[]> {
  return rows(
    sql<{ status: ItemStatus; n: number }>`select i.status, count(*) as n
      from feeds join feed_items i on i.feed_id = feeds.id and i.id >= ${firstIdAt(nowMs - dayMs)}
      group by i.status`,
    on,
  );
}

/** The lowest UUIDv7 of a time (RFC 9562 section 5.7): ids sort by time, and an index of items has them. */
function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
