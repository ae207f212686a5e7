import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { collectReceipts, type Receipts } from "../../src/receipts/collect-receipts.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { openTestApp } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { siteOrigin } from "../fixtures/reader.ts";
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
  run = await startPlanned(app, publisher);
});

const tokenOf = (position: number, no = 1, runId = run.runId) =>
  createMessageSigner(app.secrets.tokenKey, runId, no)(position).token;
const here = { origin: siteOrigin };

function collect(of: Parameters<typeof collectReceipts>[0] = app): Receipts {
  const receipts = collectReceipts(of);
  afterFile(() => receipts.stop());
  return receipts;
}

const seen = async (of: RunRef = run) => {
  const { displayed, clicked, dismissed, unsubscribed } = await view(app, publisher, of);
  return { displayed, clicked, dismissed, unsubscribed };
};

test("each message counts once for each kind, however often it is told and on however many processes", async () => {
  const [a, b] = [collect(), collect()];
  for (const receipts of [a, b, a]) {
    for (const position of [0, 7, 8, 999]) receipts.note(tokenOf(position), "displayed", here);
    receipts.note(tokenOf(7), "clicked", { origin: undefined });
    receipts.note(tokenOf(2, 2), "clicked", here);
  }
  await Promise.all([a.write(), b.write()]);
  a.note(tokenOf(8), "displayed", here);
  b.note(tokenOf(9), "displayed", here);
  b.note(tokenOf(9), "dismissed", here);
  await Promise.all([a.write(), b.write()]);
  expect(await seen()).toEqual({ displayed: 5, clicked: 2, dismissed: 1, unsubscribed: 0 });
});

test("a whole audience from eight processes at once is counted exactly, without a deadlock", async () => {
  const all = Array.from({ length: 8 }, () => collect());
  for (const [i, receipts] of all.entries()) {
    for (let position = 0; position < 1_000; position++) {
      receipts.note(tokenOf((position * 7 + i) % 1_000), position % 2 ? "displayed" : "clicked", here);
    }
    for (let position = 0; position < 3; position++) receipts.note(tokenOf(position, 2), "displayed", here);
  }
  await Promise.all(all.map((receipts) => receipts.write()));
  expect(await seen()).toEqual({ displayed: 1_003, clicked: 1_000, dismissed: 0, unsubscribed: 0 });
});

test("the hours add up to the whole", async () => {
  const receipts = collect();
  for (let position = 0; position < 5; position++) receipts.note(tokenOf(position), "displayed", here);
  await receipts.write();
  const { receiptsByHour, displayed } = await view(app, publisher, run);
  expect(receiptsByHour.reduce((total, hour) => total + hour.displayed, 0)).toBe(displayed);
  expect(receiptsByHour[0]!.hour).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  expect(Math.abs(new Date(receiptsByHour[0]!.hour).getTime() - Date.now())).toBeLessThan(2 * 3_600_000);
});

describe("nothing counts", () => {
  test.each<[string, () => string]>([
    ["that is no token", () => "hello"],
    ["that is empty", () => ""],
    [
      "of another secret key",
      () => createMessageSigner(createSecretBox("y".repeat(40)).tokenKey, run.runId, 1)(0).token,
    ],
    ["whose run was changed", () => tokenOf(1).replace(/^./, (c) => (c === "A" ? "B" : "A"))],
    ["whose signature was changed", () => tokenOf(1).replace(/.(?=..$)/, (c) => (c === "A" ? "B" : "A"))],
    ["of a run that is not there", () => tokenOf(0, 1, newId())],
    ["of a batch that is not there", () => tokenOf(0, 99)],
  ])("%s", async (_, token) => {
    const receipts = collect();
    receipts.note(token(), "clicked", here);
    await receipts.write();
    expect(await seen()).toMatchObject({ clicked: 0 });
    // The others of the same write do.
    receipts.note(token(), "clicked", here);
    receipts.note(tokenOf(5), "clicked", here);
    await receipts.write();
    expect(await seen()).toMatchObject({ clicked: 1 });
  });

  test("from a page of another site, or in the name of another site", async () => {
    const other = await createPublisher(app);
    const receipts = collect();
    receipts.note(tokenOf(0), "clicked", { origin: "https://other.example" });
    receipts.note(tokenOf(0), "unsubscribed", { siteId: other.siteId });
    await receipts.write();
    expect(await seen()).toEqual({ displayed: 0, clicked: 0, dismissed: 0, unsubscribed: 0 });
    receipts.note(tokenOf(0), "unsubscribed", { siteId: run.siteId });
    await receipts.write();
    expect(await seen()).toMatchObject({ unsubscribed: 1 });
  });
});

test("what cannot be written is kept and written later, once", async () => {
  const receipts = collect();
  await sql`alter table receipt_bits rename to receipt_bits_away`.execute(app.db);
  receipts.note(tokenOf(0), "clicked", here);
  await receipts.write();
  receipts.note(tokenOf(1), "clicked", here);
  receipts.note(tokenOf(0), "clicked", here);
  await receipts.write();
  expect(await seen()).toMatchObject({ clicked: 0 });
  await sql`alter table receipt_bits_away rename to receipt_bits`.execute(app.db);
  await receipts.write();
  await receipts.write();
  expect(await seen()).toMatchObject({ clicked: 2 });
  expect(receipts.dropped()).toBe(0);
});

test("memory is bounded: what is over it is dropped, and counted as dropped", async () => {
  const receipts = collect();
  const over = 7;
  for (let no = 1; no <= 50_000 + over; no++) receipts.note(tokenOf(0, no), "displayed", here);
  expect(receipts.dropped()).toBe(over);
  await receipts.write();
  expect(await seen()).toMatchObject({ displayed: 2 });
  receipts.note(tokenOf(1), "displayed", here);
  await receipts.write();
  expect(await seen()).toMatchObject({ displayed: 3 });
});

test("the end writes what is left", async () => {
  const receipts = collectReceipts(app);
  receipts.note(tokenOf(0), "dismissed", here);
  await receipts.stop();
  expect(await seen()).toMatchObject({ dismissed: 1 });
});
