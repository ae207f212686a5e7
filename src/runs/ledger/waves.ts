import { sql } from "kysely";
import { notify } from "../../db/notices.ts";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import type { CampaignClass } from "../../tenants/sites/campaign-classes.ts";
import type { RunKind } from "../kinds.ts";
import { isOpenRun, type RunRef } from "../queries.ts";
import { codeCount, oneCode, sameCodes } from "./code-counts.ts";
import { finalCode } from "./codes.ts";
import type { Suppressed } from "./plan-batches.ts";
import { isClaimable, isWaiting } from "./states.ts";

/** The key of a wave. The batches of a wave open together. */
export type WaveRef = RunRef & { no: number };

/** A due wave, with the facts that decide who is suppressed. */
export type DueWave = WaveRef & { kind: RunKind; class: CampaignClass; threadId: string };

/** A wave as stored. `utcOffset`: in minutes; null if its readers' time had passed or it has no local time. */
export type WaveRecord = {
  no: number;
  opensAt: Date | null;
  utcOffset: number | null;
  readers: number;
  pending: number;
  accepted: number;
  openedAt: Date | null;
  endedAt: Date | null;
};

const dueColumns = sql.raw(
  `w.site_id as "siteId", w.run_id as "runId", w.no, r.kind, r.class, r.thread_id as "threadId"`,
);

/** SQL: the due waves `w`, in runs `r` that are neither paused nor stopped. */
const dueWaves = sql`run_waves w join runs r on r.site_id = w.site_id and r.id = w.run_id
    join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
  where w.opened_at is null and w.ended_at is null and w.opens_at <= now()
    and coalesce(w.expires_at, r.expires_at) > now()
    and r.status = 'sending' and s.paused_at is null and s.removed_at is null and t.paused_at is null`;

/** Returns the due waves that are not opened, earliest first. */
export function readDueWaves(on: Executor): Promise<DueWave[]> {
  return rows(sql<DueWave>`select ${dueColumns} from ${dueWaves} order by w.opens_at`, on);
}

/** Locks a wave until the transaction ends. Returns false if it is no longer due, or another process has it. */
export async function lockDueWave(tx: Tx, { siteId, runId, no }: WaveRef): Promise<boolean> {
  const locked = await row(
    sql`select w.no from ${dueWaves} and w.site_id = ${siteId} and w.run_id = ${runId} and w.no = ${no}
      for update of w skip locked`,
    tx,
  );
  return locked !== undefined;
}

/** Locks the next waiting batches of a wave, no more than `limit`. Returns their numbers. */
export async function lockWaitingBatches(tx: Tx, wave: WaveRef, limit: number): Promise<number[]> {
  const locked = await rows(
    sql<{ no: number }>`select b.no from run_batches b where b.site_id = ${wave.siteId} and b.run_id = ${wave.runId}
        and b.wave_no = ${wave.no} and ${isWaiting}
      order by b.no limit ${limit} for update`,
    tx,
  );
  return locked.map(({ no }) => no);
}

/** SQL: the message that the batches `b` get when their wave opens. */
const openedMessage = ({ siteId, runId, no }: WaveRef) => sql`coalesce((select w.message_no from run_waves w
    where w.site_id = ${siteId} and w.run_id = ${runId} and w.no = ${no}), b.message_no)`;

/** Hands waiting batches to the workers. */
export async function openBatches(tx: Tx, wave: WaveRef, numbers: number[]): Promise<void> {
  await sql`with opened as (
      update run_batches b set state = 'ready', message_no = ${openedMessage(wave)}
      where b.site_id = ${wave.siteId} and b.run_id = ${wave.runId} and b.no = any(${numbers}::int[]) returning b.no)
    select ${notify("batches")} from opened limit 1`.execute(tx);
}

/**
 * Hands waiting batches to the workers after a check of their readers. A suppressed reader's code becomes final. A
 * batch is done if all its readers are suppressed.
 */
export async function openCheckedBatches(
  tx: Tx,
  wave: WaveRef,
  numbers: number[],
  suppressed: Suppressed,
): Promise<void> {
  const { siteId, runId } = wave;
  await sql`with opening as (
      select one.id, b.push_service, b.no, one.position, false as waits, false as has_interacted
      from run_batches b
        cross join lateral (select p.subscriber_ids from run_recipients p
          where p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no offset 0) list
        cross join lateral unnest(list.subscriber_ids) with ordinality as one (id, position)
      where b.site_id = ${siteId} and b.run_id = ${runId} and b.no = any(${numbers}::int[])),
    recipient as materialized (
      select opening.id, opening.no, opening.position, checked.code ${suppressed.columns} from opening ${suppressed.check}),
    codes as (
      select no, count(code)::smallint as n,
        string_agg(decode(${oneCode(sql`coalesce(code, 0)`)}, 'hex'), ''::bytea order by position) as codes
      from recipient group by no),
    code_sums as (
      select no, string_agg(${codeCount(sql`code`, sql`n`)}, ''::bytea order by code) as code_counts
      from (select no, code, count(*) as n from recipient where code is not null group by no, code) one group by no),
    opened as (
      update run_batches b set state = case when codes.n = b.size then 'done' else 'ready' end,
        message_no = ${openedMessage(wave)}, codes = codes.codes, code_counts = coalesce(code_sums.code_counts, ''),
        not_sent = codes.n, pending = b.size - codes.n, unanswered = b.size - codes.n
      from codes left join code_sums on code_sums.no = codes.no
      where b.site_id = ${siteId} and b.run_id = ${runId} and b.no = codes.no returning b.no)
    ${suppressed.effects}
    select ${notify("batches")} from opened limit 1`.execute(tx);
}

