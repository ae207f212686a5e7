import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { openDatabase, row, rows } from "../../src/db/pool.ts";
import { createPoolWatch } from "../../src/db/pool-watch.ts";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { createImportPool } from "../../src/import-pool.ts";
import { createLogger } from "../../src/log.ts";
import { createParser } from "../../src/parser.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { importSubscribers } from "../../src/subscribers/import/import-subscribers.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { closeAfterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher, operatorOf, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { setLeases } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeInTurn } from "../fixtures/rows/subscribers.ts";
import { type Caller, createCaller } from "./caller.ts";
import { checkHistory } from "./check-history.ts";
import type { DatabaseProxy } from "./database-proxy.ts";
import { gatherEvidence } from "./evidence.ts";
import { createHistory, type Evidence, type History, now, type Reader } from "./history.ts";
import type { Postgres } from "./own-postgres.ts";
import { inFlightOf, type ProcessUnderTest, startUnderTest } from "./process-under-test.ts";
import { type PushProcess, startPushProcess } from "./push-process.ts";

const secretKey = "a secret key for fault tests, long enough";

export type FaultFixtureOptions = {
  postgres: Postgres;
  /** The number of readers of the first site. */
  recipients: number;
  /** The delay in ms of each answer of the push service. It determines how long a run lasts. */
  answerDelayMs?: number;
  /** Whether the push service keeps every message (`push.sample`). */
  keepsBodies?: boolean;
  /** The proxy through which all processes connect to the database, unless `start` gets another. */
  proxy?: DatabaseProxy;
  /** The main.ts of another copy of the service. */
  main?: string;
};

type StartOptions = { proxy?: DatabaseProxy; settings?: Record<string, string> };

/** A database, a push service, a publisher with readers, and the processes that a test starts. */
export type FaultFixture = {
  history: History;
  /** The app of the test. It works directly on the database, as the command line of an operator does. */
  app: App;
  publisher: Publisher;
  push: PushProcess;
  readers: Reader[];
  processes: ProcessUnderTest[];
  start(role: "start" | "api" | "worker", options?: StartOptions): Promise<ProcessUnderTest>;
  /** Adds another publisher with readers at the same push service. */
  addPublisher(recipients: number): Promise<Publisher>;
  /** Calls the API process that was started last, by default with the key of the first publisher. */
  call: Caller;
  /** Creates a campaign through the API, with `fields` over the usual ones, and returns its id. */
  create(publisher?: Publisher, fields?: Record<string, unknown>): Promise<string>;
  /** Creates a campaign and sends it. */
  send(publisher?: Publisher, fields?: Record<string, unknown>): Promise<{ campaignId: string; runId: string }>;
  pause(paused: boolean): Promise<void>;
  /** Runs `work`, which makes the database unusable, and records the outage. */
  withoutDatabase(work: () => Promise<unknown>): Promise<void>;
  /** Resolves with the final status of the run when it has ended. */
  ended(runId: string, withinMs?: number): Promise<string>;
  evidence(): Promise<Evidence>;
  /** Checks everything that has happened so far. Returns the violations found, one line each. */
  violations(): Promise<string[]>;
  close(): Promise<void>;
};

