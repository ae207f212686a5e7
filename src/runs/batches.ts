import { sql } from "kysely";
import { type Database, type Executor, row, rows } from "../db/pool.ts";
import type { Subscriber } from "../subscribers/queries.ts";
import { lastRank, tellsReadersApart } from "../subscribers/seen-queries.ts";
import { codeCountsOf, countCodes, countUnanswered } from "./codes.ts";
import { isCapped, isOpenRun, type RunRef } from "./queries.ts";
import type { RunKind, RunMessage, Urgency } from "./run.ts";

/** A claim lasts this long without a flush; then any worker may claim the batch. */
export const leaseSeconds = 15;

/** How far behind the most served run another may be when it is served again: a few seconds of delivery. */
const creditMessages = 20_000;

/** While a run is planned only its most engaged readers are nudged, for so long: more of them may come in later pages. */
const planSeconds = 3;

/**
 * SQL condition: readers of lower ranks wait for batch `b`, because less than 95 % of its recipients have had a try; where
 * the push service limits the site, an outcome, but for a few that it may limit themselves. No longer than its owner makes
 * progress, and no longer than it is due.
 */
const holdsLowerRanks = sql.raw(`(20 * least(b.unanswered, b.pending) > b.size
    or (lanes.is_capped and b.pending > greatest(b.size / 20, 5)))
  and (b.state = 'ready' or (b.state = 'open' and b.lease_until > now() + interval '${leaseSeconds - 3} seconds')
    or (b.state = 'parked'
      and b.not_before < now() + case when lanes.is_capped then interval '1 minute' else interval '250 ms' end))`);

/** A claimed batch with everything that its delivery needs. `attempt` is the fence: a flush must carry it. */
export type Batch = RunRef & {
  no: number;
  attempt: number;
  lane: string;
  codes: Buffer;
  repeated: number;
  /** How many owners in a row, up to now, let their claim lapse without an outcome: they died, or were frozen. */
  crashes: number;
  subscriberIds: number[];
  kind: RunKind;
  message: RunMessage;
  ttlSeconds: number;
  /** The rest of the time to live at the claim, by the database's clock, ms. */
  remainingMs: number;
  urgency: Urgency;
  onUncertain: "resend" | "skip";
  /** The site's at the claim. */
  vapidPublicKey: Buffer;
  /** Why the lane was held until now: this claim makes the first try since. Null where it was not held. */
  heldReason: "unauthorized" | "forbidden" | null;
  /** The lane has accepted a message that was signed with `vapidPublicKey` within the last day. */
  keyAccepted: boolean;
  /** The push service was seen to limit this site, within the last hour. */
  isCapped: boolean;
};

/** What a claim must not return: live batches of these lanes, or of one run in a lane. Test sends are always claimed. */
export type ClaimBut = { lane: string; runId?: string }[] | "tests only";

/**
 * Claims one batch for `owner`; undefined where there is nothing to deliver now. Looks at the runs one by one (tests first,
 * then the least served) until one has a batch that is ready, due again, or left by a dead owner. So the cost does not
 * grow with the number of open batches: finding one takes 0.2 ms of the statement's 1.1 ms with 10,000 of them in five
 * runs (planning the statement takes 1.7 ms more, once per connection).
 * Lanes come in random order, so that one throttled push service does not occupy every worker. A run that was paused for
 * long does not catch up on all it missed: `served` rises to at least `creditMessages` below the most served run.
 * Of a lane the batches with the lowest rank come first, and the next rank only when nearly all of them had a try.
 * A lane that was held for our key is probed with a batch from a random place of the run on, each time another one.
 * `status = 'sending'` stands beside the condition of an open run because only the latter lets PostgreSQL use the partial
 * index `open_runs`.
 */
