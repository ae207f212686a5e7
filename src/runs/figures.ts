import { sql } from "kysely";
import { v7 } from "uuid";
import { type Executor, row, rows } from "../db/pool.ts";
import { sendsCampaign } from "./kinds.ts";
import { isClaimable } from "./ledger/states.ts";
import { oldestOpenWave } from "./ledger/waves.ts";
import { isOpenRun } from "./queries.ts";
import { type ScreenTime, type TimeToScreen, timeToScreenOf } from "./screen-times.ts";
import { isAtLocalTime } from "./timing.ts";

/** The messages that all processes have to deliver now. Waves whose moment has not come do not count. */
export type DeliveryFigures = {
  /** Batches that are not done, by state. `lapsed`: open, but its worker's lease has ended. */
  batches: Record<"ready" | "open" | "lapsed" | "delayed", number>;
  /** Messages of these batches without an outcome. */
  pending: number;
  /** Push services of sites that are blocked because they refuse the site's key. */
  blockedPushServices: number;
  /** Age in seconds of the oldest open run or, in runs at local times, of the oldest open wave. 0 if none is open. */
  oldestRunSeconds: number;
  /** Age in seconds of the oldest lapsed lease. 0 if no batch has lost its worker. */
  oldestLapseSeconds: number;
};

/**
 * Returns the figures of the whole installation for metrics. Costs one scan of the index of batches that are not done.
 */
export async function readDeliveryFigures(on: Executor): Promise<DeliveryFigures> {
  const { pending, blockedPushServices, oldestRunSeconds, oldestLapseSeconds, ...batches } = (await row(
    sql<DeliveryFigures["batches"] & Omit<DeliveryFigures, "batches">>`select
        count(*) filter (where state = 'ready') as ready,
        count(*) filter (where state = 'open' and lease_until >= now()) as open,
        count(*) filter (where state = 'open' and lease_until < now()) as lapsed,
        count(*) filter (where state = 'delayed') as delayed,
        coalesce(sum(pending), 0) as pending,
        coalesce(extract(epoch from now() - min(lease_until) filter (where state = 'open' and lease_until < now())), 0)::float8
          as "oldestLapseSeconds",
        (select count(*) from site_push_services where blocked_reason is not null) as "blockedPushServices",
        (select coalesce(extract(epoch from now() - min(
            case when ${isAtLocalTime("r")} then ${oldestOpenWave} else r.created_at end)), 0)::float8
          from runs r where ${isOpenRun("r")}) as "oldestRunSeconds"
      from run_batches b where ${isClaimable}`,
    on,
  ))!;
  return { batches, pending, blockedPushServices, oldestRunSeconds, oldestLapseSeconds };
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * Returns how long notifications took to reach the screen, for live runs of the `days` before `nowMs`; null if there
 * are too few displays. `siteId`: only of this site. The id of a run tells when it was made (UUIDv7).
 */
export async function readTimeToScreen(
  on: Executor,
  { nowMs, days, siteId }: { nowMs: number; days: number; siteId?: string },
): Promise<TimeToScreen | null> {
  const ofSite = siteId === undefined ? sql`` : sql`r.site_id = ${siteId} and`;
  const counts = await rows(
    sql<ScreenTime>`select t.seconds, sum(t.displayed)::float8 as displayed
      from runs r join screen_times t on t.site_id = r.site_id and t.run_id = r.id
      where ${ofSite} r.id > ${v7({ msecs: nowMs - days * dayMs })} and ${sendsCampaign("r")} group by t.seconds`,
    on,
  );
  return timeToScreenOf(counts);
}
