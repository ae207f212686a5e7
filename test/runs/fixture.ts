import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { type Batch, claimBatch } from "../../src/runs/ledger/claim-batch.ts";
import type { Counts } from "../../src/runs/ledger/codes.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { type RunRef, runOfTenant } from "../../src/runs/queries.ts";
import type { RunMessage, RunView } from "../../src/runs/run.ts";
import type { ReaderHour } from "../../src/runs/slices/slices.ts";
import { startRun } from "../../src/runs/start-run.ts";
import { viewRecord } from "../../src/runs/view-run.ts";
import type { FrozenSegment } from "../../src/subscribers/segments/segment.ts";
import type { Publisher } from "../fixtures/publisher.ts";

export const message: RunMessage = {
  title: "Bridge opens",
  body: "On Saturday.",
  url: "https://news.example/bridge",
  imageUrl: null,
};

export type StartOptions = {
  kind?: "live" | "test";
  topicIds?: string[];
  ttlSeconds?: number;
  message?: RunMessage;
  readerHour?: ReaderHour;
  segment?: FrozenSegment;
  test?: { messages: RunMessage[]; share: number; minutes: number };
  /** A correction of that run: to those of its recipients who have one of these codes. */
  corrects?: { runId: string; sequence: number; outcomes: number[] };
};

/** Starts a run of a new campaign, as a send does. */
export async function start(
  app: App,
  publisher: Pick<Publisher, "siteId" | "tenantId">,
  options: StartOptions = {},
): Promise<RunRef> {
  const { siteId, tenantId } = publisher;
  const { kind = "live", topicIds = [], ttlSeconds = 3_600 } = options;
  const campaignId = newId();
  await sql`insert into campaigns (site_id, id, tenant_id, mode, status, url, title, body, force_send, created_by)
    values (${siteId}, ${campaignId}, ${tenantId}, 'manual', 'draft', ${message.url}, ${message.title}, ${message.body},
      false, 'test')`.execute(app.db);
  const { readerHour, segment = null, test, corrects } = options;
  const { runId } = await startRun(app.db, {
    ...{ siteId, tenantId, campaignId, kind, ttlSeconds, urgency: "normal", idempotencyKey: null, expectedAudience: 0 },
    messages: test?.messages ?? [options.message ?? message],
    audience:
      kind === "test"
        ? { of: "testDevices", upTo: Number.MAX_SAFE_INTEGER }
        : corrects === undefined
          ? { of: "readers", topicIds, segment }
          : { of: "recipients", runId: corrects.runId, outcomes: corrects.outcomes },
    ...(readerHour && { timing: { at: "localTime", hour: readerHour, from: null } }),
    ...(test && { timing: { at: "test", share: test.share, minutes: test.minutes } }),
    ...(corrects && { thread: { threadId: corrects.runId, sequence: corrects.sequence } }),
  });
  return { siteId, runId };
}

/** Starts a run and pages its whole audience. */
export async function startPlanned(app: App, publisher: Publisher, options: StartOptions = {}): Promise<RunRef> {
  const run = await start(app, publisher, options);
  await planAll(app);
  return run;
}

export async function planAll(app: App): Promise<void> {
  while (await planNextPage(app.db));
}

/** Splits each batch of a run into batches of `size`, so that a few subscribers make many of them. */
export async function splitBatches(app: App, run: RunRef, size = 1): Promise<void> {
  await sql`with taken as (delete from run_recipients where run_id = ${run.runId} returning *),
      gone as (delete from run_batches where run_id = ${run.runId} returning *),
      part as (select taken.site_id, taken.run_id, gone.lane, array_agg(id order by place) as ids,
          1000 + row_number() over () as no
        from taken join gone using (site_id, run_id, no)
          cross join lateral unnest(subscriber_ids) with ordinality as one (id, place)
        group by taken.site_id, taken.run_id, taken.no, gone.lane, (place - 1) / ${size}),
      batches as (insert into run_batches (site_id, run_id, no, lane, size, pending, codes)
        select site_id, run_id, no, lane, cardinality(ids), cardinality(ids), decode(repeat('00', cardinality(ids)), 'hex')
        from part)
    insert into run_recipients select site_id, run_id, no, ids from part`.execute(app.db);
}

/**
 * Adds a thousand batches to a run, of 200 readers each with numbers above `after`: with few lists PostgreSQL reads the whole
 * table, where at real sizes it uses an index.
 */
