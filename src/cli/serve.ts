import type { App } from "../app.ts";
import { expireAuditEvents } from "../audit/expire-events.ts";
import { startScheduler } from "../campaigns/scheduler.ts";
import { chooseEncryption, describeEncryption, type Encryption } from "../delivery/crypto/encryption.ts";
import { startThreads } from "../delivery/worker/thread-pool.ts";
import { expireItemKeys, expireItems } from "../feeds/items/expire-items.ts";
import { startFeedPoller } from "../feeds/poll/feed-poller.ts";
import { endBuilder } from "../http/sdk-scripts.ts";
import { createServer } from "../http/server.ts";
import { startEmailPoller } from "../mail/email-poller.ts";
import { startMaintenance } from "../maintenance.ts";
import { expireBatches } from "../runs/expire-batches.ts";
import { startRunPoller } from "../runs/run-poller.ts";
import { expireDormant } from "../subscribers/expire-dormant.ts";
import type { Surroundings } from "./command.ts";

/** The parts of the service that a command starts. */
export type Roles = { api: boolean; worker: boolean };

/** An end that takes longer comes by force: the leases of what is still held run out by themselves. */
const endWithinMs = 25_000;

/** Runs the roles until the process is asked to end, then drains: no new work, what is in flight is awaited. */
export async function serve(app: App, roles: Roles, { secretKey, asked }: Surroundings): Promise<void> {
  const ended = new AbortController();
  void asked.then(() => ended.abort());
  const encryption = roles.worker ? chooseEncryption(app.config.ENCRYPTION, { signal: ended.signal }) : undefined;
  const server = roles.api ? createServer(app, { encryption }) : undefined;
  if (server !== undefined) {
    const address = await server.listen({ port: app.config.PORT, host: app.config.HOST });
    await endBuilder();
    app.log.info(`Pressbell listens on ${app.config.PUBLIC_URL ?? address}`);
  }
  // Only now: where the port is taken, nothing must have claimed batches of the service that has it.
  // Asked to end while the helper is still being built: there is no work to begin, and none to drain.
  const chosen = await Promise.race([encryption, asked]);
  const stopWork = chosen === undefined ? async () => {} : startWork(app, secretKey, chosen);
  await asked;
  app.log.info("ending: no new work, waiting for what is in flight");
  const force = () => {
    app.log.error(`not drained within ${endWithinMs / 1_000} s: ending by force`);
    process.exit(1);
  };
  // Never cleared: it stands until the process is gone, also over what follows the drain. It holds up nothing itself.
  setTimeout(force, endWithinMs).unref();
  await Promise.all([server?.close(), stopWork()]);
}

function startWork(app: App, secretKey: string, encryption: Encryption): () => Promise<void> {
  const threads = startThreads(app, secretKey, encryption, "stdout");
  const keeper = startRunPoller(app.db, app.log, () => threads.wake());
  const schedule = startScheduler(app);
  const feeds = startFeedPoller(app);
  const letters = startEmailPoller(app);
  const chores = [expireDormant, expireBatches, expireItems, expireItemKeys, expireAuditEvents(app.config.AUDIT_DAYS)];
  const house = startMaintenance(app.db, app.log, chores);
  app.log.info(`delivering with ${app.config.WORKERS} threads, encryption by ${describeEncryption(encryption)}`);
  // All at once: while a keeper ends what it has begun, the threads would go on to claim and to post.
  return async () => {
    const keepers = [schedule, feeds, keeper, letters, house];
    await Promise.all([threads.drain(), ...keepers.map((each) => each.stop())]);
  };
}
