import { sql } from "kysely";
import { expect, test } from "vitest";
import { row } from "../../src/db/pool.ts";
import { settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { subscribe } from "../fixtures/publisher.ts";
import { splitBatches } from "../fixtures/rows/runs.ts";
import { startProcess } from "../fixtures/service-process.ts";
import { endLeases, recipientsOf, startPlanned, view } from "../runs/fixture.ts";
import { ended, expectAllReached, startFleet, startSending } from "./fleet.ts";

const audience = 3_000;

test("a crashed delivery thread is replaced, and its batches go on when their leases end", async () => {
  const crashes = { NODE_OPTIONS: `--import ${new URL("./crash-thread.ts", import.meta.url).pathname}` };
  const fleet = await startFleet(1, audience, crashes);
  const [worker] = fleet.workers;
  const run = await startSending(fleet, 500);
  worker!.process.kill("SIGUSR2");
  await worker!.printed(/a delivery thread died/);
  expectAllReached(fleet, await ended(fleet, run), audience);
  worker!.process.kill("SIGTERM");
  expect(await worker!.ended).toBe(0);
  await fleet.pushService.close();
});

test("a batch that kills its thread each time is given up after at most 20 deaths", async () => {
  const { app, publisher, pushService } = await startFleet(0, 0);
  const made = pushService.createSubscriptions(40, { applicationServerKey: publisher.vapidPublicKey });
  await subscribe(app, publisher.siteId, made);
  const run = await startPlanned(app, publisher);
  await splitBatches(app, run, 10);
  // A reader of the batch that is claimed first, before the thread claims another one.
  const [[poison]] = (await recipientsOf(app, run)) as [[number]];
  const read = sql<{ key: Buffer }>`select p256dh as key from subscribers where id = ${poison}`;
  const worker = startProcess(["worker"], {
    ...settingsOf(app),
    PUSH_SERVICES: pushService.origin,
    NODE_EXTRA_CA_CERTS: pushService.caFile,
    WORKERS: "1",
    ENCRYPTION: "node",
    NODE_OPTIONS: `--import ${new URL("./poison-thread.ts", import.meta.url).pathname}`,
    POISON: (await row(read, app.db))!.key.toString("base64url"),
  });
  const deaths = () => worker.output().split("a delivery thread died").length - 1;
  const isOver = async () => (await view(app, publisher, run)).finishedAt !== null;
  for (let known = 0; !(await isOver()); known++) {
    await eventually(async () => deaths() > known || (await isOver()), 60_000);
    // The batches of the dead thread are claimed again at once, and not after 15 s.
    await endLeases(app, run);
  }
  // A claim also counts if it was on its way when its thread died.
  expect(deaths()).toBeLessThanOrEqual(20);
  expect(deaths()).toBeGreaterThan(10);
  expect(worker.output()).toMatch(/"level":50.*a batch lost its owner 20 times/);
  const seen = await view(app, publisher, run);
  expect(seen).toMatchObject({ status: "completed", audience: 40, accepted: 30, unknown: 10, pending: 0 });
  worker.process.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
  await pushService.close();
});
