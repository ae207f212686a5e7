import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { readUnseen } from "../../src/receipts/unseen.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeRuns, endBatches } from "../fixtures/rows/runs.ts";
import { startPlanned } from "../runs/fixture.ts";

/**
 * Tests readers whose messages are accepted and never shown. All readers of a site use one push service, at positions 0
 * to 3.
 */
let app: App;

beforeAll(async () => {
  app = await openTestApp();
});

async function createSite(pushService?: string): Promise<Publisher> {
  const publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(4, pushService));
  return publisher;
}

/** Sends `runs` messages that all push services accept. The readers at `positions` report each of them. */
async function send(publisher: Publisher, runs: number, positions: number[]): Promise<void> {
  const receipts = createReceiptBuffer(app);
  for (let sent = 0; sent < runs; sent++) {
    const { runId } = await startPlanned(app, publisher);
    await endBatches(app, { run: runId });
    await changeRuns(app, { id: runId }, { status: "completed" });
    const { rows } = await sql<{ no: number }>`select no from run_batches where run_id = ${runId}`.execute(app.db);
    const tokenOf = createMessageSigner(app.secrets.tokenKey, runId, rows[0]!.no);
    for (const position of positions)
      receipts.record(tokenOf(position).token, "displayed", { siteId: publisher.siteId });
  }
  await receipts.stop();
}

const unseen = async ({ actor, siteId }: Publisher) => {
  const [pushService] = (await readUnseen(app, actor, { siteId })).pushServices;
  return pushService && { reached: pushService.reached, unseen: pushService.unseen };
};

test("readers who have reported none of five messages are unseen, while others report theirs", async () => {
  const site = await createSite();
  await send(site, 4, [0, 1]);
  expect(await unseen(site)).toEqual({ reached: 4, unseen: 0 });
  await send(site, 1, [0]);
  expect(await unseen(site)).toEqual({ reached: 4, unseen: 2 });
});

test("one report in the last runs is enough to be seen", async () => {
  const site = await createSite();
  await send(site, 5, [0]);
  await send(site, 1, [0, 1, 2, 3]);
  expect(await unseen(site)).toEqual({ reached: 4, unseen: 0 });
});

test("where no browser reports, none is counted: the reports fail, not the readers", async () => {
  const site = await createSite();
  await send(site, 6, []);
  expect(await unseen(site)).toEqual({ reached: 4, unseen: 0 });
});

test("readers in Safari are not counted: it reports clicks only", async () => {
  const site = await createSite("https://web.push.apple.com");
  await send(site, 5, [0]);
  expect(await unseen(site)).toBeUndefined();
});

test("a site without runs has no push services, and an unknown one is not found", async () => {
  const site = await createSite();
  expect(await unseen(site)).toBeUndefined();
  await expect(readUnseen(app, site.actor, { siteId: newId() })).rejects.toMatchObject({ code: "not_found" });
});
