import { sql } from "kysely";
import { expect } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import type { RunView } from "../../src/runs/view-run.ts";
import { subscribeBrowsers } from "../delivery/fixture.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { type ServiceProcess, startProcess } from "../fixtures/service-process.ts";
import { start, view } from "../runs/fixture.ts";

/** Worker processes on one database, with an audience at a push service that answers slowly. */
export type Fleet = { app: App; publisher: Publisher; pushService: PushService; workers: ServiceProcess[] };

/** Starts `count` workers and waits until they deliver. Call it before all tests. */
export async function startFleet(
  count: number,
  audience: number,
  settings: Record<string, string> = {},
): Promise<Fleet> {
  const pushService = await startPushService({ answerDelayMs: 200 });
  const app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  const publisher = await createPublisher(app);
  await subscribeBrowsers(app, publisher, pushService, audience);
  const workers = Array.from({ length: count }, () =>
    startProcess(["worker"], {
      ...settingsOf(app),
      PUSH_SERVICES: pushService.origin,
      NODE_EXTRA_CA_CERTS: pushService.caFile,
      WORKERS: "1",
      // The limit is low, so that a run of some thousand readers takes a while.
      IN_FLIGHT_MAX: "500",
      ...settings,
    }),
  );
  await Promise.all(workers.map((worker) => worker.printed(/delivering with/)));
  return { app, publisher, pushService, workers };
}

/** Starts a run and waits until all workers hold batches of it and the push service has `received` messages. */
export async function startSending({ app, publisher, pushService, workers }: Fleet, received: number): Promise<RunRef> {
  const run = await start(app, publisher);
  await pushService.received(received);
  await eventually(async () => (await ownersOf(app, run)).length === workers.length, 30_000);
  return run;
}

/** Returns the ids of the processes that hold batches of the run. */
export async function ownersOf(app: App, run: RunRef): Promise<string[]> {
  const found = await rows(
    sql<{ pid: string }>`select distinct split_part(owner, '.', 1) as pid from run_batches
      where run_id = ${run.runId} and state = 'open'`,
    app.db,
  );
  return found.map(({ pid }) => pid);
}

/** Resolves with the run when it has ended. */
export function ended({ app, publisher }: Fleet, run: RunRef, withinMs = 90_000): Promise<RunView> {
  return eventually(
    async () => {
      const seen = await view(app, publisher, run);
      return seen.finishedAt !== null && seen;
    },
    withinMs,
    "the run did not end",
  );
}

/** Expects that every reader was reached, and that the run counts all repeats. There may be at most 500. */
export function expectAllReached({ pushService }: Fleet, run: RunView, audience: number): void {
  expect(run).toMatchObject({ status: "completed", audience, accepted: audience, pending: 0, unknown: 0 });
  const stats = pushService.stats();
  expect(stats.distinctSubscriptionsAccepted).toBe(audience);
  expect(run.repeated).toBeGreaterThanOrEqual(stats.repeated);
  expect(run.repeated).toBeLessThanOrEqual(500);
}
