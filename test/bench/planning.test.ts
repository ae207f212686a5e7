import { sql } from "kysely";
import { expect, test } from "vitest";
import { createSite } from "../../bench/planning/audience.ts";
import { endRuns, planAndOpen } from "../../bench/planning/plan-and-open.ts";
import { sends } from "../../bench/planning/sends.ts";
import type { App } from "../../src/app.ts";
import { planNextPageIn } from "../../src/runs/plan/plan-run.ts";
import { openTestApp } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";

const readers = 3_000;
/**
 * The most rows that planning may read for each reader. A plain send reads each reader once. Topics, preferences, mutes
 * and lists add one read each.
 */
const mostReadPerReader = 3.5;

/** Plans the runs that were started. Returns how many rows PostgreSQL has read for that. */
const rowsReadByPlanning = (app: App) =>
  countRowsRead(app, "any", async (tx) => {
    while (await planNextPageIn(tx));
  });

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
