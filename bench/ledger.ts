import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { type Simulator, startSimulator } from "../demo/simulator.ts";
import type { App } from "../src/app.ts";
import { createCounters, openCounters } from "../src/delivery/counters.ts";
import { chooseEncryption, openEncryptor } from "../src/delivery/crypto/encryption.ts";
import { createSignerCache } from "../src/delivery/crypto/signer-cache.ts";
import { createInFlightBudget } from "../src/delivery/pace/in-flight-budget.ts";
import { createSitePushServices } from "../src/delivery/pace/site-push-services.ts";
import { createClaimLoop } from "../src/delivery/worker/claim-loop.ts";
import { createConditionVariable } from "../src/delivery/worker/condition-variable.ts";
import type { DeliveryContext } from "../src/delivery/worker/context.ts";
import { createRunWatch } from "../src/delivery/worker/run-watch.ts";
import { createPushTransport } from "../src/egress/push/transport.ts";
import type { Batch } from "../src/runs/ledger/claim-batch.ts";
import type { RunRef } from "../src/runs/queries.ts";
import type { Subscriber } from "../src/subscribers/queries.ts";
import { createPublisher } from "../test/fixtures/publisher.ts";
import { startPlanned } from "../test/runs/fixture.ts";
import { importAudience, openApp } from "./app.ts";
import { startDatabase } from "./database.ts";
import { createDirectDelivery } from "./direct-delivery.ts";
import { cpuMsOf } from "./processes.ts";

/**
 * Measures the cost of the ledger. Sends the same messages to the same simulator with it (claims, intents, flushes,
 * close) and without it (read, encrypt, post), alternately, in this process. PostgreSQL's CPU time is that of its
 * processes.
 */
const inFlightAtMost = 500;

type Measurement = { wallMs: number; clientMs: number; databaseMs: number };

const { values } = parseArgs({ options: { n: { type: "string" }, rounds: { type: "string" } } });
const recipients = Number(values.n ?? 20_000);
const rounds = Number(values.rounds ?? 5);
const folder = await mkdtemp(join(tmpdir(), "pressbell-bench-"));
const database = await startDatabase(folder, { statements: false });
const simulator = await startSimulator();
try {
  await bench(database.connection, simulator);
} finally {
  await simulator.stop();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

async function bench(connection: App["connection"], simulator: Simulator): Promise<void> {
  const { app, close } = await openApp(connection, [simulator.origin]);
  const publisher = await createPublisher(app);
  const file = join(folder, "subscribers.ndjson");
  await simulator.writeSubscriptions(recipients, file);
  await importAudience(app, publisher, file);
  const context = await createDeliveryContext(app, simulator);
  const results: { with: Measurement; without: Measurement }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const run = await startPlanned(app, publisher);
    const without = await measure(() => postWithoutLedger(app, context, run));
    const withLedger = await measure(() => deliver(app, context, run));
    // The first round is a warm-up.
    if (round > 0) results.push({ with: withLedger, without });
  }
  report(results);
  context.watch.stop();
  await context.transport.close();
  await close();
}

async function createDeliveryContext(
  app: App,
  simulator: Simulator,
): Promise<DeliveryContext & { drain(): void; open(): void }> {
  let isDraining = false;
  return {
    db: app.db,
    log: app.log,
    owner: "bench",
    encryptor: openEncryptor(await chooseEncryption("auto"), app.log),
    transport: createPushTransport({
      leanHttp2: true,
      allowsOrigin: () => true,
      ca: await readFile(simulator.caFile, "utf8"),
    }),
    watch: createRunWatch(app.db, app.log),
    sitePushServices: createSitePushServices(() => performance.now(), Math.random),
    budget: createInFlightBudget(inFlightAtMost),
    progress: createConditionVariable(),
    counters: openCounters(createCounters([simulator.origin], 1).ofThread(0), [simulator.origin]),
    tokenKey: app.secrets.tokenKey,
    signerOf: createSignerCache(app.db, app.secrets, "mailto:bench@example.org"),
    subBatch: inFlightAtMost / 4,
    isDraining: () => isDraining,
    now: Date.now,
    drain: () => {
      isDraining = true;
    },
    open: () => {
      isDraining = false;
    },
  };
}

