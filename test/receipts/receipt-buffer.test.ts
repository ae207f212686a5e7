import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { createReceiptBuffer, type ReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { openTestApp } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { siteOrigin } from "../fixtures/reader-client.ts";
import { writeCodes } from "../fixtures/rows/runs.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { startPlanned, view } from "../runs/fixture.ts";

let app: App;
let publisher: Publisher;
let run: RunRef;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(1_003));
});

beforeEach(async () => {
  // The next run would have separate batches for clickers, so all readers are made alike.
  await changeSubscribers(app, {}, { seenDaysAgo: null });
  run = await startPlanned(app, publisher);
});

const tokenOf = (position: number, no = 1, runId = run.runId) =>
  createMessageSigner(app.secrets.tokenKey, runId, no)(position).token;
const here = { origin: siteOrigin };

function openBuffer(of: Parameters<typeof createReceiptBuffer>[0] = app): ReceiptBuffer {
  const receipts = createReceiptBuffer(of);
  afterFile(() => receipts.stop());
  return receipts;
}

const seen = async (of: RunRef = run) => {
  const { displayed, clicked, dismissed, unsubscribed } = await view(app, publisher, of);
  return { displayed, clicked, dismissed, unsubscribed };
};

test("each message counts once for each kind, over all reports and processes", async () => {
  const [a, b] = [openBuffer(), openBuffer()];
  for (const receipts of [a, b, a]) {
    for (const position of [0, 7, 8, 999]) receipts.record(tokenOf(position), "displayed", here);
    receipts.record(tokenOf(7), "clicked", { origin: undefined });
    receipts.record(tokenOf(2, 2), "clicked", here);
  }
  await Promise.all([a.write(), b.write()]);
  a.record(tokenOf(8), "displayed", here);
  b.record(tokenOf(9), "displayed", here);
  b.record(tokenOf(9), "dismissed", here);
  await Promise.all([a.write(), b.write()]);
  expect(await seen()).toEqual({ displayed: 5, clicked: 2, dismissed: 1, unsubscribed: 0 });
});

test("a whole audience from eight processes at once is counted exactly, without a deadlock", async () => {
  const all = Array.from({ length: 8 }, () => openBuffer());
  for (const [i, receipts] of all.entries()) {
    for (let position = 0; position < 1_000; position++) {
      receipts.record(tokenOf((position * 7 + i) % 1_000), position % 2 ? "displayed" : "clicked", here);
    }
    for (let position = 0; position < 3; position++) receipts.record(tokenOf(position, 2), "displayed", here);
  }
  await Promise.all(all.map((receipts) => receipts.write()));
  expect(await seen()).toEqual({ displayed: 1_003, clicked: 1_000, dismissed: 0, unsubscribed: 0 });
});

test("the hours add up to the total, and the minutes to the displays and clicks", async () => {
  const receipts = openBuffer();
  for (let position = 0; position < 5; position++) receipts.record(tokenOf(position), "displayed", here);
  await receipts.write();
  for (const kind of ["displayed", "clicked", "dismissed"] as const) receipts.record(tokenOf(4), kind, here);
  await receipts.write();
  const minutes = await rows(
    sql<{ displayed: number; clicked: number }>`select sum(displayed)::int as displayed, sum(clicked)::int as clicked
      from receipt_minutes where run_id = ${run.runId}`,
    app.db,
  );
  expect(minutes).toEqual([{ displayed: 5, clicked: 1 }]);
  const { receiptsByHour, displayed } = await view(app, publisher, run);
  expect(receiptsByHour.reduce((total, hour) => total + hour.displayed, 0)).toBe(displayed);
  expect(receiptsByHour[0]!.hour).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  expect(Math.abs(new Date(receiptsByHour[0]!.hour).getTime() - Date.now())).toBeLessThan(2 * 3_600_000);
});

describe("a token does not count", () => {
  test.each<[string, () => string]>([
    ["that is not a token", () => "hello"],
    ["that is empty", () => ""],
    [
      "of another secret key",
      () => createMessageSigner(createSecretBox("y".repeat(40)).tokenKey, run.runId, 1)(0).token,
    ],
    ["whose run was changed", () => tokenOf(1).replace(/^./, (c) => (c === "A" ? "B" : "A"))],
    ["whose signature was changed", () => tokenOf(1).replace(/.(?=..$)/, (c) => (c === "A" ? "B" : "A"))],
    ["of an unknown run", () => tokenOf(0, 1, newId())],
    ["of an unknown batch", () => tokenOf(0, 99)],
  ])("%s", async (_, token) => {
    const receipts = openBuffer();
    receipts.record(token(), "clicked", here);
    await receipts.write();
    expect(await seen()).toMatchObject({ clicked: 0 });
    // Other receipts of the same write still count.
    receipts.record(token(), "clicked", here);
    receipts.record(tokenOf(5), "clicked", here);
    await receipts.write();
    expect(await seen()).toMatchObject({ clicked: 1 });
  });

  test("from a page of another site, or in the name of another site", async () => {
    const other = await createPublisher(app);
    const receipts = openBuffer();
    receipts.record(tokenOf(0), "clicked", { origin: "https://other.example" });
    receipts.record(tokenOf(0), "unsubscribed", { siteId: other.siteId });
    await receipts.write();
    expect(await seen()).toEqual({ displayed: 0, clicked: 0, dismissed: 0, unsubscribed: 0 });
    receipts.record(tokenOf(0), "unsubscribed", { siteId: run.siteId });
    await receipts.write();
    expect(await seen()).toMatchObject({ unsubscribed: 1 });
  });
});

