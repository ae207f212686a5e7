import type { App } from "../../src/app.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { setLeases } from "../fixtures/rows/runs.ts";
import { type ServiceProcess, startProcess } from "../fixtures/service-process.ts";

/** A database and a push service, with a worker that can be killed and started again. */
export type Delivery = {
  app: App;
  pushService: PushService;
  /** Starts the worker. Resolves once it delivers. */
  startWorker(): Promise<void>;
  /** Kills the worker and ends its leases, so that the next one need not wait for them. */
  killWorker(): Promise<void>;
};

/** Opens a database and a push service that keeps all bodies. Starts no worker. Both are closed after the file. */
export async function openDelivery(): Promise<Delivery> {
  const pushService = await startPushService({ keepBodies: "all" });
  const app = await openTestApp({ PUSH_SERVICES: pushService.origin, RATE_LIMIT_PER_MINUTE: "1000000" });
  let worker: ServiceProcess;
  return {
    app,
    pushService,
    async startWorker() {
      const settings = { WORKERS: "1", NODE_EXTRA_CA_CERTS: pushService.caFile, PUSH_SERVICES: pushService.origin };
      worker = startProcess(["worker"], { ...settingsOf(app), ...settings });
      await worker.printed(/delivering with/);
    },
    async killWorker() {
      worker.process.kill("SIGKILL");
      await worker.ended;
      await setLeases(app);
    },
  };
}

/** Subscribes `count` readers of the push service to a publisher's site. Returns their subscriptions. */
export async function addReaders(
  { app, pushService }: Pick<Delivery, "app" | "pushService">,
  { siteId, vapidPublicKey }: Publisher,
  count: number,
  topics: string[] = [],
) {
  const readers = pushService.createSubscriptions(count, { applicationServerKey: vapidPublicKey });
  await subscribe(
    app,
    siteId,
    readers.map((reader) => ({ ...reader, topics })),
  );
  return readers;
}
