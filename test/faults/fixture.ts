import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { openDatabase, row, rows } from "../../src/db/pool.ts";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { createLogger } from "../../src/log.ts";
import { createParser } from "../../src/parser.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { importSubscribers } from "../../src/subscribers/import/import-subscribers.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { onThisMachine } from "../fixtures/busy-machine.ts";
import { eventually } from "../fixtures/eventually.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher, operatorOf, type Publisher } from "../fixtures/publisher.ts";
import { inFlightOf, type ProcessUnderTest, startUnderTest } from "./actors.ts";
import { type Caller, createCaller } from "./caller.ts";
import { checkHistory } from "./check-history.ts";
import type { DatabaseProxy } from "./database-proxy.ts";
import { gatherEvidence } from "./evidence.ts";
import { createHistory, type Evidence, type History, now, type Reader } from "./history.ts";
import type { OwnPostgres } from "./own-postgres.ts";
import { type PushProcess, startPushProcess } from "./push-process.ts";

const secretKey = "a secret key for trials, long enough to be one";

export type FaultFixtureOptions = {
  postgres: OwnPostgres;
  /** Readers of the first site. */
  recipients: number;
  /** The push service's round trip in ms: it says how long a run lasts. */
  answerDelayMs?: number;
  /** All processes reach the database through this, unless they are told otherwise. */
  proxy?: DatabaseProxy;
  /** The main.ts of another copy of the service. */
  main?: string;
};

export type StartOptions = { proxy?: DatabaseProxy; settings?: Record<string, string> };

/** A house of its own: a database, a push service, a publisher with readers, and the processes that a test starts. */
export type FaultFixture = {
  history: History;
  /** For an operator's hands: straight on the database. */
  app: App;
  publisher: Publisher;
  push: PushProcess;
  readers: Reader[];
  members: ProcessUnderTest[];
  start(role: "start" | "api" | "worker", options?: StartOptions): Promise<ProcessUnderTest>;
  /** Another publisher with readers at the same push service. */
  addPublisher(recipients: number): Promise<Publisher>;
  /** Asks the API process that was started last, for the first publisher unless told otherwise. */
  call: Caller;
  /** Creates a campaign, through the API; returns its id. */
  create(publisher?: Publisher): Promise<string>;
  /** Creates a campaign and sends it. */
  send(publisher?: Publisher): Promise<{ campaignId: string; runId: string }>;
  pause(paused: boolean): Promise<void>;
  /** Notes that nobody can work with the database for as long as `work` takes. */
  withoutDatabase(work: () => Promise<unknown>): Promise<void>;
  /** Resolves with the run's last state when it has ended. */
  ended(runId: string, withinMs?: number): Promise<string>;
  evidence(): Promise<Evidence>;
  /** The faults that are found in all that has happened so far, a line each. */
  faults(): Promise<string[]>;
  close(): Promise<void>;
};

/** Opens a trial for `work` and closes it, however that ends. */
export async function withFixture(
  options: FaultFixtureOptions,
  work: (fixture: FaultFixture) => Promise<void>,
): Promise<void> {
  const fixture = await openFaultFixture(options);
  try {
    await work(fixture);
  } finally {
    await fixture.close();
  }
}

export async function openFaultFixture(options: FaultFixtureOptions): Promise<FaultFixture> {
  const { postgres, recipients, answerDelayMs = 100, main } = options;
  const database = await postgres.freshDatabase();
  const push = await startPushProcess(answerDelayMs);
  const connection = postgres.connectionTo(database);
  const app = openTrialApp(urlOf(connection), push.origin);
  const history = createHistory();
  const readers: Reader[] = [];
  const members: ProcessUnderTest[] = [];
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
    const url = members.findLast((member) => member.url !== "" && member.isAlive())?.url;
    // Nobody listens there: a call while no API is up gets no answer.
    return { url: url ?? "http://127.0.0.1:1", apiKey: publisher.apiKey };
  });
  const fixture: FaultFixture = {
    ...{ history, app, publisher, push, readers, members, addPublisher, call },
    async start(role, { proxy = options.proxy, settings = {} } = {}) {
      const name = `${role} ${++started}`;
      const url = proxy === undefined ? urlOf(connection) : proxy.url(database);
      const all = { ...settingsFor(url, push), ...settings };
      const member = await startUnderTest(history, app.db, { name, role, settings: all, main });
      members.push(member);
      return member;
    },
    create: (of = publisher) => createCampaign(call, of),
    async send(of = publisher) {
      const campaignId = await createCampaign(call, of);
      const { apiKey } = of;
      const sent = await call("POST", `/v1/campaigns/${campaignId}/send`, { apiKey, idempotencyKey: randomUUID() });
      if (sent.outcome !== "ok") throw new Error(`the send was answered ${sent.status}`);
      return { campaignId, runId: sent.body.runId as string };
    },
    pause: (paused) => pauseSite(app, history, publisher, paused),
    async withoutDatabase(work) {
      history.note({ kind: "database", event: "away" });
      await work();
      history.note({ kind: "database", event: "back" });
    },
    ended: (runId, withinMs = 180_000) => endOf(app, runId, withinMs),
    evidence: async () => {
      if (!members.some((member) => member.url !== "" && member.isAlive())) await fixture.start("api");
      return gatherEvidence({
        ...{ db: app.db, history, readers },
        receipts: await push.receipts(),
        lagMs: await push.takeLagMs(),
        async show({ runId, siteId }) {
          const { apiKey } = publishers.find((candidate) => candidate.siteId === siteId)!;
          return (await call("GET", `/v1/runs/${runId}`, { apiKey })).body;
        },
      });
    },
    faults: async () => checkHistory(await fixture.evidence()).map(({ kind, text }) => `${kind}: ${text}`),
    async close() {
      for (const member of members) member.service.process.kill("SIGKILL");
      await Promise.all(members.map((member) => member.service.ended));
      await push.close();
      await app.pages.close();
      await app.db.destroy();
    },
  };
  await push.takeLagMs();
  return fixture;
}

