import { open } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { writeBackup } from "../src/backup/write-backup.ts";
import { row } from "../src/db/pool.ts";
import { eraseSites } from "../src/erasure/erase-sites.ts";
import { requestSiteErasure } from "../src/erasure/request-erasure.ts";
import { runMaintenance } from "../src/maintenance.ts";
import { everybody } from "../src/subscribers/audience.ts";
import { countSubscribers } from "../src/subscribers/queries.ts";
import type { Publisher } from "../test/fixtures/publisher.ts";
import { secretKey } from "./app.ts";
import { giveTopicToAll, type Site } from "./planning/audience.ts";
import { endRuns, planAndOpen } from "./planning/plan-and-open.ts";
import { sends } from "./planning/sends.ts";
import { every, watchMemory } from "./probe.ts";
import { cpuMsOf } from "./processes.ts";
import type { Service } from "./service.ts";

/** The cost of one step in ms: the whole time, the CPU time of this process or the service, and that of PostgreSQL. */
export type ScaleStep = { name: string; wallMs: number; ownMs: number; databaseMs: number };

/** The most memory during a send, in MB, and the size of the database and of a backup, in bytes. */
export type ScaleEnd = { serviceMb: number; databaseMb: number; databaseBytes: number; backupBytes: number };

export type ScaleFixture = {
  app: App;
  publisher: Publisher;
  readers: number;
  folder: string;
  databasePid: number;
  importReaders: () => Promise<unknown>;
  openService: () => Promise<Service>;
};

type Step = (name: string, work: () => Promise<unknown>, pid?: number) => Promise<void>;

/** The names of the ways to send whose planning is measured (planning/sends.ts). */
const planned = [
  "to all",
  "to a segment",
  "digests",
  "update that half of the readers have closed",
  "correction after a stop, preferences: nobody",
];

const memoryEveryMs = 500;
const passphrase = "a passphrase of the benchmark";

/**
 * Measures each step for `readers` readers of one site, from the import to the erasure. Calls `onStep` after each
 * step.
 */
export async function measureScale(fixture: ScaleFixture, onStep: (step: ScaleStep) => void): Promise<ScaleEnd> {
  const { app, publisher, databasePid } = fixture;
  const step: Step = async (name, work, pid = process.pid) => {
    const [ownBefore, databaseBefore, startedMs] = [await ownMs(pid), await cpuMsOf(databasePid), performance.now()];
    await work();
    const wallMs = performance.now() - startedMs;
    const [own, databaseMs] = [(await ownMs(pid)) - ownBefore, (await cpuMsOf(databasePid)) - databaseBefore];
    onStep({ name, wallMs, ownMs: own, databaseMs });
  };
  const { siteId, tenantId } = publisher;
  const count = (audience: typeof everybody) => () => countSubscribers(app.db, siteId, audience, 2_147_483_647);
  await step("import", fixture.importReaders);
  await step("count all", count(everybody));
  const topicId = await giveTopicToAll(app, siteId);
  const segment = { subscribedAfter: "2001-01-01", topics: { any: [topicId] } };
  await step("count a segment", count({ topicIds: [], segment, followersOf: null }));
  await measurePlans(app, { siteId, tenantId, topicId }, step);
  const memory = await measureSend(fixture, step);
  const { bytes } = (await row(sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`, app.db))!;
  let backupBytes = 0;
  await step("backup", async () => {
    backupBytes = await backUp(fixture);
  });
  await step("erasure of the site", async () => {
    await requestSiteErasure(app, siteId);
    await runMaintenance(app.db, [eraseSites]);
  });
  return { ...memory, databaseBytes: bytes, backupBytes };
}

async function ownMs(pid: number): Promise<number> {
  if (pid !== process.pid) return cpuMsOf(pid);
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Measures the planning of several ways to send. Runs that a follow-up needs first are not part of its step. */
async function measurePlans(app: App, site: Site, step: Step): Promise<void> {
  for (const name of planned) {
    await sends.find((send) => send.name === name)!.start(app, site);
    await step(`plan: ${name.split(",")[0]}`, () => planAndOpen(app));
    await endRuns(app);
  }
}

async function measureSend({ openService, databasePid }: ScaleFixture, step: Step) {
  const service = await openService();
  try {
    const memory = await watchMemory({ service: service.pid, database: databasePid });
    const run = { isOpen: true };
    const watching = every(memoryEveryMs, run, memory.measure);
    const send = async () => service.ended((await service.send()).runId);
    await step("send to all", send, service.pid).finally(() => {
      run.isOpen = false;
    });
    await watching;
    return { serviceMb: memory.sizes.service.peakMb, databaseMb: memory.sizes.database.peakMb };
  } finally {
    await service.stop();
  }
}

async function backUp({ app, folder }: ScaleFixture): Promise<number> {
  const path = join(folder, "backup.pressbell");
  const output = await open(path, "wx", 0o600);
  const { signal } = new AbortController();
  return (await writeBackup({ connection: app.connection, secretKey, passphrase, output, path, signal })).bytes;
}

/** Returns the first lines of the table. */
export function scaleHead(readers: number): string {
  const head = [`${readers.toLocaleString("en")} readers`, "wall", "µs a reader", "CPU, µs a reader", "PostgreSQL's"];
  return [line(head), line(["---", "---:", "---:", "---:", "---:"])].join("\n");
}

/** Returns the line of a step. */
export function scaleLine({ name, wallMs, ownMs, databaseMs }: ScaleStep, readers: number): string {
  const each = (ms: number) => ((ms * 1_000) / readers).toFixed(2);
  return line([name, `${(wallMs / 1_000).toFixed(2)} s`, each(wallMs), each(ownMs), each(databaseMs)]);
}

/** Returns the text that follows the table. */
export function scaleEnd({ serviceMb, databaseMb, databaseBytes, backupBytes }: ScaleEnd): string {
  const [disk, backup] = [databaseBytes, backupBytes].map((bytes) => (bytes / 1e6).toFixed(0));
  return (
    `\nWhile it sends, the service at most ${serviceMb.toFixed(0)} MB, PostgreSQL ${databaseMb.toFixed(0)} MB. ` +
    `The database takes ${disk} MB, the backup ${backup} MB.`
  );
}

function line(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}