export function claimBatch(db: Database, owner: string, but: ClaimBut = []): Promise<Batch | undefined> {
  const unwanted = but === "tests only" ? [] : but;
  const lanes = unwanted.map(({ lane }) => lane);
  const runs = unwanted.map(({ runId }) => runId ?? null);
  return row(
    sql<Batch>`with open as materialized (
        select r.site_id, r.id, r.lanes, r.kind, r.served,
          1 + floor(random() * r.planned_batches)::int as probe_no,
          case when r.planned_at is null and ${tellsReadersApart}
            and r.started_at > now() - make_interval(secs => ${planSeconds}) then 0 end as rank_while_planned
        from runs r
          join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
        where ${isOpenRun("r")} and r.status = 'sending' and r.expires_at > now()
          and s.removed_at is null
          and (r.kind = 'test' or (s.paused_at is null and t.paused_at is null and ${but !== "tests only"}))
        order by r.priority desc, r.served),
      choice as materialized (
        select b.* from open
          cross join lateral (select of_run.lane, l.held_reason is not null as is_held, ${isCapped} as is_capped
            from unnest(open.lanes) as of_run (lane)
              left join lanes l on l.site_id = open.site_id and l.origin = of_run.lane
            where (open.kind = 'test' or not exists (
                select from unnest(${lanes}::text[], ${runs}::uuid[]) as unwanted (lane, run_id)
                where unwanted.lane = of_run.lane and (unwanted.run_id is null or unwanted.run_id = open.id)))
              and (l.not_before is null or l.not_before <= now())
            order by random()) as lanes
          cross join lateral (select least(${lastRank}::int, open.rank_while_planned, (
            select b.rank from run_batches b
            where b.site_id = open.site_id and b.run_id = open.id and b.lane = lanes.lane and b.state <> 'done'
              and b.rank < ${lastRank} and ${holdsLowerRanks} order by b.rank limit 1)) as rank) as upto
          cross join lateral (
            select b.site_id, b.run_id, b.no from run_batches b
            where b.site_id = open.site_id and b.run_id = open.id and b.lane = lanes.lane and b.state <> 'done'
              and b.rank <= upto.rank
              and b.no >= case when lanes.is_held then open.probe_no else 0 end
              and (b.state = 'ready' or (b.state = 'parked' and b.not_before <= now())
                or (b.state = 'open' and b.lease_until < now()))
            order by b.rank, b.no limit 1 for update skip locked) b
        limit 1),
      claimed as (
        update run_batches b set state = 'open', attempt = b.attempt + 1, owner = ${owner}, not_before = null,
          lease_until = now() + make_interval(secs => ${leaseSeconds}),
          crashes = case b.state when 'open' then b.crashes + 1 else 0 end
        from choice c where b.site_id = c.site_id and b.run_id = c.run_id and b.no = c.no
        returning b.*),
      served as (
        update runs r set served = c.pending
          + greatest(r.served, (select max(open.served) from open where open.kind = r.kind) - ${creditMessages})
        from claimed c where r.site_id = c.site_id and r.id = c.run_id)
      select c.site_id as "siteId", c.run_id as "runId", c.no, c.attempt, c.lane, c.codes, c.repeated, c.crashes,
        p.subscriber_ids as "subscriberIds", r.kind, coalesce(h.messages -> c.variant::int, r.message) as message, r.ttl_seconds as "ttlSeconds",
        (extract(epoch from coalesce(v.expires_at, r.expires_at) - now()) * 1000)::float8 as "remainingMs", r.urgency,
        s.on_uncertain as "onUncertain", s.vapid_public_key as "vapidPublicKey",
        l.held_reason as "heldReason",
        exists (select from accepted_keys k where k.site_id = c.site_id and k.lane = c.lane
          and k.public_key = s.vapid_public_key and k.accepted_at > now() - interval '1 day') as "keyAccepted",
        ${isCapped} as "isCapped"
      from claimed c
        join runs r on r.site_id = c.site_id and r.id = c.run_id
        join sites s on s.id = c.site_id
        join run_recipients p on p.site_id = c.site_id and p.run_id = c.run_id and p.no = c.no
        left join lanes l on l.site_id = c.site_id and l.origin = c.lane
        left join run_slices v on v.site_id = c.site_id and v.run_id = c.run_id and v.at = c.slice_at
        left join headline_tests h on h.site_id = c.site_id and h.run_id = c.run_id and c.variant is not null`,
    db,
  );
}

/** How a flush leaves the batch: still claimed, ready for any worker, parked until its retries are due, or done. */
export type BatchEnd = { state: "open" | "ready" | "done" } | { state: "parked"; afterMs: number };

/** What a flush returns. `fenced`: the batch has another owner now, and the old one must not POST again. */
export type RunSignal = "go" | "paused" | "stop" | "fenced";

/** A claim of a batch, by its fence. */
type Claim = RunRef & { no: number; attempt: number };

/** What a flush writes. */
export type BatchWrite = { codes: Buffer; repeated: number; end: BatchEnd };

/**
 * Writes a batch in one statement: its codes, the lease, and its end if it has come. Returns whether to continue. An end
 * whose answer was lost is written once more.
 */
export async function flushBatch(on: Executor, claim: Claim, owner: string, write: BatchWrite): Promise<RunSignal> {
  return (await row(writeBatch(claim, owner, write), on))?.signal ?? "fenced";
}

/**
 * The same with the intents of the next sub-batch in the codes. The same statement reads which of `next` (ids) are still
 * subscribers (docs/decisions/0009). A POST may start only after this has returned "go".
 */
export async function flushIntents(
  on: Executor,
  claim: Claim,
  owner: string,
  write: BatchWrite,
  next: number[],
): Promise<{ signal: RunSignal; found: Subscriber[] }> {
  const read = await rows(
    sql<{ signal: RunSignal } & (Subscriber | { id: null })>`with flushed as (${writeBatch(claim, owner, write)})
      select flushed.signal, s.id, s.endpoint, s.p256dh, s.auth, s.refused_runs as "refusedRuns",
        s.registered as "isRegistered", s.accepted as "hasAccepted"
      from flushed left join subscribers s on s.site_id = ${claim.siteId} and s.id = any(${next}::bigint[])`,
    on,
  );
  const found = read.filter((reader): reader is Subscriber & { signal: RunSignal } => reader.id !== null);
  return { signal: read[0]?.signal ?? "fenced", found };
}

