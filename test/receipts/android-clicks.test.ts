import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { androidFallsOfSite } from "../../src/receipts/android-clicks.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { start, startPlanned } from "../runs/fixture.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(5));
});

const hoursOf = async (run: RunRef) =>
  (
    await sql`select displayed, clicked, android_displayed as "onAndroid", android_clicked as "androidClicks"
      from receipt_hours where run_id = ${run.runId}`.execute(app.db)
  ).rows;

test("receipts from Android are counted apart, each once, however often and from wherever it is reported", async () => {
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
  expect(await hoursOf(run)).toEqual([{ displayed: 5, clicked: 2, onAndroid: 4, androidClicks: 1 }]);
  await a.stop();
});

/** A run that began so many hours ago, with its receipts of the first hour, and more of a later one that is not judged. */
async function startWith(hoursAgo: number, androidClicks: number, clicks: number): Promise<RunRef> {
  const run = await start(app, publisher);
  await sql`update runs set started_at = date_trunc('hour', now()) - make_interval(hours => ${hoursAgo})
    where id = ${run.runId}`.execute(app.db);
  await sql`insert into receipt_hours (site_id, run_id, hour, displayed, clicked, android_displayed, android_clicked)
    select ${run.siteId}, id, started_at + make_interval(hours => later), 4000, ${androidClicks + clicks}, 2000, case later when 0 then ${androidClicks}::int else 0 end
    from runs cross join unnest(array[0, 3]) as later where id = ${run.runId}`.execute(app.db);
  return run;
}

test("a fall of Android's clicks is told of for a day, once three hours of the run are over", async () => {
  for (let i = 0; i < 12; i++) await startWith(100 - i, 60 + i, 50 + (i % 3));
  const usual = await startWith(5, 62, 50);
  const fallen = await startWith(4, 8, 50);
  const early = await startWith(2, 8, 50);
  expect((await androidFallsOfSite(app.db, publisher.siteId)).map(({ runId }) => runId)).toEqual([fallen.runId]);
  expect([usual.runId, early.runId]).not.toContain(fallen.runId);
  await sql`update runs set started_at = started_at - interval '30 hours' where id = ${fallen.runId}`.execute(app.db);
  await sql`update receipt_hours set hour = hour - interval '30 hours' where run_id = ${fallen.runId}`.execute(app.db);
  expect(await androidFallsOfSite(app.db, publisher.siteId)).toEqual([]);
});
