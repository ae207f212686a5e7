import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { claimBatch } from "../src/runs/ledger/claim-batch.ts";
import { finalCode } from "../src/runs/ledger/codes.ts";
import { flushBatch } from "../src/runs/ledger/flush-batch.ts";
import { planNextPage } from "../src/runs/plan/plan-run.ts";
import { everybody } from "../src/subscribers/audience.ts";
import { countSubscribers } from "../src/subscribers/queries.ts";
import type { Publisher } from "../test/fixtures/publisher.ts";
import { start } from "../test/runs/fixture.ts";
import { importAudience } from "./app.ts";
import { cpuMsOf } from "./processes.ts";

export type ImportReport = {
  name: string;
  wallMs: number;
  /** CPU time of this process, which runs the import, in ms. */
  clientMs: number;
  databaseMs: number;
};

/**
 * Measures the import of `file`, the count of its subscribers, the plan of a run to all of them, and the claims
 * of its batches, with the functions of the service.
 */
export async function measureImport(
  app: App,
  publisher: Publisher,
  file: string,
  databasePid: number,
): Promise<ImportReport[]> {
  const step = async (name: string, work: () => Promise<unknown>): Promise<ImportReport> => {
    const [before, ownBefore, startedMs] = [await cpuMsOf(databasePid), process.cpuUsage(), performance.now()];
    await work();
    const wallMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(ownBefore);
    return { name, wallMs, clientMs: (user + system) / 1_000, databaseMs: (await cpuMsOf(databasePid)) - before };
  };
  const count = () => countSubscribers(app.db, publisher.siteId, everybody, 2_147_483_647);
  return [
    await step("import", () => importAudience(app, publisher, file)),
    await step("count, first", count),
    await step("count, again", count),
    await step("plan", async () => {
      await start(app, publisher);
      while (await planNextPage(app.db));
    }),
    await step("claim and end its batches, by six workers", () => endAll(app)),
    await step("vacuum (as PostgreSQL does by itself in time)", () => sql`vacuum analyze subscribers`.execute(app.db)),
    await step("count, after it", count),
  ];
}

/** As many workers as the benchmark has connections. */
const workers = ["1", "2", "3", "4", "5", "6"];

/** Claims and ends all batches, as if each of their messages were accepted. */
async function endAll(app: App): Promise<void> {
  const endBatches = async (owner: string) => {
    for (let batch = await claimBatch(app.db, owner); batch !== undefined; batch = await claimBatch(app.db, owner)) {
      const codes = Buffer.alloc(batch.subscriberIds.length, finalCode.accepted);
      await flushBatch(app.db, batch, owner, { flushNo: 1, codes, repeated: 0, end: { state: "done" } });
    }
  };
  await Promise.all(workers.map(endBatches));
}
