import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { createClient } from "../../src/db/pool.ts";
import { openApp } from "../app.ts";
import { startDatabase } from "../database.ts";
import { createSite } from "./audience.ts";
import { type Comparison, comparePlanning } from "./measure.ts";
import { type Send, sends } from "./sends.ts";

/**
 * `node bench/planning/main.ts [--n READERS] [--rounds R] [--only TEXT] [--analyzed before] [--jit on]`: measures the
 * cost of planning for each way to send. `--jit on`: switches JIT on in the database, as on other servers. `--analyzed
 * before`: PostgreSQL has statistics that are older than all measured data. Without it, PostgreSQL has none. Linux
 * only, because it reads /proc.
 */
const { values } = parseArgs({
  options: {
    n: { type: "string", default: "50000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    analyzed: { type: "string", default: "never" },
    jit: { type: "string", default: "off" },
  },
});

const folder = await mkdtemp(join(tmpdir(), "pressbell-bench-"));
// If this user is root, PostgreSQL runs as another user, which has to enter this folder.
await chmod(folder, 0o711);
const database = await startDatabase(folder, { statements: false });
try {
  if (values.jit === "on") await turnOnJit();
  const { app, close } = await openApp(database.connection, []);
  await stopAutovacuum(app);
  if (values.analyzed === "before") await analyzeSmallSites(app);
  const compared = await comparePlanning(app, {
    n: Number(values.n),
    rounds: Number(values.rounds),
    sends: wanted(),
    databasePid: database.pid,
    onCost: (name, seconds) => void process.stderr.write(`${name}: ${seconds.toFixed(2)} s\n`),
  });
  process.stdout.write(`${table(compared)}\n`);
  await close();
} finally {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Returns the ways to measure. The first is always one of them, because the others are compared with it. */
function wanted(): Send[] {
  return sends.filter(({ name }, i) => i === 0 || name.includes(values.only));
}

async function turnOnJit(): Promise<void> {
  const client = createClient(database.connection, "bench");
  await client.connect();
  await client.query("do $$ begin execute format('alter database %I set jit = on', current_database()); end $$");
  await client.end();
}

/** Stops autovacuum, which would analyze the tables at moments that no run can choose, and use CPU time. */
async function stopAutovacuum(app: App): Promise<void> {
  await sql`alter system set autovacuum = off`.execute(app.db);
  await sql`select pg_reload_conf()`.execute(app.db);
}

/** Creates statistics of sends to a few readers of other sites, as in a young installation. */
async function analyzeSmallSites(app: App): Promise<void> {
  await comparePlanning(app, { n: 2_000, rounds: 0, sends, databasePid: database.pid, onCost: () => {} });
  await createSite(app, 2_000, "nobody");
  await sql`analyze`.execute(app.db);
}

function table(compared: Comparison[]): string {
  const rows = compared.map(({ name, cpuSeconds, ratio, failedPages }) => {
    const failed = failedPages === 0 ? "" : `, ${failedPages} pages too slow`;
    return `| ${name} | ${cpuSeconds.toFixed(2)} | ${ratio.toFixed(2)} times${failed} |`;
  });
  return ["| way to send | CPU-s | to the first |", "| --- | ---: | ---: |", ...rows].join("\n");
}
