import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { createSite } from "../src/tenants/sites/sites.ts";
import { createPublisher, operatorOf, type Publisher } from "../test/fixtures/publisher.ts";
import { importAudience, openApp } from "./app.ts";
import { startDatabase } from "./database.ts";
import type { Flags } from "./flags.ts";
import { type Probe, probe } from "./probe.ts";
import { cpuMsOf } from "./processes.ts";
import type { PushService } from "./push-service.ts";
import { type Service, startService } from "./service.ts";

/** How many runs are sent at once, to how many origins, and by how many threads (undefined: the default). */
type FieldCase = { runs: number; origins: number; rttMs: number; workers: number | undefined };

/** The measurement of one case. CPU in CPU-seconds per 1,000 messages. */
export type FieldMeasurement = FieldCase & {
  perSecond: number;
  serviceCpu: number;
  databaseCpu: number;
  /** Messages that one write of a batch carries on average. */
  perFlush: number;
  /** Connections of the service to the database. */
  connections: number;
};

const manyOrigins = 4;
const nextDoor = { runs: 1, origins: 1, rttMs: 0 };
/** The audience with which the latency and memory for `n` readers are compared. */
const fewReaders = 10_000;
/** The delays of push services next door, in the region, overseas, and on the other side of the world. */
const delaysMs = [0, 20, 100, 200];
/** The sites of one publisher when many runs are measured: 200 runs belong to 50 publishers. */
const sitesEach = 4;
/** The most sends at once. The API answers more of them with 503, and a caller would try again. */
const sendsAtOnce = 8;

/** The cases, in groups that share a service: distance and many runs at once, and then numbers of threads. */
const groups: { workers: number | undefined; cases: Omit<FieldCase, "workers">[] }[] = [
  {
    workers: undefined,
    cases: [
      ...[1, manyOrigins].flatMap((count) => delaysMs.map((rttMs) => ({ runs: 1, origins: count, rttMs }))),
      { runs: 200, origins: 1, rttMs: 0 },
      { runs: 200, origins: manyOrigins, rttMs: 0 },
    ],
  },
  ...[1, 4, 16, 64].map((workers) => ({
    workers,
    cases: [
      { runs: 1, origins: 1, rttMs: 0 },
      { runs: 2, origins: manyOrigins, rttMs: 100 },
    ],
  })),
];

export type FieldOptions = {
  folder: string;
  flags: Flags;
  startPushService: (flags: Flags, folder: string) => Promise<PushService>;
  onMeasured: (measurement: FieldMeasurement) => void;
  /** Gets the latency and memory of a service that has sent only to this many readers. */
  onProbed: (readers: number, probe: Probe) => void;
  /** The list of clean-up functions. A stop function of each started process is added to it. */
  cleanUps: (() => Promise<unknown>)[];
};

/**
 * Measures the service over distances, push services, threads and simultaneous runs. Each case sends to `n` readers
 * once. Then probes latency and memory with few readers and with `n`.
 */
export async function measureField(options: FieldOptions): Promise<void> {
  const { folder, flags, onMeasured, onProbed, cleanUps } = options;
  const pushServices = await startPushServices(options);
  const all = [...pushServices.values()];
  const caFile = join(folder, "field.pem");
  await writeFile(caFile, (await Promise.all(all.map((each) => readFile(each.caFile, "utf8")))).join("\n"));
  const database = await startDatabase(folder, { statements: true });
  cleanUps.push(database.stop);
  const allOrigins = all.flatMap((each) => each.origins);
  const { app, close } = await openApp(database.connection, allOrigins);
  cleanUps.push(close);
  await sql`create extension if not exists pg_stat_statements`.execute(app.db);
  const audienceOf = createAudiences(app, pushServices, folder);
  const withService = async (
    publisher: Publisher,
    workers: number | undefined,
    work: (of: Service) => Promise<void>,
  ) => {
    const { dataDir } = database;
    const service = await startService({ ...flags, app, publisher, dataDir, origins: allOrigins, caFile, workers });
    cleanUps.push(service.stop);
    await work(service);
    cleanUps.pop();
    await service.stop();
  };
  const databasePid = database.pid;
  for (const { workers, cases } of groups) {
    const warmUp = await audienceOf({ ...nextDoor, origins: manyOrigins }, flags.n);
    await withService(warmUp[0]!, workers, async (service) => {
      await sendAll(service, warmUp);
      for (const one of cases) {
        const publishers = await audienceOf(one, flags.n);
        onMeasured(await measureCase({ ...one, workers }, { app, service, publishers, databasePid }));
      }
    });
  }
  const pushService = pushServices.get(nameOf(nextDoor))!;
  for (const n of [fewReaders, flags.n]) {
    const publisher = (await audienceOf(nextDoor, n))[0]!;
    const { rounds } = flags;
    await withService(publisher, flags.workers, async (service) =>
      onProbed(n, await probe({ app, service, publisher, pushService, databasePid, rounds })),
    );
  }
}

