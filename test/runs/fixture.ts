import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import type { LocalTime } from "../../src/local-time.ts";
import { type Batch, claimBatch } from "../../src/runs/ledger/claim-batch.ts";
import type { Counts } from "../../src/runs/ledger/codes.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { type RunRef, runOfTenant } from "../../src/runs/queries.ts";
import { viewRecord } from "../../src/runs/read-run.ts";
import type { RunMessage } from "../../src/runs/run.ts";
import { startRun } from "../../src/runs/start-run.ts";
import type { RunView } from "../../src/runs/view-run.ts";
import type { FrozenSegment } from "../../src/subscribers/segments/segment.ts";
import { type CampaignClass, defaultClass } from "../../src/tenants/sites/campaign-classes.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { insertCampaign } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns, endPushServiceWaits, endWaits, setLeases } from "../fixtures/rows/runs.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";

export const message: RunMessage = {
  title: "Bridge opens",
  body: "On Saturday.",
  url: "https://news.example/bridge",
  imageUrl: null,
};

export type StartOptions = {
  kind?: "live" | "test" | "update";
  class?: CampaignClass;
  topicIds?: string[];
  ttlSeconds?: number;
  expectedAudience?: number;
  message?: RunMessage;
  localTime?: LocalTime;
  segment?: FrozenSegment;
  followersOf?: string;
  test?: { messages: RunMessage[]; share: number; minutes: number };
  /**
   * Makes the run a correction of that run, or with the kind "update" an update. It goes to the recipients of that run
   * who have one of these codes.
   */
  corrects?: { runId: string; sequence: number; outcomes: number[] };
};

/** Starts a run of a new campaign, as a send does. */
export async function start(
  app: App,
  publisher: Pick<Publisher, "siteId" | "tenantId">,
  options: StartOptions = {},
): Promise<RunRef> {
  const { siteId, tenantId } = publisher;
  const { kind = "live", topicIds = [], ttlSeconds = 3_600, expectedAudience = 0 } = options;
  const { localTime, segment = null, followersOf = null, test, corrects, class: ofClass = defaultClass } = options;
  const { url, title, body } = message;
  const campaignId = await insertCampaign(app, { siteId, tenantId, url, title, body });
  const { runId } = await startRun(app.db, {
    siteId,
    tenantId,
    campaignId,
    kind,
    class: ofClass,
    ttlSeconds,
    urgency: "normal",
    idempotencyKey: null,
    expectedAudience,
    messages: test?.messages ?? [options.message ?? message],
    audience:
      kind === "test"
        ? { of: "testDevices", upTo: Number.MAX_SAFE_INTEGER }
        : corrects === undefined
          ? { of: "readers", topicIds, segment, followersOf }
          : { of: "recipients", runId: corrects.runId, outcomes: corrects.outcomes },
    ...(localTime && { timing: { at: "localTime", hour: localTime, from: null } }),
    ...(test && { timing: { at: "test", share: test.share, minutes: test.minutes } }),
    ...(corrects && { thread: { threadId: corrects.runId, sequence: corrects.sequence } }),
  });
  return { siteId, runId };
}

/** Starts a run and plans its whole audience. */
export async function startPlanned(app: App, publisher: Publisher, options: StartOptions = {}): Promise<RunRef> {
  const run = await start(app, publisher, options);
  await planAll(app);
  return run;
}

export async function planAll(app: App): Promise<void> {
  while (await planNextPage(app.db));
}

/** Claims a batch. Fails if there is none. */
export async function claim(app: App, owner = "owner"): Promise<Batch> {
  const batch = await claimBatch(app.db, owner);
  if (batch === undefined) throw new Error("there is no batch to claim");
  return batch;
}

/** Returns the run as the API shows it. */
export async function view(app: App, publisher: Publisher, run: RunRef): Promise<RunView> {
  return viewRecord(app.db, (await runOfTenant(app.db, publisher.tenantId, run.runId))!);
}

export type BatchRow = Counts & {
  no: number;
  pushService: string;
  size: number;
  state: string;
  attempt: number;
  owner: string | null;
  leaseMs: number | null;
  waitMs: number | null;
  repeated: number;
  codes: Buffer;
};

/** Returns the rows of a run's batches, by number. */
export function batchesOf(app: App, run: RunRef): Promise<BatchRow[]> {
  return rows(
    sql<BatchRow>`select *, push_service as "pushService", not_sent as "notSent",
        (extract(epoch from lease_until - now()) * 1000)::float8 as "leaseMs",
        (extract(epoch from not_before - now()) * 1000)::float8 as "waitMs"
      from run_batches where site_id = ${run.siteId} and run_id = ${run.runId} order by no`,
    app.db,
  );
}

/** Returns the subscribers of a run's batches, by batch. */
export async function recipientsOf(app: App, run: RunRef): Promise<number[][]> {
  const found = await rows(
    sql<{ ids: number[] }>`select subscriber_ids as ids from run_recipients
      where site_id = ${run.siteId} and run_id = ${run.runId} order by no`,
    app.db,
  );
  return found.map(({ ids }) => ids);
}

/** Ends every lease of the run, as if its owners had died 15 seconds ago. */
export async function endLeases(app: App, run: RunRef): Promise<void> {
  await setLeases(app, { run: run.runId }, ago("1 second"));
}

/** Ends every rest of the run's batches and of the site's push services. */
export async function endRests(app: App, run: RunRef): Promise<void> {
  await endWaits(app, { run: run.runId });
  await endPushServiceWaits(app, run.siteId);
}

/** Ends the run's time to live. */
export async function endTimeToLive(app: App, run: RunRef): Promise<void> {
  await changeRuns(app, { id: run.runId }, { expiresAt: ago("1 second") });
}

/** Pauses a site or a tenant, or lifts the pause. */
export async function pause(app: App, of: "sites" | "tenants", id: string, paused = true): Promise<void> {
  await (of === "sites" ? changeSites : changeTenants)(app, { id }, { isPaused: paused });
}

/** Returns the ids of a site's subscribers, oldest first. */
export async function subscriberIds(app: App, siteId: string): Promise<number[]> {
  return (
    await rows(sql<{ id: number }>`select id from subscribers where site_id = ${siteId} order by id`, app.db)
  ).map(({ id }) => id);
}

export async function countOf(app: App, table: string): Promise<number> {
  return (await row(sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`, app.db))!.n;
}