/** Delivers as a delivery thread does, from the first claim to the close of the run. */
async function deliver(
  app: App,
  context: Awaited<ReturnType<typeof createDeliveryContext>>,
  run: RunRef,
): Promise<void> {
  context.open();
  const claimLoop = createClaimLoop(context);
  const work = claimLoop.run();
  for (;;) {
    const { rows } = await sql<{ status: string }>`select status from runs where id = ${run.runId}`.execute(app.db);
    if (rows[0]!.status === "completed") break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  context.drain();
  claimLoop.wake();
  await work;
}

/** Reads the same subscribers, encrypts and posts, without writing to the database. */
async function postWithoutLedger(app: App, context: DeliveryContext, run: RunRef): Promise<void> {
  const { rows } = await sql<{ ids: number[]; no: number }>`select subscriber_ids as ids, no from run_recipients
    where run_id = ${run.runId} order by no`.execute(app.db);
  const sample = await sql<Batch>`select m.message, jsonb_build_object('threadId', r.id, 'sequence', 0) as thread,
      r.ttl_seconds as "ttlSeconds", r.urgency,
      s.vapid_public_key as "vapidPublicKey" from runs r join sites s on s.id = r.site_id
      join run_messages m on m.site_id = r.site_id and m.run_id = r.id and m.no = 0
    where r.id = ${run.runId}`.execute(app.db);
  const { encryptor, transport, tokenKey } = context;
  const signer = await context.signerOf(run.siteId, sample.rows[0]!.vapidPublicKey);
  const delivery = createDirectDelivery({ encryptor, transport, signer, tokenKey, inFlightAtMost });
  for (const { ids, no } of rows) {
    const batch = { ...sample.rows[0]!, ...run, no } as Batch;
    const found = await sql<Subscriber>`select s.id, s.endpoint, s.p256dh, s.auth, s.refused_runs as "refusedRuns",
        s.registered as "isRegistered", s.accepted as "hasAccepted"
      from subscribers s where s.site_id = ${run.siteId} and s.id = any(${ids}::bigint[])`.execute(app.db);
    await delivery.post(
      batch,
      found.rows.map((subscriber, position) => ({ ...subscriber, position })),
    );
  }
  await delivery.settled();
}

async function measure(work: () => Promise<void>): Promise<Measurement> {
  const databaseBefore = await cpuMsOf(database.pid);
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, clientMs: (user + system) / 1_000, databaseMs: (await cpuMsOf(database.pid)) - databaseBefore };
}

function report(results: { with: Measurement; without: Measurement }[]): void {
  const median = (of: (result: { with: Measurement; without: Measurement }) => number) =>
    results.map(of).sort((a, b) => a - b)[Math.floor(results.length / 2)]!;
  const perThousand = (ms: number) => ((ms / recipients) * 1_000) / 1_000;
  const line = (name: string, value: string) => process.stdout.write(`| ${name} | ${value} |\n`);
  line("messages", `${recipients} × ${results.length} rounds, medians`);
  line("with the ledger, messages/s", (recipients / (median((r) => r.with.wallMs) / 1_000)).toFixed(0));
  line("without, messages/s", (recipients / (median((r) => r.without.wallMs) / 1_000)).toFixed(0));
  line("wall time, with : without", median((r) => r.with.wallMs / r.without.wallMs).toFixed(3));
  line("client CPU, with : without", median((r) => r.with.clientMs / r.without.clientMs).toFixed(3));
  line("client CPU-seconds per 1,000, with", perThousand(median((r) => r.with.clientMs)).toFixed(4));
  line("database CPU-seconds per million, with", ((median((r) => r.with.databaseMs) / recipients) * 1_000).toFixed(1));
  line("  without", ((median((r) => r.without.databaseMs) / recipients) * 1_000).toFixed(1));
}
