import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { type Simulator, startSimulator } from "../demo/simulator.ts";
import type { App } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { openDatabase } from "../src/db/database.ts";
import { leaseEmbeddedPostgres } from "../src/db/embedded/lease.ts";
import { migrate } from "../src/db/migrate.ts";
import { createChanges } from "../src/delivery/changes.ts";
import type { Courier } from "../src/delivery/courier.ts";
import { createDesk } from "../src/delivery/desk.ts";
import { createEncryptor } from "../src/delivery/encrypt.ts";
import { createIntents } from "../src/delivery/intents.ts";
import { createMessageWriter } from "../src/delivery/messages.ts";
import { createPacing } from "../src/delivery/pacing.ts";
import { createRunWatch } from "../src/delivery/run-watch.ts";
import { createSignerCache } from "../src/delivery/signer-cache.ts";
import { createPageFetcher } from "../src/egress/fetch-page.ts";
import { createPushTransport } from "../src/egress/push-transport.ts";
import { createLogger } from "../src/log.ts";
import type { Batch } from "../src/runs/batches.ts";
import type { RunRef } from "../src/runs/queries.ts";
import { createSecretBox } from "../src/secret-box.ts";
import { importSubscribers } from "../src/subscribers/import-subscribers.ts";
import { recipientsByIds } from "../src/subscribers/queries.ts";
import { startPlanned } from "../test/runs/world.ts";
import { makePublisher, operatorOf } from "../test/worlds/publisher.ts";

/**
 * What the ledger costs: the same messages to the same simulator with it (claims, intents, flushes, close) and without
 * it (read, encrypt, post), alternately, in this one process. The database's CPU time is that of its own processes.
 */
const inFlightAtMost = 500;

type Round = { wallMs: number; clientMs: number; databaseMs: number };

const { values } = parseArgs({ options: { n: { type: "string" }, rounds: { type: "string" } } });
const recipients = Number(values.n ?? 20_000);
const rounds = Number(values.rounds ?? 5);
const folder = await mkdtemp(join(tmpdir(), "pressbell-bench-"));
const lease = await leaseEmbeddedPostgres(join(folder, "data"));
const simulator = await startSimulator();
try {
  await bench(lease.connection, simulator);
} finally {
  await simulator.stop();
  await lease.release();
  await rm(folder, { recursive: true, force: true });
}

async function bench(connection: App["connection"], simulator: Simulator): Promise<void> {
  const app = await openApp(connection, simulator);
  const publisher = await makePublisher(app);
  const file = join(folder, "subscribers.ndjson");
  await simulator.writeSubscriptions(recipients, file);
  const quiet = { testLabel: undefined, onWrongLine: () => {}, onProgress: () => {} };
  await importSubscribers(app, operatorOf(publisher.tenantId), { siteId: publisher.siteId, file, ...quiet });
  const courier = await openCourier(app, simulator);
  const results: { with: Round; without: Round }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const run = await startPlanned(app, publisher);
    const without = await measured(app, () => postWithoutLedger(app, courier, run));
    const withLedger = await measured(app, () => deliver(app, courier, run));
    // The first warms up.
    if (round > 0) results.push({ with: withLedger, without });
  }
  report(results);
  courier.watch.stop();
  await courier.transport.close();
  await app.pages.close();
  await app.db.destroy();
}

async function openApp(connection: App["connection"], simulator: Simulator): Promise<App> {
  const secretKey = "a key for the benchmark, long enough to be one";
  const config = readConfig({ SECRET_KEY: secretKey, PUSH_SERVICES: simulator.origin, LOG_LEVEL: "warn" });
  const log = createLogger("warn");
  const db = openDatabase({ connection, poolMax: 6, applicationName: "bench", log, prepared: true });
  await migrate(db);
  const pages = createPageFetcher({ allowHosts: [] });
  return { config, db, connection, log, secrets: createSecretBox(secretKey), pages, now: Date.now } as App;
}

