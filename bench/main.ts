import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublisher } from "../test/fixtures/publisher.ts";
import { importAudience, openApp } from "./app.ts";
import { startDatabase } from "./database.ts";
import { type FieldMeasurement, measureField } from "./field.ts";
import { type Flags, maxOtherMessages, readFlags } from "./flags.ts";
import { type GrowthMeasurement, measureGrowth } from "./growth.ts";
import { measureImport } from "./import.ts";
import { type Measurement, measureSenders } from "./measure.ts";
import { hasNginx, startNginx } from "./nginx.ts";
import { type Probe, probe } from "./probe.ts";
import { profileSend } from "./profile.ts";
import type { PushService } from "./push-service.ts";
import {
  compareTable,
  conditions,
  fieldHead,
  fieldLine,
  growthHead,
  growthLine,
  importTable,
  probeTable,
  profileTables,
  storageTable,
  waysTable,
} from "./report.ts";
import { measureScale, type ScaleFixture, scaleEnd, scaleHead, scaleLine } from "./scale.ts";
import { forkSender, type SenderProcess, serviceSender } from "./sender-processes.ts";
import { type Service, startService } from "./service.ts";
import { startSimulators } from "./simulators.ts";
import { measureStorage } from "./storage.ts";
import { measureWays } from "./ways.ts";
import { writeTables } from "./write-tables.ts";
import { measureYear } from "./year.ts";
import { yearTables } from "./year-tables.ts";

/** `npm run bench`. Options: flags.ts. What it measures: docs/performance.md. Linux only, because it reads /proc. */
const say = (text: string) => void process.stdout.write(`${text}\n`);

const flags = read();
const folder = await mkdtemp(join(tmpdir(), "pressbell-bench-"));
// If this user is root, PostgreSQL runs as another user, which has to enter this folder.
await chmod(folder, 0o711);
const cleanUps: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
let cleanedUp: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void cleanUpOnce().then(() => process.exit(1)));
try {
  await bench(flags);
} finally {
  await cleanUpOnce();
}

/** Runs the clean-up once. If a signal comes, both it and the failure that it causes wait for the same clean-up. */
function cleanUpOnce(): Promise<void> {
  cleanedUp ??= cleanUp();
  return cleanedUp;
}

/** Runs all clean-up functions in reverse order, even if one fails. Throws the first failure. */
async function cleanUp(): Promise<void> {
  const failures: unknown[] = [];
  for (const undo of cleanUps.splice(0).toReversed()) await undo().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function read(): Flags {
  try {
    return readFlags(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

async function bench(flags: Flags): Promise<void> {
  if (flags.field) {
    say(fieldHead());
    const onMeasured = (measurement: FieldMeasurement) => say(fieldLine(measurement));
    const onProbed = (readers: number, probed: Probe) => say(`\n${readers} readers:\n\n${probeTable(probed)}`);
    return measureField({ folder, flags, startPushService, onMeasured, onProbed, cleanUps });
  }
  const pushService = await startPushService(flags, folder);
  cleanUps.push(pushService.stop);
  const database = await startDatabase(folder, { statements: flags.profile || flags.year });
  cleanUps.push(database.stop);
  const { app, close } = await openApp(database.connection, pushService.origins);
  cleanUps.push(close);
  const publisher = await createPublisher(app);
  const file = join(folder, "subscribers.ndjson");
  const readers = flags.scale ?? flags.n;
  await pushService.writeSubscriptions(readers, file);
  if (flags.import) {
    say(importTable(await measureImport(app, publisher, file, database.pid), flags.n));
    return;
  }
  const { origins, caFile } = pushService;
  const openService = (profileDir?: string) =>
    startService({ ...flags, app, publisher, dataDir: database.dataDir, origins, caFile, profileDir });
  const importReaders = () => importAudience(app, publisher, file);
  if (flags.storage) {
    say(storageTable(await measureStorage({ flags, app, importReaders, openService })));
    return;
  }
  if (flags.scale !== undefined) {
    const fixture = { app, publisher, readers, folder, databasePid: database.pid, importReaders, openService };
    return printScale(fixture);
  }
  if (flags.year) {
    say(yearTables(await measureYear({ flags, app, importReaders, openService })));
    return;
  }
  await importReaders();
  if (flags.profile) {
    say(profileTables(await profileSend(app, folder, database.pid, openService)));
    return;
  }
  if (flags.growth) {
    say(growthHead());
    const service = { ...flags, app, publisher, dataDir: database.dataDir, origins, caFile };
    const onMeasured = (measurement: GrowthMeasurement) => say(growthLine(measurement));
    return measureGrowth({ flags, app, publisher, databasePid: database.pid, service, onMeasured, cleanUps });
  }
  if (flags.ways) {
    const service = await openService();
    cleanUps.push(service.stop);
    say(waysTable(await measureWays({ flags, app, publisher, service, databasePid: database.pid })));
    return;
  }
  const service = flags.only.includes("service") ? await openService() : undefined;
  if (service !== undefined) cleanUps.push(service.stop);
  const senders = await startSenders(flags, service, { file, caFile });
  const measured = await measureSenders(senders, {
    rounds: flags.rounds,
    pushService,
    databasePid: database.pid,
    onMeasured: printMeasurement,
  });
  const tables = [compareTable(measured)];
  if (service !== undefined)
    tables.push(probeTable(await probe({ ...flags, app, service, publisher, pushService, databasePid: database.pid })));
  const text = [...tables, conditions(flags, pushService.name)].join("\n\n");
  say(`\n${text}`);
  if (flags.write) await writeTables(text);
}

async function printScale(fixture: ScaleFixture): Promise<void> {
  say(scaleHead(fixture.readers));
  say(scaleEnd(await measureScale(fixture, (step) => say(scaleLine(step, fixture.readers)))));
}

/**
 * Starts nginx if it is installed with its echo module, because it uses the least CPU. Otherwise starts the simulator,
 * which checks every message.
 */
function startPushService(flags: Flags, folder: string): Promise<PushService> {
  return !flags.simulator && hasNginx() ? startNginx(flags, folder) : startSimulators(flags, folder);
}

async function startSenders(flags: Flags, service: Service | undefined, fixture: { file: string; caFile: string }) {
  const senders: SenderProcess[] = [];
  for (const name of flags.only) {
    if (name === "service") senders.push(serviceSender(service!, flags.n));
    else {
      const count = Math.min(flags.n, maxOtherMessages);
      // With slow answers, more messages must be in flight.
      const inFlight = flags.inFlight ?? (flags.rttMs > 0 ? 1_000 : 100);
      const sender = await forkSender(name, { ...fixture, count, inFlight, encryption: flags.encryption });
      senders.push(sender);
      cleanUps.push(sender.stop);
    }
  }
  return senders;
}

function printMeasurement(
  sender: SenderProcess,
  { perSecond, clientCpu, databaseCpu, pushServiceCpu }: Measurement,
): void {
  const cpu = [clientCpu, databaseCpu, pushServiceCpu].map((seconds) => seconds.toFixed(3)).join(" + ");
  say(`${sender.name}: ${perSecond.toFixed(0)} messages/s; CPU-s per 1,000: ${cpu} (sender + database + push service)`);
}