export async function addBatches(app: App, { siteId, runId }: RunRef, after: number): Promise<void> {
  await sql`with batch as (select 1000 + n as no, array(select ${after}::bigint + n * 200 + m from generate_series(1, 200) m) as ids
      from generate_series(0, 999) n),
    batches as (insert into run_batches (site_id, run_id, no, lane, size, pending, codes)
      select ${siteId}, ${runId}, no, 'host', 200, 200, decode(repeat('00', 200), 'hex') from batch)
    insert into run_recipients select ${siteId}, ${runId}, no, ids from batch`.execute(app.db);
  await sql`analyze run_recipients`.execute(app.db);
}

/** Claims a batch and fails where there is none. */
export async function claim(app: App, owner = "owner"): Promise<Batch> {
  const batch = await claimBatch(app.db, owner);
  if (batch === undefined) throw new Error("there is no batch to claim");
  return batch;
}

/** The run as the API shows it. */
export async function view(app: App, publisher: Publisher, run: RunRef): Promise<RunView> {
  return viewRecord(app.db, (await runOfTenant(app.db, publisher.tenantId, run.runId))!);
}

export type BatchRow = Counts & {
  no: number;
  lane: string;
  size: number;
  state: string;
  attempt: number;
  owner: string | null;
  leaseMs: number | null;
  waitMs: number | null;
  repeated: number;
  codes: Buffer;
};

/** The rows of a run's batches, by number. */
export function batchesOf(app: App, run: RunRef): Promise<BatchRow[]> {
  return rows(
    sql<BatchRow>`select *, not_sent as "notSent",
        (extract(epoch from lease_until - now()) * 1000)::float8 as "leaseMs",
        (extract(epoch from not_before - now()) * 1000)::float8 as "waitMs"
      from run_batches where site_id = ${run.siteId} and run_id = ${run.runId} order by no`,
    app.db,
  );
}

/** The subscribers of a run's batches, by batch. */
export async function recipientsOf(app: App, run: RunRef): Promise<number[][]> {
  const found = await rows(
    sql<{ ids: number[] }>`select subscriber_ids as ids from run_recipients
      where site_id = ${run.siteId} and run_id = ${run.runId} order by no`,
    app.db,
  );
  return found.map(({ ids }) => ids);
}

/** Every lease of the run is over, as if its owners had died 15 seconds ago. */
export async function endLeases(app: App, run: RunRef): Promise<void> {
  await sql`update run_batches set lease_until = now() - interval '1 second'
    where site_id = ${run.siteId} and run_id = ${run.runId} and state = 'open'`.execute(app.db);
}

/** Every rest of the run's batches, and of the site's lanes, is over. */
export async function endRests(app: App, run: RunRef): Promise<void> {
  await sql`update run_batches set not_before = now() where site_id = ${run.siteId} and run_id = ${run.runId}
    and state = 'parked'`.execute(app.db);
  await sql`update lanes set not_before = null where site_id = ${run.siteId}`.execute(app.db);
}

/** The run's time to live is over. */
export async function endTimeToLive(app: App, run: RunRef): Promise<void> {
  await sql`update runs set expires_at = now() - interval '1 second' where id = ${run.runId}`.execute(app.db);
}

/** Lets so many minutes pass for the waves of a run that are not opened. */
export async function passTime(app: App, runId: string, minutes: number): Promise<void> {
  const time = sql`make_interval(mins => ${minutes})`;
  await sql`update run_waves set opens_at = opens_at - ${time}, expires_at = expires_at - ${time}
    where run_id = ${runId} and opened_at is null`.execute(app.db);
}

/** Pauses a site or a tenant, or lifts the pause. */
export async function pause(app: App, of: "sites" | "tenants", id: string, paused = true): Promise<void> {
  await sql`update ${sql.table(of)} set paused_at = case when ${paused} then now() end where id = ${id}`.execute(
    app.db,
  );
}

/** The ids of a site's subscribers, oldest first. */
export async function subscriberIds(app: App, siteId: string): Promise<number[]> {
  return (
    await rows(sql<{ id: number }>`select id from subscribers where site_id = ${siteId} order by id`, app.db)
  ).map(({ id }) => id);
}

export async function countOf(app: App, table: string): Promise<number> {
  return (await row(sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`, app.db))!.n;
}
