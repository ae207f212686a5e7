import type { App } from "../app.ts";
import { forgetDeeds } from "../audit/forget-deeds.ts";
import { startScheduleKeeper } from "../campaigns/schedule-keeper.ts";
import { chooseEncryption, describeEncryption, type Encryption } from "../delivery/encryption.ts";
import { startThreads } from "../delivery/thread-pool.ts";
import { startFeedKeeper } from "../feeds/feed-keeper.ts";
import { forgetItems, forgetKeys } from "../feeds/forget-items.ts";
import { startHousekeeping } from "../housekeeping.ts";
import { endBuilder } from "../http/sdk-scripts.ts";
import { createServer } from "../http/server.ts";
import { startLetterKeeper } from "../mail/letter-keeper.ts";
import { pruneRuns } from "../runs/prune-runs.ts";
import { startRunKeeper } from "../runs/run-keeper.ts";
import { removeDormant } from "../subscribers/remove-dormant.ts";
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
  const keeper = startRunKeeper(app.db, app.log, () => threads.wake());
  const schedule = startScheduleKeeper(app);
  const feeds = startFeedKeeper(app);
  const letters = startLetterKeeper(app);
  const chores = [removeDormant, pruneRuns, forgetItems, forgetKeys, forgetDeeds(app.config.AUDIT_DAYS)];
  const house = startHousekeeping(app.db, app.log, chores);
  app.log.info(`delivering with ${app.config.WORKERS} threads, encryption by ${describeEncryption(encryption)}`);
  // All at once: while a keeper ends what it has begun, the threads would go on to claim and to post.
  return async () => {
    const keepers = [schedule, feeds, keeper, letters, house];
    await Promise.all([threads.drain(), ...keepers.map((each) => each.stop())]);
  };
}
