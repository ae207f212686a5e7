import { sql } from "kysely";
import { expect, test } from "vitest";
import { row } from "../../src/db/pool.ts";
import { isUncertain } from "../../src/runs/ledger/codes.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, subscribe } from "../fixtures/publisher.ts";
import { startPushService } from "../fixtures/push-service/push-service.ts";
import { startProcess } from "../fixtures/service-process.ts";
import { startPlanned } from "../runs/fixture.ts";

test("IN_FLIGHT_MAX limits the messages in flight, a quarter left for other push services", async () => {
  const pushService = await startPushService();
  const settings = { PUSH_SERVICES: pushService.origin, WORKERS: "1", IN_FLIGHT_MAX: "16" };
  const app = await openTestApp(settings);
  const publisher = await createPublisher(app);
  const audience = pushService.createSubscriptions(40, { applicationServerKey: publisher.vapidPublicKey });
  await subscribe(app, publisher.siteId, audience);
  pushService.answerWith({ behaviour: "hang" });
  const run = await startPlanned(app, publisher);

  const ca = { NODE_EXTRA_CA_CERTS: pushService.caFile };
  const worker = startProcess(["worker"], { ...settingsOf(app), ...settings, ...ca });
  await pushService.received(12);
  worker.process.kill("SIGKILL");
  await worker.ended;

  const batch = await row(sql<{ codes: Buffer }>`select codes from run_batches where run_id = ${run.runId}`, app.db);
  expect(batch!.codes.filter(isUncertain)).toHaveLength(12);
  expect(pushService.stats().received).toBe(12);
  await pushService.close();
});
