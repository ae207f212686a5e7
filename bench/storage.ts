import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { maintenanceTasks } from "../src/cli/maintenance-tasks.ts";
import { rows } from "../src/db/pool.ts";
import { runMaintenance } from "../src/maintenance.ts";
import { ago } from "../test/fixtures/rows/change.ts";
import { addReceipts } from "../test/fixtures/rows/receipts.ts";
import type { Flags } from "./flags.ts";
import type { Service } from "./service.ts";

/**
 * Sizes in bytes: the empty database, each reader, each recipient of a send while it is stored, and each send after
 * that.
 */
export type StorageMeasurement = { empty: number; reader: number; recipient: number; send: number };

type Options = { flags: Flags; app: App; importReaders: () => Promise<unknown>; openService: () => Promise<Service> };

/** The sends before the measured ones. The first rows of a table and its indexes take whole pages. */
const firstSends = 10;
/** Hours after a send in which readers report displays and clicks. */
const reportedHours = 48;

/**
 * Measures the size of the database: before and after an import of `flags.n` readers, after `flags.rounds` sends to
 * all of them, and after their retention. Each measurement rewrites the tables (VACUUM FULL), because PostgreSQL
 * reuses the free space in them.
 */
export async function measureStorage({ flags, app, importReaders, openService }: Options): Promise<StorageMeasurement> {
  const empty = await size(app);
  await importReaders();
  const imported = await size(app);
  const send = async (times: number) => {
    const service = await openService();
    try {
      for (let no = 0; no < times; no++) await sendWithReports(app, service);
    } finally {
      await service.stop();
    }
  };
  const endRetention = () => runMaintenance(app.db, maintenanceTasks({ ...app.config, RECIPIENT_DAYS: 0 }));
  await send(firstSends);
  await endRetention();
  const before = await size(app);
  await send(flags.rounds);
  const sent = await size(app);
  await endRetention();
  const kept = await size(app);
  return {
    empty,
    reader: (imported - empty) / flags.n,
    recipient: (sent - kept) / (flags.rounds * flags.n),
    send: (kept - before) / flags.rounds,
  };
}

async function sendWithReports(app: App, service: Service): Promise<void> {
  const { runId } = await service.send();
  await service.ended(runId);
  const hours = Array.from({ length: reportedHours }, (_, hour) => ago(`${hour} hours`));
  await addReceipts(app, runId, { displayed: 10, clicked: 1 }, ...hours);
}

/** Returns the size of the tables of the schema, with their indexes, in bytes. */
async function size({ db }: App): Promise<number> {
  const tables = await rows(
    sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`,
    db,
  );
  for (const { name } of tables) await sql`vacuum full ${sql.table(name)}`.execute(db);
  const sum = await rows(
    sql<{ bytes: number }>`select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    db,
  );
  return sum[0]!.bytes;
}