test("receipts that cannot be written stay buffered and are written later, once", async () => {
  const receipts = openBuffer();
  await sql`alter table receipt_bits rename to receipt_bits_away`.execute(app.db);
  receipts.record(tokenOf(0), "clicked", here);
  await receipts.write();
  receipts.record(tokenOf(1), "clicked", here);
  receipts.record(tokenOf(0), "clicked", here);
  await receipts.write();
  expect(await seen()).toMatchObject({ clicked: 0 });
  await sql`alter table receipt_bits_away rename to receipt_bits`.execute(app.db);
  await receipts.write();
  await receipts.write();
  expect(await seen()).toMatchObject({ clicked: 2 });
  expect(receipts.dropped()).toBe(0);
});

test("a full buffer drops further receipts, and counts them as dropped", async () => {
  const receipts = openBuffer();
  const over = 7;
  for (let no = 1; no <= 50_000 + over; no++) receipts.record(tokenOf(0, no), "displayed", here);
  expect(receipts.dropped()).toBe(over);
  await receipts.write();
  expect(await seen()).toMatchObject({ displayed: 2 });
  receipts.record(tokenOf(1), "displayed", here);
  await receipts.write();
  expect(await seen()).toMatchObject({ displayed: 3 });
});

test("stop writes the rest", async () => {
  const receipts = createReceiptBuffer(app);
  receipts.record(tokenOf(0), "dismissed", here);
  await receipts.stop();
  expect(await seen()).toMatchObject({ dismissed: 1 });
});

/** Returns the token of all messages of a run whose site counts only sums. */
const shared = () => tokenOf(0, 0);

test("where only sums are counted, a report counts before its message's outcome is written", async () => {
  const receipts = openBuffer();
  receipts.record(shared(), "displayed", here);
  await receipts.write();
  expect(await seen()).toMatchObject({ displayed: 1 });
});

describe("a run whose site counts only sums", () => {
  const { accepted, uncertain, gone } = finalCode;

  /** Gives two messages of the run the outcome accepted, one the outcome uncertain, and all others the outcome gone. */
  beforeEach(async () => {
    await writeCodes(app, run.runId, Array(1_000).fill(gone), 1);
    await writeCodes(app, run.runId, [accepted, accepted, uncertain], 2);
  });

  test("counts of each kind no more than was accepted, over all reports, processes and hours", async () => {
    const all = [openBuffer(), openBuffer(), openBuffer()];
    for (let round = 0; round < 2; round++) {
      for (const receipts of all) {
        for (let i = 0; i < 500; i++)
          for (const kind of ["clicked", "dismissed"] as const) receipts.record(shared(), kind, here);
        receipts.record(shared(), "displayed", here);
      }
      await Promise.all(all.map((receipts) => receipts.write()));
      await sql`update receipt_hours set hour = hour - interval '1 hour' where run_id = ${run.runId}`.execute(app.db);
    }
    expect(await seen()).toEqual({ displayed: 3, clicked: 3, dismissed: 3, unsubscribed: 0 });
    const minutes = await rows(
      sql`select sum(displayed)::int as displayed, sum(clicked)::int as clicked from receipt_minutes
        where run_id = ${run.runId}`,
      app.db,
    );
    expect(minutes).toEqual([{ displayed: 3, clicked: 3 }]);
  });

  test("counts nothing where no message was accepted", async () => {
    await writeCodes(app, run.runId, [gone, gone, gone], 2);
    const receipts = openBuffer();
    receipts.record(shared(), "clicked", here);
    await receipts.write();
    expect(await rows(sql`select from receipt_hours where run_id = ${run.runId}`, app.db)).toEqual([]);
  });

  test("adds up what is reported, stores no bit, and sees no reader", async () => {
    const receipts = openBuffer();
    for (const kind of ["displayed", "displayed", "clicked", "action1"] as const)
      receipts.record(shared(), kind, { ...here, isAndroid: true });
    await receipts.write();
    expect(await seen()).toEqual({ displayed: 2, clicked: 1, dismissed: 0, unsubscribed: 0 });
    const stored = await rows(
      sql`select from receipt_bits where run_id = ${run.runId}
        union all select from receipt_hours where run_id = ${run.runId} and android_displayed > 0
        union all select from subscribers where site_id = ${publisher.siteId} and seen_on is not null`,
      app.db,
    );
    expect(stored).toEqual([]);
  });

  test("does not count what another site reports, and counts once what a failed write has kept", async () => {
    const other = createReceiptBuffer(app);
    other.record(shared(), "displayed", { origin: "https://elsewhere.example" });
    await other.stop();
    const receipts = openBuffer();
    await sql`alter table receipt_bits rename to receipt_bits_away`.execute(app.db);
    receipts.record(shared(), "displayed", here);
    receipts.record(tokenOf(0), "clicked", here);
    await receipts.write();
    await sql`alter table receipt_bits_away rename to receipt_bits`.execute(app.db);
    await receipts.write();
    await receipts.write();
    expect((await seen()).displayed).toBe(1);
  });
});