export async function openFaultFixture(options: FaultFixtureOptions): Promise<FaultFixture> {
  const { postgres, recipients, answerDelayMs = 100, keepsBodies, main } = options;
  const database = await postgres.freshDatabase();
  const push = await startPushProcess(answerDelayMs, keepsBodies);
  const connection = postgres.connectionTo(database);
  const app = openFaultApp(urlOf(connection), push.origin);
  const history = createHistory();
  const readers: Reader[] = [];
  const processes: ProcessUnderTest[] = [];
  const publishers: Publisher[] = [];
  let started = 0;
  const addPublisher = async (count: number): Promise<Publisher> => {
    const publisher = await createPublisher(app);
    readers.push(...(await subscribeReaders(app, push, publisher, count, readers.length)));
    publishers.push(publisher);
    return publisher;
  };
  const publisher = await addPublisher(recipients);
  const call = createCaller(history, () => {
    const url = processes.findLast((one) => one.url !== "" && one.isAlive())?.url;
    // Nothing listens at this URL, so a call while no API runs gets no answer.
    return { url: url ?? "http://127.0.0.1:1", apiKey: publisher.apiKey };
  });
  const readRun = async ({ runId, siteId }: { runId: string; siteId: string }) => {
    const { apiKey } = publishers.find((candidate) => candidate.siteId === siteId)!;
    return (await call("GET", `/v1/runs/${runId}`, { apiKey })).body;
  };
  const fixture: FaultFixture = {
    history,
    app,
    publisher,
    push,
    readers,
    processes,
    addPublisher,
    call,
    async start(role, { proxy = options.proxy, settings = {} } = {}) {
      const name = `${role} ${++started}`;
      const url = proxy === undefined ? urlOf(connection) : proxy.url(database);
      const all = { ...settingsFor(url, push), ...settings };
      const underTest = await startUnderTest(history, app.db, { name, role, settings: all, main });
      processes.push(underTest);
      return underTest;
    },
    create: (of = publisher, fields) => createCampaign(call, of, fields),
    async send(of = publisher, fields) {
      const campaignId = await createCampaign(call, of, fields);
      const { apiKey } = of;
      const sent = await call("POST", `/v1/campaigns/${campaignId}/send`, { apiKey, idempotencyKey: randomUUID() });
      if (sent.outcome !== "ok") throw new Error(`the send was answered ${sent.status}`);
      return { campaignId, runId: sent.body.runId as string };
    },
    pause: (paused) => pauseSite(app, history, publisher, paused),
    withoutDatabase: (work) => recordOutage(history, work),
    ended: (runId, withinMs = 180_000) => whenEnded(app, runId, withinMs),
    evidence: async () => {
      if (!processes.some(({ url, isAlive }) => url !== "" && isAlive())) await fixture.start("api");
      const [receipts, lagMs] = [await push.receipts(), await push.takeLagMs()];
      return gatherEvidence({ db: app.db, history, readers, receipts, lagMs, readRun });
    },
    violations: async () => checkHistory(await fixture.evidence()).map(({ kind, text }) => `${kind}: ${text}`),
    close: closeAfterFile(() => end(processes, push, app)),
  };
  await push.takeLagMs();
  return fixture;
}

async function recordOutage(history: History, work: () => Promise<unknown>): Promise<void> {
  history.record({ kind: "database", event: "away" });
  await work();
  history.record({ kind: "database", event: "back" });
}

async function end(processes: ProcessUnderTest[], push: PushProcess, app: App): Promise<void> {
  for (const { service } of processes) service.process.kill("SIGKILL");
  await Promise.all(processes.map(({ service }) => service.ended));
  await push.close();
  await Promise.all([app.pages.close(), app.parser.close(), app.imports.close(), app.db.destroy()]);
}

function openFaultApp(url: string, pushOrigin: string): App {
  const config = readConfig({
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    LOG_LEVEL: "silent",
    PUSH_SERVICES: pushOrigin,
  });
  const log = createLogger(config.LOG_LEVEL);
  const connection = { url };
  const pools = createPoolWatch();
  const db = openDatabase({ connection, poolMax: 4, applicationName: "test", log, watch: pools });
  const pages = createPageFetcher({ allowHosts: [] });
  const parser = createParser({ log });
  const imports = createImportPool({ connection, log });
  const secrets = createSecretBox(secretKey);
  return { config, db, pools, connection, imports, log, secrets, pages, parser, now: Date.now };
}

function settingsFor(url: string, push: PushProcess): Record<string, string> {
  return {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    PUSH_SERVICES: push.origin,
    NODE_EXTRA_CA_CERTS: push.caFile,
    WORKERS: "1",
    // The limit is low, so that a run of some thousand readers takes a while and the check of repeats is strict.
    IN_FLIGHT_MAX: "500",
    RATE_LIMIT_PER_MINUTE: "1000000",
  };
}

