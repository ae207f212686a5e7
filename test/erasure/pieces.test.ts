import { sql } from "kysely";
import { expect, test } from "vitest";
import { createSite } from "../../bench/planning/audience.ts";
import type { App } from "../../src/app.ts";
import { row, type Tx } from "../../src/db/pool.ts";
import { eraseSites } from "../../src/erasure/erase-sites.ts";
import { requestSiteErasure } from "../../src/erasure/request-erasure.ts";
import { openTestApp } from "../fixtures/app.ts";

const pieces = 6;
const readers = 5_000 * pieces;

test("the erasure of a large site does not read all its readers for each piece", async () => {
  const app = await openTestApp();
  await createSite(app, 5_000, "nobody");
  const { siteId } = await createSite(app, readers, "nobody");
  await sql`vacuum analyze subscribers`.execute(app.db);
  await requestSiteErasure(app, siteId);
  let read = 0;
  for (let at: string | null = null; ; ) {
    const piece = await eraseNext(app, at);
    read += piece.read;
    at = piece.at;
    if (at === null) break;
  }
  expect(read).toBeGreaterThanOrEqual(readers);
  // The entries of deleted readers are read by the next piece too.
  expect(read).toBeLessThan(3 * readers);
});

/** Erases the next piece. Returns its position, and how many entries of the readers' key it read. */
async function eraseNext(app: App, at: string | null): Promise<{ at: string | null; read: number }> {
  return app.db.transaction().execute(async (tx) => {
    const before = await entriesRead(tx);
    const piece = await eraseSites.sweep(tx, at);
    return { at: piece.at, read: (await entriesRead(tx)) - before };
  });
}

async function entriesRead(tx: Tx): Promise<number> {
  const found = await row(
    sql<{ n: number }>`select pg_stat_get_xact_tuples_returned('subscribers_pkey'::regclass) as n`,
    tx,
  );
  return found!.n;
}