/** Starts a push service for each number of origins and delay. */
async function startPushServices({ folder, flags, startPushService, cleanUps }: FieldOptions) {
  const started = new Map<string, PushService>();
  for (const origins of [1, manyOrigins]) {
    for (const rttMs of delaysMs) {
      const home = join(folder, nameOf({ origins, rttMs }));
      await mkdir(home);
      const pushService = await startPushService({ ...flags, rttMs, origins }, home);
      cleanUps.push(pushService.stop);
      started.set(nameOf({ origins, rttMs }), pushService);
    }
  }
  return started;
}

function nameOf({ origins, rttMs }: { origins: number; rttMs: number }): string {
  return `${origins}-after-${rttMs}-ms`;
}

type Audience = Omit<FieldCase, "workers">;

/** Returns a function that returns the sites of a case, which have `n` readers together. Creates each audience once. */
function createAudiences(app: App, pushServices: Map<string, PushService>, folder: string) {
  const made = new Map<string, Promise<Publisher[]>>();
  const create = async (audience: Audience, n: number) => {
    const file = join(folder, "audience.ndjson");
    const publishers: Publisher[] = [];
    await pushServices.get(nameOf(audience))!.writeSubscriptions(n, file);
    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    for (let i = 0; i < audience.runs; i++) {
      const isNew = i % sitesEach === 0;
      const publisher = isNew ? await createPublisher(app) : await withNewSite(app, publishers.at(-1)!);
      await writeFile(file, lines.slice((i * n) / audience.runs, ((i + 1) * n) / audience.runs).join("\n"));
      await importAudience(app, publisher, file);
      publishers.push(publisher);
    }
    await sql`vacuum analyze subscribers`.execute(app.db);
    return publishers;
  };
  return (audience: Audience, n: number): Promise<Publisher[]> => {
    const name = `${audience.runs} ${nameOf(audience)} of ${n}`;
    if (!made.has(name)) made.set(name, create(audience, n));
    return made.get(name)!;
  };
}

async function withNewSite(app: App, publisher: Publisher): Promise<Publisher> {
  const site = { name: "Site", url: "https://news.example" };
  const made = app.db.transaction().execute((tx) => createSite(app, operatorOf(publisher.tenantId), tx, site));
  return { ...publisher, ...(await made) };
}

type Fixture = { app: App; service: Service; publishers: Publisher[]; databasePid: number };

async function measureCase(one: FieldCase, fixture: Fixture): Promise<FieldMeasurement> {
  const { app, service, publishers, databasePid } = fixture;
  await sql`select pg_stat_statements_reset()`.execute(app.db);
  const [serviceBefore, databaseBefore] = [await cpuMsOf(service.pid), await cpuMsOf(databasePid)];
  const { accepted, wallMs } = await sendAll(service, publishers);
  // Milliseconds per message equal seconds per 1,000 messages.
  const serviceCpu = ((await cpuMsOf(service.pid)) - serviceBefore) / accepted;
  const databaseCpu = ((await cpuMsOf(databasePid)) - databaseBefore) / accepted;
  const { rows } = await sql<{ flushes: number | null; connections: number }>`select
      (select sum(calls)::int from pg_stat_statements where query ~ 'update run_batches b set flush_no') as flushes,
      (select count(*)::int from pg_stat_activity
        where application_name in ('pressbell', 'pressbell delivery')) as connections`.execute(app.db);
  const { flushes, connections } = rows[0]!;
  if (flushes === null) throw new Error("no statement is a flush: its text has changed (flush-batch.ts)");
  const perSecond = (accepted / wallMs) * 1_000;
  return { ...one, perSecond, serviceCpu, databaseCpu, perFlush: accepted / flushes, connections };
}

/** Sends a campaign of each site. Resolves when the last run has ended. Returns the time since the first send. */
async function sendAll(service: Service, publishers: Publisher[]): Promise<{ accepted: number; wallMs: number }> {
  const sends = await inGroups(publishers, (publisher) => service.prepare(publisher));
  const sent = await inGroups(sends, (send) => send());
  const ended = await Promise.all(sent.map(({ runId }) => service.ended(runId)));
  const wallMs = Math.max(...ended.map(({ endedMs }) => endedMs)) - Math.min(...sent.map(({ sentMs }) => sentMs));
  return { accepted: ended.reduce((sum, run) => sum + run.accepted, 0), wallMs };
}

/** Calls `ask` for all items, a few at a time. */
async function inGroups<Item, Answer>(items: Item[], ask: (item: Item) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += sendsAtOnce)
    answers.push(...(await Promise.all(items.slice(from, from + sendsAtOnce).map(ask))));
  return answers;
}