/** Records that all batches of a wave were handed to the workers. */
export async function recordOpened(tx: Tx, { siteId, runId, no }: WaveRef): Promise<void> {
  await sql`update run_waves set opened_at = now()
    where site_id = ${siteId} and run_id = ${runId} and no = ${no}`.execute(tx);
}

/** Opens now the waves of a run that wait for an event, with the message `messageNo`. */
export async function letOpen(tx: Tx, { siteId, runId }: RunRef, messageNo: number): Promise<void> {
  await sql`update run_waves set opens_at = now(), message_no = ${messageNo}
    where site_id = ${siteId} and run_id = ${runId} and opens_at is null and ended_at is null`.execute(tx);
}

/** Returns the waves of open runs whose own time to live is over. */
export function expiredWaves(on: Executor): Promise<WaveRef[]> {
  return rows(
    sql<WaveRef>`select w.site_id as "siteId", w.run_id as "runId", w.no
      from run_waves w join runs r on r.site_id = w.site_id and r.id = w.run_id
      where w.ended_at is null and w.expires_at <= now() and r.status = 'sending'`,
    on,
  );
}

/** Records the end of a wave once all its batches are done. */
export async function recordWaveEnd(on: Executor, { siteId, runId, no }: WaveRef): Promise<void> {
  await sql`update run_waves set ended_at = now() where site_id = ${siteId} and run_id = ${runId} and no = ${no}
    and not exists (select from run_batches b where b.site_id = ${siteId} and b.run_id = ${runId} and b.wave_no = ${no}
      and b.state <> 'done')`.execute(on);
}

/**
 * Ends the waves of a run that is being closed. Stores how many messages of each were accepted, because their batches
 * are deleted later. A wave that a stop has cut off counts as never opened, because it did not reach all its readers.
 */
export async function closeWaves(tx: Tx, { siteId, runId }: RunRef): Promise<void> {
  const isCutOff = sql`position(${sameCodes(sql.lit(finalCode.stopped), sql`1`)} in codes) > 0`;
  await sql`update run_waves w set ended_at = coalesce(w.ended_at, now()), accepted = coalesce(sums.accepted, 0),
      opened_at = case when not coalesce(sums.is_cut_off, false) then w.opened_at end
    from run_waves of_run left join (
        select wave_no, sum(accepted) as accepted, bool_or(${isCutOff}) as is_cut_off from run_batches
        where site_id = ${siteId} and run_id = ${runId} and wave_no is not null group by wave_no) sums
      on sums.wave_no = of_run.no
    where of_run.site_id = ${siteId} and of_run.run_id = ${runId}
      and w.site_id = of_run.site_id and w.run_id = of_run.run_id and w.no = of_run.no`.execute(tx);
}

/** Returns the waves of a run, ordered by their moments. */
export function wavesOfRun(on: Executor, { siteId, runId }: RunRef): Promise<WaveRecord[]> {
  return rows(
    sql<WaveRecord>`select w.no, w.opens_at as "opensAt", w.utc_offset as "utcOffset", w.readers, w.opened_at as "openedAt",
        w.ended_at as "endedAt", coalesce(sums.pending, 0)::float8 as pending,
        coalesce(w.accepted, sums.accepted, 0)::float8 as accepted
      from run_waves w left join (
          select wave_no, sum(pending) as pending, sum(accepted) as accepted from run_batches
          where site_id = ${siteId} and run_id = ${runId} and wave_no is not null group by wave_no) sums
        on sums.wave_no = w.no
      where w.site_id = ${siteId} and w.run_id = ${runId} order by w.opens_at`,
    on,
  );
}

/**
 * Ends the waves whose moment has passed, in all open runs, as `unknown`. After a restore nobody can tell whether
 * they were sent. Returns the number of recipients.
 */
export async function endPassedWaves(tx: Tx): Promise<number> {
  const size = sql`b.size`;
  const uncertain = sql.lit(finalCode.uncertain);
  const ended = await row(
    sql<{ n: number }>`with passed as (
        update run_waves w set ended_at = now() from runs r
        where r.site_id = w.site_id and r.id = w.run_id and ${isOpenRun("r")}
          and w.opened_at is null and w.ended_at is null and w.opens_at <= now()
        returning w.site_id, w.run_id, w.no),
      batches as (
        update run_batches b set state = 'done', codes = ${sameCodes(uncertain, size)}, pending = 0, unanswered = 0,
          unknown = b.size, code_counts = ${codeCount(uncertain, size)}
        from passed where b.site_id = passed.site_id and b.run_id = passed.run_id and b.wave_no = passed.no
          and ${isWaiting}
        returning b.size)
      select coalesce(sum(size), 0)::float8 as n from batches`,
    tx,
  );
  return ended!.n;
}

/** SQL: the moment of the earliest wave of run `r` that is due and has batches to deliver; null if there is none. */
export const oldestOpenWave = sql`(select min(w.opens_at) from run_waves w
  where w.site_id = r.site_id and w.run_id = r.id and w.opens_at <= now() and w.ended_at is null
    and exists (select from run_batches b
      where b.site_id = w.site_id and b.run_id = w.run_id and b.wave_no = w.no and (${isClaimable} or ${isWaiting})))`;
