import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { letOpen } from "../ledger/waves.ts";
import type { RunRef } from "../queries.ts";
import { receiptKinds } from "../receipt-kinds.ts";
import { suppressionCodes } from "../suppressions.ts";
import { type ClockFacts, clockFacts } from "./clock.ts";
import type { HeadlineTest, TestOutcome, VariantFigures } from "./headline-test.ts";

/** Inserts the headline test of a run. Its clock is halted until a message is accepted. */
export async function insertHeadlineTest(on: Executor, run: RunRef, minutes: number): Promise<void> {
  await sql`insert into headline_tests (site_id, run_id, time_left)
    values (${run.siteId}, ${run.runId}, make_interval(mins => ${minutes}))`.execute(on);
}

/** SQL: the messages of the test `h`, in order. */
const messages = sql.raw(`(select jsonb_agg(m.message order by m.no) from run_messages m
  where m.site_id = h.site_id and m.run_id = h.run_id)`);

/** Returns the test of a run. Its figures are those stored at its end; they are null while it runs. */
export function headlineTestOfRun(
  on: Executor,
  run: RunRef,
): Promise<(Omit<HeadlineTest, "figures"> & { figures: VariantFigures[] | null }) | undefined> {
  return row(
    sql<HeadlineTest>`select ${messages} as messages, (r.timing->>'share')::int as share, h.waits_for as "waitsFor",
        h.ends_at as "endsAt", h.ended_at as "endedAt", h.outcome, h.chosen, h.figures
      from headline_tests h join runs r on r.site_id = h.site_id and r.id = h.run_id
      where h.site_id = ${run.siteId} and h.run_id = ${run.runId}`,
    on,
  );
}

/** Returns an SQL condition: run `r` has a batch that takes part in its test and fulfils the condition `some`. */
const hasTested = (some: string) =>
  sql.raw(`exists (select from run_batches b where b.site_id = r.site_id and b.run_id = r.id and b.wave_no is null
    and ${some})`);

/** SQL: the number of variants of test `h`. */
const variantsOfTest = sql.raw(`(select count(*)::int from run_messages m
  where m.site_id = h.site_id and m.run_id = h.run_id)`);
const isRunOver = sql.raw("(r.status in ('stopping', 'stopped', 'failed') or r.expires_at <= now())");

/**
 * A test that has not ended. `isPlanned`: all recipients are in batches. `reachesNobody`: all readers who take part
 * have an outcome, and none got a message. `isRunOver`: the run was stopped, has failed or has expired. A completed
 * run does not count as over: if all readers take part, none waits for the test, and its clicks come later.
 */
export type RunningTest = RunRef & {
  variants: number;
  isPlanned: boolean;
  reachesNobody: boolean;
  isRunOver: boolean;
} & ClockFacts;

/** Locks the test of a run until the transaction ends. Returns undefined if the run has no test, or it has ended. */
export function lockRunningTest(
  tx: Tx,
  run: RunRef,
): Promise<Pick<RunningTest, "variants" | "isPlanned" | "isRunOver"> | undefined> {
  return row(
    sql<Pick<RunningTest, "variants" | "isPlanned" | "isRunOver">>`select ${variantsOfTest} as variants,
        r.planned_at is not null as "isPlanned", ${isRunOver} as "isRunOver"
      from headline_tests h join runs r on r.site_id = h.site_id and r.id = h.run_id
      where h.site_id = ${run.siteId} and h.run_id = ${run.runId} and h.ended_at is null for update of h`,
    tx,
  );
}

export function runningTests(on: Executor): Promise<RunningTest[]> {
  return rows(
    sql<RunningTest>`select h.site_id as "siteId", h.run_id as "runId", ${variantsOfTest} as variants,
        r.planned_at is not null as "isPlanned",
        r.planned_at is not null and not ${hasTested("(b.pending > 0 or b.accepted > 0)")} as "reachesNobody",
        ${isRunOver} as "isRunOver",
        ${clockFacts(hasTested("b.accepted > 0"))}
      from headline_tests h join runs r on r.site_id = h.site_id and r.id = h.run_id
        join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
      where h.ended_at is null order by h.run_id`,
    on,
  );
}

/** Returns the figures of the first `variants` variants of a run, counted from its batches and their receipts. */
export async function figuresOfVariants(on: Executor, run: RunRef, variants: number): Promise<VariantFigures[]> {
  const found = await rows(
    sql<
      VariantFigures & { variant: number }
    >`select b.message_no as variant, sum(b.size)::int as recipients, sum(b.accepted)::int as accepted,
        sum(bit_count(coalesce(d.bits, 0::bit(1024)) | coalesce(c.bits, 0::bit(1024))))::int as shown,
        sum(case when b.reports_displays then bit_count(coalesce(d.bits, 0::bit(1024)) | coalesce(c.bits, 0::bit(1024)))
          else greatest(b.accepted, bit_count(c.bits)) end)::int as measured,
        coalesce(sum(bit_count(c.bits)), 0)::int as clicked
      from run_batches b
        left join receipt_bits d on d.site_id = b.site_id and d.run_id = b.run_id and d.no = b.no
          and d.kind = ${receiptKinds.displayed}
        left join receipt_bits c on c.site_id = b.site_id and c.run_id = b.run_id and c.no = b.no
          and c.kind = ${receiptKinds.clicked}
      where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.wave_no is null
        and get_byte(b.codes, 0) <> all(${suppressionCodes}::int[])
      group by b.message_no`,
    on,
  );
  const none = { recipients: 0, accepted: 0, shown: 0, measured: 0, clicked: 0 };
  return Array.from({ length: variants }, (_, variant) => {
    const { variant: __, ...figures } = found.find((one) => one.variant === variant) ?? { ...none, variant };
    return figures;
  });
}

/**
 * Ends a test, and releases the waiting readers to the variant `chosen`, if there is one. Returns whether it did,
 * because only one of several processes ends a test.
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
  if (chosen !== null) await letOpen(tx, run, chosen);
  return true;
}
