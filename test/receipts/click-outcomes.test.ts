import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { maxOutcomesOfRun } from "../../src/receipts/click-outcomes.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createSiteCounter, type SiteCounter } from "../../src/receipts/site-counts.ts";
import { createMessageSigner, sharedBatch } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { siteOrigin } from "../fixtures/reader-client.ts";
import { startPlanned, view } from "../runs/fixture.ts";

const readers = 20;
let app: App;
let publisher: Publisher;
let run: RunRef;
let counter: SiteCounter;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(readers));
  run = await startPlanned(app, publisher);
  counter = createSiteCounter(app);
  return () => counter.stop();
});

const tokenOf = (position: number, batch = 1) =>
  createMessageSigner(app.secrets.tokenKey, run.runId, batch)(position).token;

async function click(positions: number[]): Promise<void> {
  const receipts = createReceiptBuffer(app);
  for (const position of positions) receipts.record(tokenOf(position), "clicked", { origin: siteOrigin });
  await receipts.stop();
}

function tell(outcome: unknown, token: unknown, siteId = publisher.siteId): void {
  counter.record(siteId, { count: "outcome", outcome, token });
}

const afterClick = async () => (await view(app, publisher, run)).afterClick;

test("a run tells what followed its clicks, the most frequent first", async () => {
  await click([0, 1, 2, 3]);
  for (const position of [0, 1, 2]) tell("read", tokenOf(position));
  tell("registered", tokenOf(3));
  await counter.write();
  tell("registered", tokenOf(2));
  await counter.write();
  expect(await afterClick()).toEqual([
    { name: "read", count: 3 },
    { name: "registered", count: 2 },
  ]);
});

test("a site that tells no readers apart counts what follows a click too", async () => {
  const receipts = createReceiptBuffer(app);
  for (let i = 0; i < 2; i++) receipts.record(tokenOf(0, sharedBatch), "clicked", { origin: siteOrigin });
  await receipts.stop();
  tell("read", tokenOf(0, sharedBatch));
  await counter.write();
  expect(await afterClick()).toEqual([{ name: "read", count: 1 }]);
});

test("no outcome is counted more often than the notification was clicked", async () => {
  await click([0, 1]);
  for (let i = 0; i < 50; i++) tell("subscribed", tokenOf(0));
  await counter.write();
  expect(await afterClick()).toEqual([{ name: "subscribed", count: 2 }]);
});

test("a forged token, a token of another site and a name that is none count nothing", async () => {
  await click([0]);
  const other = await createPublisher(app);
  tell("read", `${tokenOf(0).slice(0, -4)}AAAA`);
  tell("read", undefined);
  tell("read", tokenOf(0), other.siteId);
  for (const name of ["", "Read", "a b", "x".repeat(31), 7, null, "<b>"]) tell(name, tokenOf(0));
  await counter.write();
  expect(await afterClick()).toEqual([]);
});

test("reports through another site take none away from those of the run's own site", async () => {
  await click([0, 1]);
  const other = await createPublisher(app);
  tell("read", tokenOf(0), other.siteId);
  tell("read", tokenOf(1));
  await counter.write();
  expect(await afterClick()).toEqual([{ name: "read", count: 1 }]);
});

test("what the page script reports by itself counts beside ten names of the site", async () => {
  await click([0]);
  for (let i = 0; i < maxOutcomesOfRun; i++) tell(`a_${i}`, tokenOf(0));
  await counter.write();
  for (const name of ["read", "second_page", "a_more"]) tell(name, tokenOf(0));
  await counter.write();
  const names = (await afterClick()).map(({ name }) => name);
  expect(names).toHaveLength(maxOutcomesOfRun + 2);
  expect(names).toEqual(expect.arrayContaining(["read", "second_page"]));
});

test("of a run ten names are counted, those that came first, and they go on to count", async () => {
  await click([0, 1]);
  for (let i = 0; i < maxOutcomesOfRun - 1; i++) tell(`name_${i}`, tokenOf(0));
  await counter.write();
  for (let i = 0; i < maxOutcomesOfRun - 1; i++) tell(`name_${i}`, tokenOf(1));
  for (const name of ["one_more", "too_many"]) tell(name, tokenOf(0));
  await counter.write();
  const counted = await afterClick();
  expect(counted).toHaveLength(maxOutcomesOfRun);
  expect(counted.filter(({ count }) => count === 2)).toHaveLength(maxOutcomesOfRun - 1);
  expect(counted.at(-1)).toEqual({ name: "one_more", count: 1 });
});

test("a site that counts nothing counts nothing of this either", async () => {
  await click([0]);
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, receipts: "off" });
  tell("read", tokenOf(0));
  await counter.write();
  expect(await afterClick()).toEqual([]);
});
