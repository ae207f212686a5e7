import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { reputationOfSite } from "../../src/receipts/sender-reputation.ts";
import { closeRun } from "../../src/runs/close-run.ts";
import { endHeadlineTests } from "../../src/runs/headline-test/end-tests.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { changeRuns, endBatches } from "../fixtures/rows/runs.ts";
import { insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { message, type StartOptions, startPlanned, view } from "../runs/fixture.ts";

/** Tests that browsers that show notifications by themselves report no displays, whatever their push service. */
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
});

const addReaders = (n: number, reportsDisplays: boolean, pushService = "apple") =>
  insertSubscribers(app, publisher.siteId, n, { pushService, reportsDisplays });

async function sendToAll(options: StartOptions = {}): Promise<RunRef> {
  const run = await startPlanned(app, publisher, options);
  await endBatches(app, { run: run.runId });
  await changeRuns(app, { id: run.runId }, { status: "sending" });
  return run;
}

type Batch = { no: number; size: number; reports: boolean; variant: number };
const batchesOf = (run: RunRef) =>
  rows(
    sql<Batch>`select no, size, reports_displays as reports, message_no as variant from run_batches
      where run_id = ${run.runId} and wave_no is null order by no`,
    app.db,
  );

/** Reports for the first `n` recipients of a batch. */
async function report(run: RunRef, { no }: { no: number }, kind: "displayed" | "clicked", n: number): Promise<void> {
  const receipts = createReceiptBuffer(app);
  const tokenOf = createMessageSigner(app.secrets.tokenKey, run.runId, no);
  for (let position = 0; position < n; position++)
    receipts.record(tokenOf(position).token, kind, { siteId: publisher.siteId });
  await receipts.stop();
}

test("a batch has readers whose browsers all report displays, or all do not", async () => {
  await addReaders(3, true);
  await addReaders(2, false);
  const found = await batchesOf(await sendToAll());
  expect(found.map(({ size, reports }) => ({ size, reports })).sort((a, b) => a.size - b.size)).toEqual([
    { size: 2, reports: false },
    { size: 3, reports: true },
  ]);
});

test("a run says how many of its accepted messages can be reported, while it runs and after", async () => {
  await addReaders(3, true);
  await addReaders(2, false, "fcm");
  const run = await sendToAll();
  expect(await view(app, publisher, run)).toMatchObject({ status: "sending", accepted: 5, reporting: 3 });
  await closeRun(app.db, run);
  expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 5, reporting: 3 });
});

test("the share of clicks in displays counts clicks of those who report both", async () => {
  await addReaders(4, true);
  await addReaders(4, false);
  const run = await sendToAll();
  for (const batch of await batchesOf(run)) {
    if (batch.reports) await report(run, batch, "displayed", 4);
    await report(run, batch, "clicked", batch.reports ? 1 : 3);
  }
  await closeRun(app.db, run);
  expect(await reputationOfSite(app.db, publisher.siteId, "UTC")).toMatchObject({
    displayed: 4,
    clicked: 4,
    clickedReporting: 1,
  });
});

test("a headline test finds its winner among readers whose browsers report no displays", async () => {
  await addReaders(600, false);
  const messages = [message, { ...message, title: "Ferry is back" }];
  const run = await sendToAll({ test: { messages, share: 100, minutes: 30 } });
  const [own, other] = [0, 1].map((variant) => async (clicks: number) => {
    const batch = (await batchesOf(run)).find((one) => one.variant === variant)!;
    await report(run, batch, "clicked", clicks);
  });
  await own!(10);
  await other!(60);
  const { ended, errors } = await endHeadlineTests(app.db);
  expect(errors).toEqual([]);
  expect(ended).toMatchObject([{ runId: run.runId, outcome: "winner" }]);
  const { variants } = (await view(app, publisher, run)).headlineTest!;
  const accepted = await row(
    sql<{ n: number }>`select sum(accepted)::int as n from run_batches where run_id = ${run.runId}`,
    app.db,
  );
  expect(variants.map(({ shown, clicked }) => ({ shown, clicked }))).toEqual([
    { shown: 10, clicked: 10 },
    { shown: 60, clicked: 60 },
  ]);
  expect(variants[0]!.measured + variants[1]!.measured).toBe(accepted!.n);
});
