import { sql } from "kysely";
import { type Database, row } from "../../db/pool.ts";
import { lastRank, tellsReadersApart } from "../../subscribers/seen-queries.ts";
import { pauseHolds, type RunKind } from "../kinds.ts";
import { type BlockedReason, isRateLimited } from "../push-services.ts";
import { isOpenRun, type RunRef } from "../queries.ts";
import type { RunMessage, Thread, Urgency } from "../run.ts";
import { type RunSize, sizeOfRun } from "./run-size.ts";
import { isClaimable } from "./states.ts";

/** The seconds for which a claim lasts without a flush. After that, any worker may claim the batch. */
export const leaseSeconds = 15;

/**
 * The most messages that a run's served count may stay behind the most served run. This is a few seconds of delivery.
 */
const creditMessages = 20_000;

/**
 * The first seconds of a run that is still being planned. In this time only its most engaged readers are notified,
 * because later pages may have more of them.
 */
const planSeconds = 3;

/**
 * SQL condition: readers of lower ranks wait for batch `b`. They wait until 95 % of its recipients have had a try. If
 * the push service limits the site, they wait until 95 % of the recipients, or all but five, have an outcome. They
 * wait only while the batch is ready, its owner makes progress, or it is due soon.
 */
const holdsLowerRanks = sql.raw(`(20 * least(b.unanswered, b.pending) > b.size
    or (push_services.is_rate_limited and b.pending > greatest(b.size / 20, 5)))
  and (b.state = 'ready' or (b.state = 'open' and b.lease_until > now() + interval '${leaseSeconds - 3} seconds')
    or (b.state = 'delayed'
      and b.not_before < now() + case when push_services.is_rate_limited then interval '1 minute' else interval '250 ms' end))`);

/** A claimed batch with all that its delivery needs. `attempt` is the fence, which each flush must carry. */
export type Batch = RunRef &
  RunSize & {
    no: number;
    attempt: number;
    pushService: string;
    codes: Buffer;
    repeated: number;
    /** The number of owners in a row whose claim lapsed without an outcome, because they died or froze. */
    crashes: number;
    subscriberIds: number[];
    kind: RunKind;
    thread: Thread;
    message: RunMessage;
    ttlSeconds: number;
    /** The remaining time to live at the claim, ms, by the database's clock. */
    remainingMs: number;
    urgency: Urgency;
    onUncertain: "resend" | "skip";
    /** The site's public key at the claim. */
    vapidPublicKey: Buffer;
    /**
     * Why the push service was blocked before this claim, which makes the first try since. Null if it was not
     * blocked.
     */
    blockedReason: BlockedReason | null;
    /** The push service has accepted a message signed with `vapidPublicKey` within the last day. */
    keyAccepted: boolean;
    /** The push service has limited this site within the last hour. */
    isRateLimited: boolean;
  };

/**
 * Live batches that a claim must not return: all batches of a push service, or those of one run on it. Test sends are
 * always claimed.
 */
export type ClaimBut = { pushService: string; runId?: string }[] | "tests only";

/**
 * Claims one batch for `owner`; returns undefined if there is nothing to deliver now.
 *
 * It looks at the runs one by one, tests first, then the least served run. It stops at the first run with a batch
 * that is ready, due again, or left by a dead owner. So the cost does not grow with the number of open batches. With
 * 10,000 open batches in five runs, the statement takes 1.1 ms, and finding the batch takes 0.2 ms of this. Planning
 * the statement takes 1.7 ms more, once per connection.
 *
 * Push services come in random order, so that one throttled push service does not occupy every worker. A run that was
 * paused for long does not catch up on everything it missed: `served` rises to at least `creditMessages` below the
 * most served run. Within a push service, batches with the lowest rank come first. The next rank follows when nearly
 * all of them had a try. If a push service was blocked for the site's key, each claim takes another batch, from a
 * random place of the run, as a probe.
 *
 * The query has `status = 'sending'` beside the condition of an open run, because PostgreSQL uses the partial index
 * `open_runs` only with that condition.
 */