function openTrialApp(url: string, pushOrigin: string): App {
  const config = readConfig({
    ...{ DATABASE_URL: url, SECRET_KEY: secretKey, LOG_LEVEL: "silent", PUSH_SERVICES: pushOrigin },
  });
  const log = createLogger(config.LOG_LEVEL);
  const connection = { url };
  const db = openDatabase({ connection, poolMax: 4, applicationName: "trial", log });
  const pages = createPageFetcher({ allowHosts: [] });
  const parser = createParser({ log });
  return { config, db, connection, log, secrets: createSecretBox(secretKey), pages, parser, now: Date.now };
}

function settingsFor(url: string, push: PushProcess): Record<string, string> {
  return {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    PUSH_SERVICES: push.origin,
    NODE_EXTRA_CA_CERTS: push.caFile,
    WORKERS: "1",
    RATE_LIMIT_PER_MINUTE: "1000000",
  };
}

/** Subscribes new browsers of the simulator to the publisher's site; `from`: how many it had made before. */
async function subscribeReaders(
  app: App,
  push: PushProcess,
  { siteId, tenantId, vapidPublicKey }: Publisher,
  count: number,
  from: number,
): Promise<Reader[]> {
  if (count === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "pressbell-trial-"));
  const file = join(folder, "subscribers.ndjson");
  await push.writeSubscriptions(count, file, vapidPublicKey);
  const onWrongLine = (line: number, reason: string) => {
    throw new Error(`line ${line} of the trial's own subscriptions is refused: ${reason}`);
  };
  await importSubscribers(app, operatorOf(tenantId), {
    ...{ siteId, file, testLabel: undefined, onWrongLine, onProgress: () => {} },
  });
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  await rm(folder, { recursive: true });
  const places = new Map(lines.map((line, i) => [(JSON.parse(line) as { endpoint: string }).endpoint, from + i]));
  const found = await rows(
    sql<{ id: number; endpoint: string }>`select id, endpoint from subscribers where site_id = ${siteId} order by id`,
    app.db,
  );
  return found.map(({ id, endpoint }) => ({ subscriberId: id, siteId, index: places.get(endpoint)! }));
}

async function createCampaign(call: Caller, { tenantId, siteId, apiKey }: Publisher): Promise<string> {
  const text = { mode: "manual", url: "https://news.example/bridge", title: "Bridge opens", body: "On Saturday." };
  const created = await call("POST", `/v1/tenants/${tenantId}/campaigns`, { apiKey, body: { siteId, ...text } });
  if (created.outcome !== "ok") throw new Error(`the create was answered ${created.status}`);
  return created.body.campaignId as string;
}

function endOf({ db }: App, runId: string, withinMs: number): Promise<string> {
  return eventually(
    async () => {
      const select = sql<{ status: string }>`select status from runs where id = ${runId} and finished_at is not null`;
      // The database may be away.
      const found = await row(select, db).catch(() => undefined);
      return found?.status;
    },
    withinMs,
    "the end of the run did not come",
  );
}

/** Pauses or resumes the site as an operator does, and notes it so that nobody is blamed too early. */
async function pauseSite(app: App, history: History, { siteId, tenantId }: Publisher, paused: boolean): Promise<void> {
  const askedAt = now();
  await changeSite(app, operatorOf(tenantId), { siteId, paused });
  history.note({ kind: "pause", siteId, event: paused ? "paused" : "lifted", at: paused ? now() : askedAt });
}

/** The process ids that hold batches of the run. */
export async function holdersOf({ app }: FaultFixture, runId: string): Promise<number[]> {
  const found = await rows(
    sql<{ pid: number }>`select distinct split_part(owner, '.', 1)::int as pid from run_batches
      where run_id = ${runId} and state = 'open'`,
    app.db,
  );
  return found.map(({ pid }) => pid);
}

/** Resolves when messages of the worker are under way: what a push service has received may all be another's. */
export async function underWay({ app }: FaultFixture, { name, pid }: ProcessUnderTest): Promise<void> {
  const isUnderWay = async () => (await inFlightOf(app.db, pid)).length > 0;
  await eventually(isUnderWay, onThisMachine(20_000), `${name} sent nothing`);
}
