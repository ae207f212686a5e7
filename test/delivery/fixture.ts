import { sql } from "kysely";
import { afterAll } from "vitest";
import type { App } from "../../src/app.ts";
import { createCounters, openCounters } from "../../src/delivery/counters.ts";
import { createEncryptor } from "../../src/delivery/crypto/encrypt.ts";
import { createSignerCache } from "../../src/delivery/crypto/signer-cache.ts";
import { createInFlightBudget } from "../../src/delivery/pace/in-flight-budget.ts";
import { createSitePushServices, type SitePushServices } from "../../src/delivery/pace/site-push-services.ts";
import { createConditionVariable } from "../../src/delivery/worker/condition-variable.ts";
import type { DeliveryContext } from "../../src/delivery/worker/context.ts";
import { deliverBatch } from "../../src/delivery/worker/deliver-batch.ts";
import { createRunWatch } from "../../src/delivery/worker/run-watch.ts";
import { createPushTransport, type PushTransport, type PushTransportOptions } from "../../src/egress/push/transport.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { claimBatch } from "../../src/runs/ledger/claim-batch.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { subscribe } from "../fixtures/publisher.ts";
import type { PushService } from "../fixtures/push-service/push-service.ts";
import { endRests } from "../runs/fixture.ts";

/**
 * Creates a delivery thread's context, with real connections to the simulator. It is closed after the file's last test.
 */
export function createTestContext(
  app: App,
  pushService: PushService,
  over: Partial<DeliveryContext> = {},
  transportOptions: Partial<PushTransportOptions> = {},
): DeliveryContext {
  const transport = createPushTransport({
    allowsOrigin: (origin) => origin === pushService.origin,
    ca: pushService.caCertificate,
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
    owner: "context",
    encryptor: createEncryptor(),
    transport,
    watch,
    sitePushServices: freshSitePushServices(),
    budget: createInFlightBudget(500),
    progress: createConditionVariable(),
    counters: openCounters(createCounters([pushService.origin], 1).ofThread(0), [pushService.origin]),
    tokenKey: app.secrets.tokenKey,
    signerOf: createSignerCache(app.db, app.secrets, undefined),
    subBatch: 10,
    isDraining: () => false,
    now: Date.now,
    ...over,
  };
}

/** Claims one batch and delivers it. Returns false if there was none. */
export async function deliverOne(context: DeliveryContext): Promise<boolean> {
  const claimedMs = performance.now();
  const batch = await claimBatch(context.db, context.owner);
  if (batch === undefined) return false;
  await deliverBatch(context, batch, claimedMs);
  return true;
}

/**
 * Records when each POST was permitted to start, by `performance.now()`: just before the transport asked `mayStart`. In
 * a stalled process a POST arrives long after it was started.
 */
export function recordStarts(context: DeliveryContext): { context: DeliveryContext; startsMs: number[] } {
  const startsMs: number[] = [];
  const post: PushTransport["post"] = ({ mayStart, ...request }) => {
    const recorded = () => {
      const askedMs = performance.now();
      if (mayStart?.() === false) return false;
      startsMs.push(askedMs);
      return true;
    };
    return context.transport.post({ ...request, mayStart: recorded });
  };
  return { context: { ...context, transport: { ...context.transport, post } }, startsMs };
}

/** Returns a pacing that does not know of any rest yet, like a thread at its start. */
export function freshSitePushServices(): SitePushServices {
  return createSitePushServices(() => performance.now(), Math.random);
}

/** Delivers all batches until the run has ended. It cuts every rest short. */
export async function deliverToEnd(app: App, context: DeliveryContext, run: RunRef): Promise<void> {
  for (let claims = 0; claims < 50; claims++) {
    await endRests(app, run);
    if (await deliverOne({ ...context, sitePushServices: freshSitePushServices() })) continue;
    await sweepRuns(app.db);
    return;
  }
  throw new Error("the run does not end");
}

/** Subscribes `count` browsers of the simulator to the site. Returns their endpoints. */
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

/** Deletes everything that earlier tests of the file have left in the ledger. */
export async function clearLedger(app: App): Promise<void> {
  await sql`truncate run_batches, run_recipients, run_totals, runs, site_push_services cascade`.execute(app.db);
}
