import { sql } from "kysely";
import { afterAll } from "vitest";
import type { App } from "../../src/app.ts";
import { createChanges } from "../../src/delivery/changes.ts";
import type { Courier } from "../../src/delivery/courier.ts";
import { deliverBatch } from "../../src/delivery/deliver-batch.ts";
import { createEncryptor } from "../../src/delivery/encrypt.ts";
import { createIntents } from "../../src/delivery/intents.ts";
import { createPacing, type Pacing } from "../../src/delivery/pacing.ts";
import { createRunWatch } from "../../src/delivery/run-watch.ts";
import { createSignerCache } from "../../src/delivery/signer-cache.ts";
import { createPushTransport, type PushTransportOptions } from "../../src/egress/push-transport.ts";
import { claimBatch } from "../../src/runs/batches.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { endRests } from "../runs/world.ts";
import type { Publisher } from "../worlds/publisher.ts";
import { subscribe } from "../worlds/publisher.ts";
import type { PushService } from "../worlds/push-service/push-service.ts";

/** A courier as a delivery thread has it, over real connections to the simulator; closed after the file's last test. */
export function makeCourier(
  app: App,
  pushService: PushService,
  over: Partial<Courier> = {},
  transportOptions: Partial<PushTransportOptions> = {},
): Courier {
  const transport = createPushTransport({
    allowsOrigin: (origin) => origin === pushService.origin,
    ca: pushService.caCertificate,
    deadlineMs: 2_000,
    ...transportOptions,
  });
  const watch = createRunWatch(app.db, app.log);
  afterAll(async () => {
    watch.stop();
    await transport.close();
  });
  return {
    db: app.db,
    log: app.log,
    owner: "courier",
    encryptor: createEncryptor(),
    transport,
    watch,
    pacing: freshPacing(),
    intents: createIntents(500),
    changes: createChanges(),
    tokenKey: app.secrets.tokenKey,
    signerOf: createSignerCache(app.db, app.secrets, undefined),
    subBatch: 10,
    isDraining: () => false,
    now: Date.now,
    ...over,
  };
}

/** Claims one batch and delivers it. False: there was none. */
export async function deliverOne(courier: Courier): Promise<boolean> {
  const claimedMs = performance.now();
  const batch = await claimBatch(courier.db, courier.owner);
  if (batch === undefined) return false;
  await deliverBatch(courier, batch, claimedMs);
  return true;
}

/** A pacing that knows of no rest yet, as a thread has at its start. */
export function freshPacing(): Pacing {
  return createPacing(() => performance.now(), Math.random);
}

/** Delivers all there is, every rest cut short, until the run has ended. */
export async function deliverToEnd(app: App, courier: Courier, run: RunRef): Promise<void> {
  for (let claims = 0; claims < 50; claims++) {
    await endRests(app, run);
    if (await deliverOne({ ...courier, pacing: freshPacing() })) continue;
    await sweepRuns(app.db);
    return;
  }
  throw new Error("the run does not end");
}

/** Subscribes `count` browsers of the simulator to the site; their endpoints. */
export async function subscribeBrowsers(
  app: App,
  publisher: Publisher,
  pushService: PushService,
  count: number,
): Promise<string[]> {
  const made = pushService.createSubscriptions(count, { applicationServerKey: publisher.vapidPublicKey });
  await subscribe(app, publisher.siteId, made);
  return made.map(({ endpoint }) => endpoint);
}

/** What earlier tests of the file left in the ledger is of no interest to the next one. */
export async function clearLedger(app: App): Promise<void> {
  await sql`truncate run_batches, run_recipients, run_totals, runs, lanes cascade`.execute(app.db);
}
