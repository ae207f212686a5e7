import { sql } from "kysely";
import { type Executor, rows } from "../db/pool.ts";
import { isComparable } from "../runs/audience.ts";
import { sendsCampaign } from "../runs/kinds.ts";
import { messageOf } from "../runs/queries.ts";
import { hasAndroidFallen, type PlatformClicks } from "./check-android.ts";

/**
 * The hours of a run that are compared, the hour of its start included. A run is checked once they are over, against
 * the same hours of earlier runs.
 */
const checkedHours = 3;
/** How long the alert of a run is shown. */
const alertHours = 24;
const runsBefore = 30;
/** How many runs are read besides the `runsBefore` that they are compared with. */
const runsChecked = 30;

type CheckedRun = PlatformClicks & { runId: string; title: string; isNew: boolean };

/** A run whose clicks on Android fell far below the usual rate while its other clicks did not. */
export type AndroidFall = { runId: string; title: string };

/** Returns the runs of a site in the last day whose clicks on Android have fallen, newest first. */
export async function androidFallsOfSite(on: Executor, siteId: string): Promise<AndroidFall[]> {
  const runs = await checkedRuns(on, siteId);
  return runs.flatMap((run, i) => {
    const hasFallen = run.isNew && hasAndroidFallen(run, runs.slice(i + 1, i + 1 + runsBefore));
    return hasFallen ? [{ runId: run.runId, title: run.title }] : [];
  });
}

/**
 * Returns the last live runs whose checked hours are over, newest first, with the displays and clicks of those hours.
 * Leaves out runs to segments: their readers differ from the others, and may click more or less on Android.
 */
async function checkedRuns(on: Executor, siteId: string): Promise<CheckedRun[]> {
  const found = await rows(
    sql<
      { runId: string; title: string; isNew: boolean } & Record<
        "displayed" | "clickedReporting" | "onAndroid" | "androidClicks",
        number
      >
    >`
      with run as materialized (
        select id, ${messageOf("runs")}->>'title' as title, started_at, date_trunc('hour', started_at, 'UTC')
          + make_interval(hours => ${checkedHours}) as over_at
        from runs where site_id = ${siteId} and ${sendsCampaign("runs")} and started_at is not null
          and receipts is null and ${isComparable("runs")}
        order by id desc limit ${runsBefore + runsChecked})
      select run.id as "runId", run.title, run.over_at > now() - make_interval(hours => ${alertHours}) as "isNew", h.*
      from run cross join lateral (
        select coalesce(sum(displayed), 0)::float8 as displayed, coalesce(sum(clicked_reporting), 0)::float8 as "clickedReporting",
          coalesce(sum(android_displayed), 0)::float8 as "onAndroid", coalesce(sum(android_clicked), 0)::float8 as "androidClicks"
        from notification_hours where site_id = ${siteId} and run_id = run.id and hour < run.over_at) h
      where run.over_at <= now() order by run.id desc`,
    on,
  );
  return found.map(({ displayed, clickedReporting, onAndroid, androidClicks, ...run }) => ({
    ...run,
    android: { displayed: onAndroid, clicked: androidClicks },
    others: { displayed: displayed - onAndroid, clicked: clickedReporting - androidClicks },
  }));
}
