import { type RawBuilder, sql } from "kysely";
import { notify } from "../../db/notices.ts";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import type { RunRef } from "../queries.ts";
import { receiptKinds } from "../receipt-kinds.ts";
import type { HeadlineTest, NewHeadlineTest, TestOutcome, VariantFigures } from "./headline-test.ts";

export async function insertHeadlineTest(on: Executor, run: RunRef, test: NewHeadlineTest): Promise<void> {
  await sql`insert into headline_tests (site_id, run_id, messages, share, minutes)
    values (${run.siteId}, ${run.runId}, ${JSON.stringify(test.messages)}, ${test.share}, ${test.minutes})`.execute(on);
}

/** SQL condition: a batch waits for the end of its run's test. */
export const waitsForTest = sql.raw("state = 'parked' and not_before = 'infinity'");

/** SQL: the moment at which the test `h` of the run `r` ends, at the latest. */
const endsAt = sql.raw("coalesce(r.started_at, r.created_at) + make_interval(mins => h.minutes)");

/** The test of a run, with its figures as they were stored at its end; while it runs, undefined in their place. */
export function headlineTestOfRun(
  on: Executor,
  run: RunRef,
): Promise<(Omit<HeadlineTest, "figures"> & { figures: VariantFigures[] | null }) | undefined> {
  return row(
    sql<HeadlineTest>`select h.messages, h.share, ${endsAt} as "endsAt", h.ended_at as "endedAt", h.outcome, h.chosen, h.figures
      from headline_tests h join runs r on r.site_id = h.site_id and r.id = h.run_id
      where h.site_id = ${run.siteId} and h.run_id = ${run.runId}`,
    on,
  );
}

/**
 * The tests that have not ended. `isPlanned`: all recipients are in batches. `isRunOver`: it was broken off. A run that is
 * completed was not: where all readers take part nothing waits for the test, whose clicks are still to come.
 */
export type RunningTest = RunRef & { variants: number; isPlanned: boolean; isDue: boolean; isRunOver: boolean };

export function runningTests(on: Executor): Promise<RunningTest[]> {
  return rows(
    sql<RunningTest>`select h.site_id as "siteId", h.run_id as "runId", jsonb_array_length(h.messages) as variants,
        r.planned_at is not null as "isPlanned", ${endsAt} <= now() as "isDue",
        r.status in ('stopping', 'stopped', 'failed') or r.expires_at <= now() as "isRunOver"
      from headline_tests h join runs r on r.site_id = h.site_id and r.id = h.run_id
      where h.ended_at is null order by h.run_id`,
    on,
  );
}

/**
 * SQL: the variant that the subscriber `s` gets in a run, by a hash of both, so that it is the same whenever it is asked
 * for; null where they take no part.
 */
export function variantOfSubscriber(
  { runId }: Pick<RunRef, "runId">,
  test: { variants: number; share: number } | null,
): RawBuilder<unknown> {
  if (test === null) return sql`null::smallint`;
  const hash = sql`(hashint8extended(s.id, hashtextextended(${runId}::text, 0)) & 9223372036854775807)`;
  return sql`case when ${hash} % 100 < ${test.share}::int then ((${hash} / 100) % ${test.variants}::int)::smallint end`;
}

/** Counts what became of each of the first `variants` variants of a run, from its batches and their receipts. */
export async function figuresOfVariants(on: Executor, run: RunRef, variants: number): Promise<VariantFigures[]> {
  const found = await rows(
    sql<
      VariantFigures & { variant: number }
    >`select b.variant, sum(b.size)::int as recipients, sum(b.accepted)::int as accepted,
        sum(bit_count(coalesce(d.bits, 0::bit(1024)) | coalesce(c.bits, 0::bit(1024))))::int as shown,
        coalesce(sum(bit_count(c.bits)), 0)::int as clicked
      from run_batches b
        left join receipt_bits d on d.site_id = b.site_id and d.run_id = b.run_id and d.no = b.no
          and d.kind = ${receiptKinds.displayed}
        left join receipt_bits c on c.site_id = b.site_id and c.run_id = b.run_id and c.no = b.no
          and c.kind = ${receiptKinds.clicked}
      where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.variant is not null
      group by b.variant`,
    on,
  );
  const none = { recipients: 0, accepted: 0, shown: 0, clicked: 0 };
  return Array.from({ length: variants }, (_, variant) => {
    const { variant: __, ...figures } = found.find((one) => one.variant === variant) ?? { ...none, variant };
    return figures;
  });
}

/**
 * Ends a test, and releases the rest of the audience to the variant `chosen`, if one was. Returns whether it did: of
 * several processes one does.
 */
export async function endTest(
  tx: Tx,
  run: RunRef,
  end: { outcome: TestOutcome; chosen: number | null; figures: VariantFigures[] },
): Promise<boolean> {
  const { outcome, chosen, figures } = end;
  const ended = await row(
    sql`update headline_tests set ended_at = now(), outcome = ${outcome}, chosen = ${chosen}, figures = ${JSON.stringify(figures)}
      where site_id = ${run.siteId} and run_id = ${run.runId} and ended_at is null returning run_id`,
    tx,
  );
  if (ended === undefined) return false;
  if (chosen !== null) {
    await sql`with released as (update run_batches set variant = ${chosen}, state = 'ready', not_before = null
        where site_id = ${run.siteId} and run_id = ${run.runId} and ${waitsForTest} returning no)
      select ${notify("batches")} from released limit 1`.execute(tx);
  }
  return true;
}
