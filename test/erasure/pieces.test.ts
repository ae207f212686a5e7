import { sql } from "kysely";
import { expect, test } from "vitest";
import { createSite } from "../../bench/planning/audience.ts";
import { row, type Tx } from "../../src/db/pool.ts";
import { eraseSites } from "../../src/erasure/erase-sites.ts";
import { requestSiteErasure } from "../../src/erasure/request-erasure.ts";
import { openTestApp } from "../fixtures/app.ts";

const ofPiece = 5_000;

test("a piece of the erasure of a large site reads only the readers that it deletes", async () => {
  const app = await openTestApp();
  await createSite(app, ofPiece, "nobody");
  const { siteId } = await createSite(app, 4 * ofPiece, "nobody");
  await sql`vacuum analyze subscribers`.execute(app.db);
  await requestSiteErasure(app, siteId);
  const { removed, read } = await app.db.transaction().execute(async (tx) => {
    const before = await entriesRead(tx);
    const piece = await eraseSites.sweep(tx, `${siteId} subscribers`);
    return { ...piece, read: (await entriesRead(tx)) - before };
  });
  expect(removed).toBe(ofPiece);
  expect(read).toBe(ofPiece);
});

/** Returns how many entries of the readers' key the transaction has read. */
async function entriesRead(tx: Tx): Promise<number> {
  const found = await row(
    sql<{ n: number }>`select pg_stat_get_xact_tuples_returned('subscribers_pkey'::regclass) as n`,
    tx,
  );
  return found!.n;
}
