import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { startPlanned } from "../runs/fixture.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(5));
});

/** Returns the sums over the run's hours, because a new hour may begin between two receipts. */
const countedOf = async (run: RunRef) =>
  (
    await sql`select sum(displayed)::int as displayed, sum(clicked)::int as clicked,
        sum(android_displayed)::int as "onAndroid", sum(android_clicked)::int as "androidClicks"
      from receipt_hours where run_id = ${run.runId}`.execute(app.db)
  ).rows;

test("receipts from Android count apart, each once, however often they are reported", async () => {
  const run = await startPlanned(app, publisher);
  const [a, b] = [createReceiptBuffer(app), createReceiptBuffer(app)];
  const tokenOf = createMessageSigner(app.secrets.tokenKey, run.runId, 1);
  for (const position of [0, 1, 2])
    a.record(tokenOf(position).token, "displayed", { origin: undefined, isAndroid: true });
  for (const position of [2, 3]) a.record(tokenOf(position).token, "displayed", { origin: undefined });
  a.record(tokenOf(0).token, "clicked", { origin: undefined, isAndroid: true });
  a.record(tokenOf(1).token, "dismissed", { origin: undefined, isAndroid: true });
  await a.write();
  for (const position of [0, 4]) b.record(tokenOf(position).token, "displayed", { origin: undefined, isAndroid: true });
  b.record(tokenOf(3).token, "clicked", { origin: undefined });
  await b.stop();
  expect(await countedOf(run)).toEqual([{ displayed: 5, clicked: 2, onAndroid: 4, androidClicks: 1 }]);
  await a.stop();
});