async function openCourier(app: App, simulator: Simulator): Promise<Courier & { drain(): void; open(): void }> {
  let isDraining = false;
  return {
    db: app.db,
    log: app.log,
    owner: "bench",
    encryptor: createEncryptor(),
    transport: createPushTransport({
      leanHttp2: true,
      allowsOrigin: () => true,
      ca: await readFile(simulator.caFile, "utf8"),
    }),
    watch: createRunWatch(app.db, app.log),
    pacing: createPacing(() => performance.now(), Math.random),
    intents: createIntents(inFlightAtMost),
    changes: createChanges(),
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

/** As a delivery thread does it, from the first claim to the close of the run. */
async function deliver(app: App, courier: Awaited<ReturnType<typeof openCourier>>, run: RunRef): Promise<void> {
  courier.open();
  const desk = createDesk(courier);
  const work = desk.run();
  for (;;) {
    const { rows } = await sql<{ status: string }>`select status from runs where id = ${run.runId}`.execute(app.db);
    if (rows[0]!.status === "completed") break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  courier.drain();
  desk.wake();
  await work;
}

/** The same subscribers read, encrypted and posted, with nothing written down. */
async function postWithoutLedger(app: App, courier: Courier, run: RunRef): Promise<void> {
  const { rows } = await sql<{ ids: number[]; no: number }>`select subscriber_ids as ids, no from run_recipients
    where run_id = ${run.runId} order by no`.execute(app.db);
  const sample = await sql<Batch>`select message, ttl_seconds as "ttlSeconds", urgency from runs
    where id = ${run.runId}`.execute(app.db);
  const signer = await courier.signerOf(run.siteId);
  const changes = createChanges();
  let inFlight = 0;
  for (const { ids, no } of rows) {
    const batch = { ...sample.rows[0]!, ...run, no } as Batch;
    const write = createMessageWriter(courier.encryptor, courier.tokenKey, batch);
    const found = await recipientsByIds(app.db, run.siteId, ids);
    for (let from = 0; from < found.length; from += 32) {
      await changes.until(() => inFlight <= inFlightAtMost - 32, 10_000);
      for (const { recipient, body } of write(found.slice(from, from + 32))) {
        const { origin, pathname } = new URL(recipient.endpoint);
        const headers = {
          ttl: "3600",
          urgency: "normal",
          topic: run.runId.replaceAll("-", ""),
          authorization: signer.authorization(origin),
          "content-encoding": "aes128gcm",
          "content-type": "application/octet-stream",
        };
        inFlight++;
        void courier.transport.post({ origin, path: pathname, headers, body: body! }).then((answer) => {
          if (answer.kind !== "answered" || answer.status !== 201) throw new Error(`not taken: ${answer.kind}`);
          inFlight--;
          changes.note();
        });
      }
    }
  }
  await changes.until(() => inFlight === 0, 30_000);
}

async function measured(app: App, work: () => Promise<void>): Promise<Round> {
  const databaseBefore = await databaseMs(app);
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs, clientMs: (user + system) / 1_000, databaseMs: (await databaseMs(app)) - databaseBefore };
}

/** CPU time of all of PostgreSQL's processes so far, the ended ones too: its main process has theirs. */
async function databaseMs(app: App): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(app.db);
  const { parentId } = await processTimes(rows[0]!.pid);
  const alive = await Promise.all(rows.map(({ pid }) => processTimes(pid)));
  const { ownMs, endedChildrenMs } = await processTimes(parentId);
  return alive.reduce((sum, child) => sum + child.ownMs, ownMs + endedChildrenMs);
}

/** Of /proc/PID/stat (proc(5)), which counts in hundredths of a second; nothing of a process that has ended. */
async function processTimes(pid: number): Promise<{ parentId: number; ownMs: number; endedChildrenMs: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, parentId = 0, ...rest] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = rest.slice(9);
  return { parentId, ownMs: (user + system) * 10, endedChildrenMs: (childrenUser + childrenSystem) * 10 };
}

function report(results: { with: Round; without: Round }[]): void {
  const median = (of: (result: { with: Round; without: Round }) => number) =>
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