/**
 * Subscribes new browsers of the simulator to the publisher's site. `from` is the number of subscriptions that the
 * simulator already has.
 */
async function subscribeReaders(
  app: App,
  push: PushProcess,
  { siteId, tenantId, vapidPublicKey }: Publisher,
  count: number,
  from: number,
): Promise<Reader[]> {
  if (count === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "pressbell-faults-"));
  const file = join(folder, "subscribers.ndjson");
  await push.writeSubscriptions(count, file, vapidPublicKey);
  const onWrongLine = (line: number, reason: string) => {
    throw new Error(`line ${line} of the test's own subscriptions is refused: ${reason}`);
  };
  await importSubscribers(app, operatorOf(tenantId), {
    siteId,
    file,
    testLabel: undefined,
    onWrongLine,
    onProgress: () => {},
  });
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  await rm(folder, { recursive: true });
  // Readers of every rank, so that each fault also meets the order in which readers are notified.
  await changeInTurn(app, siteId, [{ seenDaysAgo: 0 }, { seenDaysAgo: 9 }, { seenDaysAgo: null }]);
  await changeSites(app, { id: siteId }, { readersSeenDaysAgo: 0 });
  const indexes = new Map(lines.map((line, i) => [(JSON.parse(line) as { endpoint: string }).endpoint, from + i]));
  const found = await rows(
    sql<{ id: number; endpoint: string }>`select id, endpoint from subscribers where site_id = ${siteId} order by id`,
    app.db,
  );
  return found.map(({ id, endpoint }) => ({ subscriberId: id, siteId, index: indexes.get(endpoint)! }));
}

async function createCampaign(
  call: Caller,
  { tenantId, siteId, apiKey }: Publisher,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const text = { mode: "manual", url: "https://news.example/bridge", title: "Bridge opens", body: "On Saturday." };
  const created = await call("POST", `/v1/tenants/${tenantId}/campaigns`, {
    apiKey,
    body: { siteId, ...text, ...fields },
  });
  if (created.outcome !== "ok") throw new Error(`the create was answered ${created.status}`);
  return created.body.campaignId as string;
}

function whenEnded({ db }: App, runId: string, withinMs: number): Promise<string> {
  return eventually(
    async () => {
      const select = sql<{ status: string }>`select status from runs where id = ${runId} and finished_at is not null`;
      // The database may be unusable.
      const found = await row(select, db).catch(() => undefined);
      return found?.status;
    },
    withinMs,
    "the run did not end",
  );
}

/** Pauses or resumes the site. Records when: the time after a pause, the time before the end of a pause. */
async function pauseSite(app: App, history: History, { siteId, tenantId }: Publisher, paused: boolean): Promise<void> {
  const askedAt = now();
  await changeSite(app, operatorOf(tenantId), { siteId, paused });
  history.record({ kind: "pause", siteId, event: paused ? "paused" : "lifted", at: paused ? now() : askedAt });
}

/** Returns the ids of the processes that hold batches of the run. */
export async function holdersOf({ app }: FaultFixture, runId: string): Promise<number[]> {
  const found = await rows(
    sql<{ pid: number }>`select distinct split_part(owner, '.', 1)::int as pid from run_batches
      where run_id = ${runId} and state = 'open'`,
    app.db,
  );
  return found.map(({ pid }) => pid);
}

/** Ends the leases of a process that was killed, so that others claim its batches at once and not after 15 seconds. */
export async function endLeasesOf({ app }: FaultFixture, killed: ProcessUnderTest): Promise<void> {
  await setLeases(app, { ownerPid: killed.pid }, ago("1 second"));
}

/**
 * Resolves when messages of this worker are in flight. The receipts of the push service do not show this, because they
 * may be for messages of another worker.
 */
export async function whenSending({ app }: FaultFixture, { name, pid }: ProcessUnderTest): Promise<void> {
  const isSending = async () => (await inFlightOf(app.db, pid)).length > 0;
  await eventually(isSending, scaleByLoad(20_000), `${name} sent nothing`);
}
