import { sql } from "kysely";
import { notify } from "../db/notices.ts";
import type { Executor } from "../db/pool.ts";
import { newId } from "../ids.ts";
import { lastSubscriberId } from "../subscribers/queries.ts";
import { type CampaignClass, defaultClass } from "../tenants/sites/campaign-classes.ts";
import { linkRun } from "../tracing.ts";
import type { Audience, WantedAudience } from "./audience.ts";
import { insertHeadlineTest } from "./headline-test/queries.ts";
import { policyOf, type RunKind } from "./kinds.ts";
import type { RunMessage, Thread, Urgency } from "./run.ts";
import { atOnce, type Timing } from "./timing.ts";
import { spanOf } from "./waves/waves.ts";

/** A new run: its messages, audience and time, all frozen. */
export type NewRun = {
  /** If absent, the run gets a new id. */
  runId?: string;
  siteId: string;
  tenantId: string;
  /** Null for a digest, a welcome, a win-back or a fire drill. */
  campaignId: string | null;
  kind: RunKind;
  /** The class of the campaign. If absent, the class is normal. */
  class?: CampaignClass;
  /** The run's own message, followed by the variants of a headline test. */
  messages: RunMessage[];
  audience: Exclude<Audience, { of: "readers" | "list" }> | WantedAudience | { of: "list"; subscriberIds: string[] };
  /** If absent, the run goes out immediately. */
  timing?: Timing;
  /**
   * Seconds before the run is planned. If the run is stopped before then, it reaches nobody. If absent, it does not
   * wait.
   */
  afterSeconds?: number;
  /** If absent, the run starts its own thread. */
  thread?: Thread | undefined;
  ttlSeconds: number;
  urgency: Urgency;
  idempotencyKey: string | null;
  expectedAudience: number;
  /**
   * When the run counts by the site's clock, if that is later than its start. With local-time delivery it is the
   * local time at the site.
   */
  countsAt?: Date | null;
  /** The key by which figures are grouped, such as the step of a welcome. */
  label?: string;
};

/**
 * Starts a run in the caller's transaction, and returns its id. The run's row is the job, which the planner finds.
 * The cost is the same for ten subscribers and for ten million. Throws if the campaign already has a live run (unique
 * index).
 */
export async function startRun(
  tx: Executor,
  { runId = newId(), timing = atOnce, class: ofClass = defaultClass, ...run }: NewRun,
): Promise<{ runId: string }> {
  const { siteId } = run;
  const { threadId, sequence } = run.thread ?? { threadId: runId, sequence: 0 };
  const audience = await freezeAudience(tx, siteId, run.audience);
  const { priority } = policyOf({ kind: run.kind, runId, threadId, class: ofClass });
  const lastMoment = timing.at === "localTime" ? new Date(spanOf(timing.hour).lastMs) : null;
  await sql`with inserted as (insert into runs (site_id, id, tenant_id, campaign_id, kind, class, priority, thread_id, sequence,
      audience, timing, label, receipts, ttl_seconds, urgency, idempotency_key, expected_audience, counts_at, expires_at, plan_from)
    values (${siteId}, ${runId}, ${run.tenantId}, ${run.campaignId}, ${run.kind}, ${ofClass}, ${priority}, ${threadId}, ${sequence},
      ${JSON.stringify(audience)}, ${JSON.stringify(timing)}, ${run.label ?? null}, ${run.messages[0]!.receipts ?? null},
      ${run.ttlSeconds}, ${run.urgency}, ${run.idempotencyKey}, ${run.expectedAudience},
      greatest(now(), ${run.countsAt ?? null}::timestamptz),
      greatest(now(), ${lastMoment}::timestamptz) + make_interval(secs => ${run.ttlSeconds}),
      now() + make_interval(secs => ${run.afterSeconds || null}::float8)) returning id)
    select ${notify("run")} from inserted`.execute(tx);
  await sql`insert into run_messages (site_id, run_id, no, message)
    select ${siteId}, ${runId}, one.no - 1, one.message
    from jsonb_array_elements(${JSON.stringify(run.messages)}::jsonb) with ordinality as one (message, no)`.execute(tx);
  if (run.audience.of === "list" && "subscriberIds" in run.audience)
    await sql`insert into run_lists (site_id, run_id, subscriber_ids)
      values (${siteId}, ${runId}, ${run.audience.subscriberIds}::bigint[])`.execute(tx);
  if (timing.at === "test") await insertHeadlineTest(tx, { siteId, runId }, timing.minutes);
  linkRun(runId);
  return { runId };
}

/** Freezes the audience. Subscribers that register later are not in it. */
async function freezeAudience(tx: Executor, siteId: string, wanted: NewRun["audience"]): Promise<Audience> {
  if (wanted.of === "list") return { of: "list" };
  if (wanted.of !== "readers") return wanted;
  return { ...wanted, upTo: await lastSubscriberId(tx, siteId) };
}