export function claimBatch(db: Database, owner: string, but: ClaimBut = []): Promise<Batch | undefined> {
  const unwanted = but === "tests only" ? [] : but;
  const pushServices = unwanted.map(({ pushService }) => pushService);
  const runs = unwanted.map(({ runId }) => runId ?? null);
  return row(
    sql<Batch>`with open as materialized (
        select r.site_id, r.id, r.push_services, r.kind, r.served,
          1 + floor(random() * r.planned_batches)::int as probe_no,
          case when r.planned_at is null and ${tellsReadersApart}
            and r.started_at > now() - make_interval(secs => ${planSeconds}) then 0 end as rank_while_planned
        from runs r
          join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
        where ${isOpenRun("r")} and r.status = 'sending' and r.expires_at > now()
          and s.removed_at is null
          and (not ${pauseHolds("r")} or (s.paused_at is null and t.paused_at is null and ${but !== "tests only"}))
        order by r.priority desc, r.served),
      choice as materialized (
        select b.* from open
          cross join lateral (select of_run.push_service, l.blocked_reason is not null as is_blocked, ${isRateLimited} as is_rate_limited
            from unnest(open.push_services) as of_run (push_service)
              left join site_push_services l on l.site_id = open.site_id and l.origin = of_run.push_service
            where (not ${pauseHolds("open")} or not exists (
                select from unnest(${pushServices}::text[], ${runs}::uuid[]) as unwanted (push_service, run_id)
                where unwanted.push_service = of_run.push_service and (unwanted.run_id is null or unwanted.run_id = open.id)))
              and (l.not_before is null or l.not_before <= now())
            order by random()) as push_services
          cross join lateral (select least(${lastRank}::int, open.rank_while_planned, (
            select b.rank from run_batches b
            where b.site_id = open.site_id and b.run_id = open.id and b.push_service = push_services.push_service and ${isClaimable}
              and b.rank < ${lastRank} and ${holdsLowerRanks} order by b.rank limit 1)) as rank) as upto
          cross join lateral (
            select b.site_id, b.run_id, b.no from run_batches b
            where b.site_id = open.site_id and b.run_id = open.id and b.push_service = push_services.push_service and ${isClaimable}
              and b.rank <= upto.rank
              and b.no >= case when push_services.is_blocked then open.probe_no else 0 end
              and (b.state = 'ready' or (b.state = 'delayed' and b.not_before <= now())
                or (b.state = 'open' and b.lease_until < now()))
            order by b.rank, b.no limit 1 for update skip locked) b
        limit 1),
      claimed as (
        update run_batches b set state = 'open', attempt = b.attempt + 1, flush_no = 0, owner = ${owner}, not_before = null,
          lease_until = now() + make_interval(secs => ${leaseSeconds}),
          crashes = case b.state when 'open' then b.crashes + 1 else 0 end
        from choice c where b.site_id = c.site_id and b.run_id = c.run_id and b.no = c.no
        returning b.*),
      served as (
        update runs r set served = c.pending
          + greatest(r.served, (select max(open.served) from open where open.kind = r.kind) - ${creditMessages})
        from claimed c where r.site_id = c.site_id and r.id = c.run_id)
      select c.site_id as "siteId", c.run_id as "runId", c.no, c.attempt, c.push_service as "pushService", c.codes, c.repeated, c.crashes,
        p.subscriber_ids as "subscriberIds", ${sizeOfRun}, r.kind, m.message,
        jsonb_build_object('threadId', r.thread_id, 'sequence', r.sequence) as thread, r.ttl_seconds as "ttlSeconds",
        (extract(epoch from coalesce(w.expires_at, r.expires_at) - now()) * 1000)::float8 as "remainingMs", r.urgency,
        s.on_uncertain as "onUncertain", s.vapid_public_key as "vapidPublicKey",
        l.blocked_reason as "blockedReason",
        exists (select from accepted_keys k where k.site_id = c.site_id and k.push_service = c.push_service
          and k.public_key = s.vapid_public_key and k.accepted_at > now() - interval '1 day') as "keyAccepted",
        ${isRateLimited} as "isRateLimited"
      from claimed c
        join runs r on r.site_id = c.site_id and r.id = c.run_id
        join sites s on s.id = c.site_id
        join run_recipients p on p.site_id = c.site_id and p.run_id = c.run_id and p.no = c.no
        left join site_push_services l on l.site_id = c.site_id and l.origin = c.push_service
        join run_messages m on m.site_id = c.site_id and m.run_id = c.run_id and m.no = c.message_no
        left join run_waves w on w.site_id = c.site_id and w.run_id = c.run_id and w.no = c.wave_no`,
    db,
  );
}
