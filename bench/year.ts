import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { maintenanceTasks } from "../src/cli/maintenance-tasks.ts";
import { rows } from "../src/db/pool.ts";
import { runMaintenance } from "../src/maintenance.ts";
import { addReceipts } from "../src/receipts/queries.ts";
import { receiptKinds } from "../src/runs/receipt-kinds.ts";
import { ago } from "../test/fixtures/rows/change.ts";
import { addReceipts as addReceiptHours } from "../test/fixtures/rows/receipts.ts";
import type { Flags } from "./flags.ts";
import type { Service } from "./service.ts";

/**
 * The size of a table with its indexes in bytes: after the year, and rewritten. `dead`: its dead rows before a vacuum.
 */
export type TableSize = { name: string; bytes: number; rewritten: number; live: number; dead: number; vacuums: number };

export type YearMeasurement = {
  tables: TableSize[];
  /** Bytes of all rewritten tables after the import, and the most bytes at the end of a day. */
  imported: number;
  most: number;
  /** Bytes of rewritten tables that each send leaves after its retention. */
  keptOfSend: number;
  /** Seconds of a vacuum of all tables after the year. */
  vacuumSeconds: number;
  /** The statements of the service with the longest single executions, in ms. */
  statements: { query: string; calls: number; longestMs: number; meanMs: number }[];
};

type Options = { flags: Flags; app: App; importReaders: () => Promise<unknown>; openService: () => Promise<Service> };

/** Five or six sends a day make 2,000 a year. */
const sendsOfDay = 5.5;
/** Hours after a send in which readers report displays and clicks. */
const reportedHours = 48;
const statementsShown = 6;

/**
 * Sends `flags.sends` times to `flags.n` readers through the service, with receipts. After every five or six sends a
 * day passes: the data that expires becomes a day older, and maintenance runs. At the end all retention has passed.
 * PostgreSQL vacuums by itself, as in use.
 */
export async function measureYear({ flags, app, importReaders, openService }: Options): Promise<YearMeasurement> {
  await importReaders();
  await sql`create extension if not exists pg_stat_statements`.execute(app.db);
  await rewrite(app);
  const imported = await sizeOfAll(app);
  const tasks = maintenanceTasks(app.config);
  const service = await openService();
  let most = 0;
  await sql`select pg_stat_statements_reset()`.execute(app.db);
  try {
    for (let no = 1; no <= flags.sends; no++) {
      await sendWithReports(app, service);
      if (Math.floor(no / sendsOfDay) === Math.floor((no - 1) / sendsOfDay)) continue;
      await passDays(app, 1);
      await runMaintenance(app.db, tasks);
      most = Math.max(most, await sizeOfAll(app));
    }
  } finally {
    await service.stop();
  }
  await passDays(app, app.config.RECIPIENT_DAYS + 1);
  await runMaintenance(app.db, tasks);
  const statements = await longestStatements(app);
  const { tables, vacuumSeconds } = await measureTables(app);
  const kept = tables.reduce((sum, { rewritten }) => sum + rewritten, 0) - imported;
  return { tables, imported, most, keptOfSend: kept / flags.sends, vacuumSeconds, statements };
}

/** Sends once. Three of ten readers report a display, and three of a hundred a click. */
async function sendWithReports(app: App, service: Service): Promise<void> {
  const { runId } = await service.send();
  await service.ended(runId);
  const batches = await rows(
    sql<{
      siteId: string;
      no: number;
    }>`select site_id as "siteId", no from run_batches where run_id = ${runId} order by no`,
    app.db,
  );
  for (const [kind, share] of [
    [receiptKinds.displayed, 0.3],
    [receiptKinds.clicked, 0.03],
  ] as const)
    await addReceipts(
      app.db,
      batches.map(({ siteId, no }) => ({ siteId, runId, no, kind, bits: bitsOf(share) })),
    );
  const hours = Array.from({ length: reportedHours }, (_, hour) => ago(`${hour + 1} hours`));
  await addReceiptHours(app, runId, { displayed: 10, clicked: 1 }, ...hours);
}

/** Returns a batch's bits for 1,000 readers, 128 bytes. A share of about `share` (0 to 1) has reported. */
function bitsOf(share: number): Buffer {
  const bits = Buffer.alloc(128);
  for (const [place, byte] of randomBytes(1_000).entries()) {
    if (byte < share * 256) bits[place >> 3]! |= 0x80 >> (place & 7);
  }
  return bits;
}

/** Makes the data that expires older. */
async function passDays(app: App, days: number): Promise<void> {
  const earlier = sql`make_interval(days => ${days})`;
  await sql`update runs set finished_at = finished_at - ${earlier} where pruned_at is null`.execute(app.db);
  await sql`update receipt_minutes set minute = minute - ${earlier}`.execute(app.db);
}

async function longestStatements(app: App): Promise<YearMeasurement["statements"]> {
  return rows(
    sql<YearMeasurement["statements"][number]>`select calls::int as calls, max_exec_time as "longestMs",
        mean_exec_time as "meanMs", regexp_replace(query, '\\s+', ' ', 'g') as query
      from pg_stat_statements where query !~ 'pg_stat|finished_at = finished_at -|minute = minute -|pg_total_relation_size'
      order by max_exec_time desc limit ${statementsShown}`,
    app.db,
  );
}

async function measureTables(app: App): Promise<Pick<YearMeasurement, "tables" | "vacuumSeconds">> {
  const before = await sizes(app);
  const startedMs = performance.now();
  await sql`vacuum (analyze)`.execute(app.db);
  const vacuumSeconds = (performance.now() - startedMs) / 1_000;
  await rewrite(app);
  const after = new Map((await sizes(app)).map((table) => [table.name, table]));
  const tables = before.map((table) => {
    const { bytes: rewritten, live } = after.get(table.name)!;
    return { ...table, live, rewritten };
  });
  return { vacuumSeconds, tables };
}

async function rewrite(app: App): Promise<void> {
  for (const { name } of await sizes(app)) await sql`vacuum (full, analyze) ${sql.table(name)}`.execute(app.db);
}

/** Returns the tables of the schema with their sizes, the largest first. */
async function sizes(app: App): Promise<Omit<TableSize, "rewritten">[]> {
  await sql`select pg_stat_force_next_flush()`.execute(app.db);
  return rows(
    sql<Omit<TableSize, "rewritten">>`select relname as name, pg_total_relation_size(relid)::float8 as bytes,
        n_live_tup::int as live, n_dead_tup::int as dead, (autovacuum_count)::int as vacuums
      from pg_stat_user_tables where schemaname = 'public' order by 2 desc`,
    app.db,
  );
}

async function sizeOfAll(app: App): Promise<number> {
  return (await sizes(app)).reduce((sum, { bytes }) => sum + bytes, 0);
}
