import { startProviderSessionPoller } from "../access/provider/check-sessions.ts";
import { createProvider } from "../access/provider/provider.ts";
import type { App } from "../app.ts";
import { startDigestPoller } from "../automations/digests/send-due-digests.ts";
import { startDrillPoller } from "../automations/drill/run-drills.ts";
import { startWelcomePoller } from "../automations/welcome/send-due-welcomes.ts";
import { startWinBackPoller } from "../automations/win-back/send-due-win-backs.ts";
import { hostHere, listensEverywhere } from "../config.ts";
import { offerSetUp } from "../dashboard-api/set-up-link.ts";
import { listen } from "../db/notices.ts";
import { joinDelivery } from "../delivery/agreement.ts";
import { type Counters, createCounters } from "../delivery/counters.ts";
import {
  chooseEncryption,
  describeEncryption,
  type Encryption,
  encryptionWarning,
} from "../delivery/crypto/encryption.ts";
import { startEditorNudgePoller } from "../delivery/editor-nudges/editor-nudge-poller.ts";
import { shareOut } from "../delivery/pace/in-flight-budget.ts";
import { startThreads } from "../delivery/worker/thread-pool.ts";
import { startClockWatch } from "../doctor/clock-watch.ts";
import { openTraceExport, traceTarget } from "../egress/trace-export.ts";
import { startFeedPoller } from "../feeds/poll/feed-poller.ts";
import type { Delivering } from "../http/monitoring-routes.ts";
import { endBuilder } from "../http/sdk-scripts.ts";
import { createMonitoringServer, createServer } from "../http/server.ts";
import { startEmailPoller } from "../mail/email-poller.ts";
import { startMaintenance } from "../maintenance.ts";
import { startRecurringSendPoller } from "../recurring-sends/recurring-send-poller.ts";
import { startRunPoller } from "../runs/run-poller.ts";
import { startRateLimitPoller } from "../runs/site-rate-limits.ts";
import { startScheduler } from "../sends/scheduler.ts";
import { version } from "../version.ts";
import type { CommandContext } from "./command.ts";
import { maintenanceTasks } from "./maintenance-tasks.ts";

/** The parts of the service that a command starts: the HTTP server, the worker, or both. */
export type Roles = { api: boolean; worker: boolean };

/**
 * Runs the roles until the process is asked to stop, and then drains: starts no new work and waits for the work in
 * flight.
 */
export async function serve(app: App, roles: Roles, { secretKey, stopRequested }: CommandContext): Promise<void> {
  const stopped = new AbortController();
  void stopRequested.then(() => stopped.abort());
  const encryption = roles.worker ? chooseEncryption(app.config.ENCRYPTION, { signal: stopped.signal }) : undefined;
  // If the setting names one kind of encryption, it may be impossible. That must be known before a port is taken.
  if (app.config.ENCRYPTION !== "auto") await Promise.race([encryption, stopRequested]);
  const { IN_FLIGHT_MAX, PUSH_SERVICES, WORKERS } = app.config;
  const counters = createCounters(PUSH_SERVICES, roles.worker ? shareOut(IN_FLIGHT_MAX, WORKERS).threads : 0);
  const delivering = roles.worker ? { encryption, counters } : {};
  const target = traceTarget(app.config);
  const traces = target && (await openTraceExport(target, app.log));
  const server = roles.api ? createServer(app, delivering) : undefined;
  if (server !== undefined) {
    const listening = await server.listen({ port: app.config.PORT, host: app.config.HOST });
    await endBuilder();
    await sayWhere(app, listening.split(":").at(-1)!);
  }
  const monitoring = server === undefined ? await openMonitoring(app, delivering) : undefined;
  // This comes after `listen`. If the port is taken, this process must not claim batches of the service that has the
  // port. If the stop comes while the native helper is being built, no work is started and none is drained.
  const chosen = await Promise.race([encryption, stopRequested]);
  const clock = startClockWatch(app);
  // Every process runs drills, because a drill has to fail if no process delivers.
  const drills = startDrillPoller(app);
  const entry = chosen === undefined ? undefined : await joinDelivery(app, stopped.signal);
  const stopWork =
    chosen === undefined || entry === undefined ? async () => {} : startWork(app, secretKey, chosen, counters);
  await stopRequested;
  app.log.info("stopping: no new work, waiting for what is in flight");
  await Promise.all([server?.close(), monitoring?.close(), stopWork(), clock.stop(), drills.stop()]);
  await entry?.stop();
  await traces?.close();
}

/** Logs the address of the service, and while set-up is needed also the set-up link, with an address that answers. */
async function sayWhere(app: App, port: string): Promise<void> {
  const { HOST, PUBLIC_URL, ALLOW_HOSTS_HEADER } = app.config;
  const address = `http://${hostHere(HOST)}:${port}`;
  await offerSetUp(app, address);
  const others = listensEverywhere(HOST) ? " and this machine's other addresses" : "";
  app.log.info(
    { version },
    `Pressbell listens on ${address}${others}${PUBLIC_URL === undefined ? "" : ` for ${PUBLIC_URL}`}`,
  );
  if (!listensEverywhere(HOST) || PUBLIC_URL !== undefined || ALLOW_HOSTS_HEADER.length > 0) return;
  app.log.warn(
    "PUBLIC_URL is not set: calls from other machines get 421. Set it to the address at which they reach this service",
  );
}

/** Serves health and metrics of a process without an API on METRICS_PORT, if that is set. */
async function openMonitoring(app: App, delivering: Delivering) {
  const { METRICS_PORT: port, HOST: host } = app.config;
  if (port === undefined) return undefined;
  const server = createMonitoringServer(app, delivering);
  app.log.info(`health and metrics on ${await server.listen({ port, host })}`);
  return server;
}

function startWork(app: App, secretKey: string, encryption: Encryption, counters: Counters): () => Promise<void> {
  const threads = startThreads(app, secretKey, encryption, "stdout", counters);
  const runPoller = startRunPoller(app.db, app.log);
  const provider = createProvider(app);
  const pollLoops = [
    runPoller,
    listen(app.connection, app.log, (notice) => (notice === "run" ? runPoller : threads).wake()),
    startScheduler(app),
    startFeedPoller(app),
    startEmailPoller(app),
    startEditorNudgePoller(app),
    startRateLimitPoller(app),
    startDigestPoller(app),
    startWelcomePoller(app),
    startWinBackPoller(app),
    ...(provider === undefined ? [] : [startProviderSessionPoller(app, provider)]),
    startRecurringSendPoller(app),
    startMaintenance(app.db, app.log, maintenanceTasks(app.config)),
  ];
  app.log.info(`delivering with ${app.config.WORKERS} threads, encryption by ${describeEncryption(encryption)}`);
  const warning = encryptionWarning(encryption);
  if (warning !== undefined) app.log.warn(warning);
  // All stop at the same time. Otherwise the threads would claim and post while a poll loop finishes its work.
  return async () => {
    await Promise.all([threads.drain(), ...pollLoops.map((loop) => loop.stop())]);
  };
}
