import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublisher } from "../test/fixtures/publisher.ts";
import { importAudience, openApp } from "./app.ts";
import { startDatabase } from "./database.ts";
import { type Flags, peerMessages, readFlags } from "./flags.ts";
import { measureImport } from "./import.ts";
import { probe } from "./probe.ts";
import { profileSend } from "./profile.ts";
import { compareTable, conditions, importTable, probeTable, profileTables } from "./report.ts";
import { playRounds, type Round } from "./rounds.ts";
import { type Service, startService } from "./service.ts";
import { type Side, senderSide, serviceSide } from "./sides.ts";
import { startSink } from "./sink.ts";
import { writeTables } from "./write-tables.ts";

/** `npm run bench`: see flags.ts for what it takes, docs/performance.md for what it measures. Linux only: it reads /proc. */
const say = (text: string) => void process.stdout.write(`${text}\n`);

const flags = read();
const folder = await mkdtemp(join(tmpdir(), "pressbell-bench-"));
// PostgreSQL, which root runs as another user, passes through it.
await chmod(folder, 0o711);
const endings: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
let ending: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void endAll().then(() => process.exit(1)));
try {
  await bench(flags);
} finally {
  await endAll();
}

/** Once, however often it is asked: a signal and the failure that it causes both wait for the same end. */
function endAll(): Promise<void> {
  ending ??= endEach();
  return ending;
}

/** Whatever fails to end, the rest does. */
async function endEach(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of endings.splice(0).toReversed()) await end().catch((error: unknown) => failures.push(error));
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
  const sink = await startSink(flags, folder);
  endings.push(sink.stop);
  const database = await startDatabase(folder, { statements: flags.profile });
  endings.push(database.stop);
  const { app, close } = await openApp(database.connection, sink.origins);
  endings.push(close);
  const publisher = await createPublisher(app);
  const file = join(folder, "subscribers.ndjson");
  await sink.writeSubscriptions(flags.n, file);
  if (flags.import) {
    say(importTable(await measureImport(app, publisher, file, database.pid), flags.n));
    return;
  }
  await importAudience(app, publisher, file);
  const { origins, caFile } = sink;
  const openService = (profileDir?: string) =>
    startService({ ...flags, app, publisher, dataDir: database.dataDir, origins, caFile, profileDir });
  if (flags.profile) {
    say(profileTables(await profileSend(app, folder, database.pid, openService)));
    return;
  }
  const service = flags.only.includes("service") ? await openService() : undefined;
  if (service !== undefined) endings.push(service.stop);
  const sides = await startSides(flags, service, { file, caFile });
  const played = await playRounds(sides, { rounds: flags.rounds, sink, databasePid: database.pid, onRound: sayRound });
  const tables = [compareTable(played)];
  if (service !== undefined)
    tables.push(probeTable(await probe({ ...flags, app, service, sink, databasePid: database.pid })));
  const text = [...tables, conditions(flags, sink.name)].join("\n\n");
  say(`\n${text}`);
  if (flags.write) await writeTables(text);
}

async function startSides(flags: Flags, service: Service | undefined, fixture: { file: string; caFile: string }) {
  const sides: Side[] = [];
  for (const name of flags.only) {
    if (name === "service") sides.push(serviceSide(service!, flags.n));
    else {
      const count = Math.min(flags.n, peerMessages);
      // Where answers take their time more has to be under way.
      const inFlight = flags.inFlight ?? (flags.rttMs > 0 ? 1_000 : 100);
      const side = await senderSide(name, { ...fixture, count, inFlight, encryption: flags.encryption });
      sides.push(side);
      endings.push(side.stop);
    }
  }
  return sides;
}

function sayRound(side: Side, { perSecond, clientCpu, databaseCpu, sinkCpu }: Round): void {
  const cpu = [clientCpu, databaseCpu, sinkCpu].map((seconds) => seconds.toFixed(3)).join(" + ");
  say(`${side.name}: ${perSecond.toFixed(0)} messages/s; CPU-s per 1,000: ${cpu} (sender + database + push service)`);
}