function writeBatch(batch: Claim, owner: string, write: BatchWrite) {
  const { pending, accepted, gone, failed, expired, notSent, unknown } = countCodes(write.codes);
  const isOpen = write.end.state === "open";
  const parkedMs = write.end.state === "parked" ? write.end.afterMs : null;
  // A batch with an owner is open. The condition on `state` is left out: with it PostgreSQL, while the table is small,
  // scans the index of open batches instead of reading this row.
  return sql<{ signal: RunSignal }>`update run_batches b set codes = ${write.codes}, repeated = ${write.repeated},
        pending = ${pending}, accepted = ${accepted}, gone = ${gone}, failed = ${failed}, expired = ${expired},
        not_sent = ${notSent}, unknown = ${unknown}, code_counts = ${codeCountsOf(write.codes)},
        unanswered = ${countUnanswered(write.codes)}, state = ${write.end.state},
        crashes = case when ${pending} < b.pending then 0 else b.crashes end,
        owner = case when ${isOpen} then b.owner end,
        lease_until = case when ${isOpen} then now() + make_interval(secs => ${leaseSeconds}) end,
        not_before = now() + ${parkedMs}::float8 * interval '1 millisecond'
      from runs r join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
      where b.site_id = ${batch.siteId} and b.run_id = ${batch.runId} and b.no = ${batch.no}
        and b.attempt = ${batch.attempt}
        and (b.owner = ${owner} or (b.owner is null and b.state = ${write.end.state}))
        and r.site_id = b.site_id and r.id = b.run_id
      returning ${signalOfRun} as signal`;
}

/** The signals of many runs in one query, by run id; each worker asks every 250 ms. A run that is absent means `stop`. */
export async function signalsOfRuns(db: Database, runs: RunRef[]): Promise<Map<string, RunSignal>> {
  const signals = await rows(
    sql<{ runId: string; signal: RunSignal }>`select r.id as "runId", ${signalOfRun} as signal
      from unnest(${runs.map((run) => run.siteId)}::uuid[], ${runs.map((run) => run.runId)}::uuid[]) as open (site_id, id)
        join runs r on r.site_id = open.site_id and r.id = open.id
        join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id`,
    db,
  );
  return new Map(signals.map(({ runId, signal }) => [runId, signal]));
}

/** The signal of a run `r` with its site `s` and tenant `t`. A pause does not hold a test send: it has no gate. */
const signalOfRun = sql.raw(`case
  when r.status <> 'sending' or s.removed_at is not null then 'stop'
  when r.kind <> 'test' and (s.paused_at is not null or t.paused_at is not null) then 'paused'
  else 'go' end`);

/**
 * Keeps the lane from being claimed for `waitMs`, because the push service asked to wait or refuses our key (`reason`). A
 * longer wait that is there already stays, and so does its reason. With a reason, nothing speaks for the key any more.
 * `throttle`: several readers' messages were answered with 429; `hasFlowed`: after others were accepted.
 */
export async function holdLane(
  db: Database,
  siteId: string,
  lane: string,
  waitMs: number,
  reason: Batch["heldReason"] = null,
  throttle: { hasFlowed: boolean } | null = null,
): Promise<void> {
  const isThrottle = throttle !== null;
  await sql`insert into lanes as l (site_id, origin, not_before, held_reason, throttled_at, throttles)
    values (${siteId}, ${lane}, now() + ${waitMs}::float8 * interval '1 millisecond', ${reason},
      case when ${isThrottle} then now() end, ${isThrottle ? 1 : 0})
    on conflict (site_id, origin) do update set not_before = greatest(l.not_before, excluded.not_before),
      held_reason = coalesce(excluded.held_reason, l.held_reason),
      throttled_at = case when ${isThrottle} then now() else l.throttled_at end,
      throttles = case when not ${isThrottle} then l.throttles
        when coalesce(l.throttled_at < now() - interval '10 minutes', true) then 1
        -- The first to say so after the rest: what other threads say of the same time is the same throttle.
        when ${throttle?.hasFlowed ?? false} and coalesce(l.not_before <= now(), true) then least(l.throttles + 1, 1000)
        else l.throttles end`.execute(db);
  if (reason === null) return;
  await sql`delete from accepted_keys where site_id = ${siteId} and lane = ${lane}`.execute(db);
}

/** Records that the lane accepts messages that are signed with this key. */
export async function recordAcceptedKey(db: Database, siteId: string, lane: string, publicKey: Buffer): Promise<void> {
  await sql`insert into accepted_keys (site_id, lane, public_key) values (${siteId}, ${lane}, ${publicKey})
    on conflict (site_id, lane, public_key) do update set accepted_at = now()`.execute(db);
}

/** Ends the hold of a lane whose push service accepts the site's messages again. A wait that was asked for meanwhile stays. */
export async function releaseLane(db: Database, siteId: string, lane: string): Promise<void> {
  await sql`update lanes set held_reason = null,
      not_before = case when not_before > now() then not_before end
    where site_id = ${siteId} and origin = ${lane} and held_reason is not null`.execute(db);
}
