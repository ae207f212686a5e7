import { sql } from "kysely";
import { expect, test } from "vitest";
import { createSite } from "../../bench/planning/audience.ts";
import { endRuns, planAndOpen } from "../../bench/planning/plan-and-open.ts";
import { sends } from "../../bench/planning/sends.ts";
import type { App } from "../../src/app.ts";
import { row, type Tx } from "../../src/db/pool.ts";
import { planNextPageIn } from "../../src/runs/plan/plan-run.ts";
import { openTestApp } from "../fixtures/app.ts";

const readers = 3_000;
/** A plain send reads each reader once. Topics, preferences, mutes and lists add a look each. */
const mostReadPerReader = 3.5;

/** Plans what was started, and returns how many rows PostgreSQL has read for it. */
async function rowsReadByPlanning(app: App): Promise<number> {
  return app.db.transaction().execute(async (tx) => {
    const before = await rowsRead(tx);
    while (await planNextPageIn(tx));
    return (await rowsRead(tx)) - before;
  });
}

/** Also of earlier transactions of this connection that PostgreSQL has not added to its statistics yet. */
async function rowsRead(tx: Tx): Promise<number> {
  const read = await row(
    sql<{ n: number }>`select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as n
      from pg_stat_xact_user_tables`,
    tx,
  );
  return read!.n;
}

async function rowsReadPerReader(app: App): Promise<[name: string, perReader: number][]> {
  const read: [string, number][] = [];
  for (const { name, preferences, start } of sends) {
    await start(app, await createSite(app, readers, preferences));
    read.push([name, (await rowsReadByPlanning(app)) / readers]);
    await planAndOpen(app);
    await endRuns(app);
  }
  return read;
}

const tooMany = (read: [string, number][]) => read.filter(([, perReader]) => perReader > mostReadPerReader);

test("planning reads each reader a few times, however a notification is sent", async () => {
  expect(tooMany(await rowsReadPerReader(await openTestApp()))).toEqual([]);
}, 60_000);

test("planning reads no more with statistics that are older than the site", async () => {
  const app = await openTestApp();
  for (const { preferences, start } of sends) await start(app, await createSite(app, 200, preferences));
  await planAndOpen(app);
  await endRuns(app);
  await sql`analyze`.execute(app.db);
  expect(tooMany(await rowsReadPerReader(app))).toEqual([]);
}, 60_000);
