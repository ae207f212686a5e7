import type { App } from "../../app.ts";
import { deleteLost } from "../../subscribers/lost-queries.ts";
import { endedRuns, noteLost, noteRead, sitesWithLost } from "./queries.ts";
import { daysToReturn } from "./win-back.ts";

const batchesAtOnce = 20;
const readersAtOnce = 5_000;

/**
 * Reads the outcomes of finished win-back runs before their lists of recipients expire. If the site removes readers,
 * records those whose message was accepted. If the process dies during a run, the run is read again from the start,
 * and each reader is still recorded once.
 */
export async function readEndedRuns(app: App): Promise<void> {
  for (const run of await endedRuns(app.db)) {
    for (let from = 0; from < run.batches; from += batchesAtOnce)
      await app.db.transaction().execute((tx) => noteLost(tx, run, { from, to: from + batchesAtOnce }));
    await noteRead(app.db, run);
  }
}

/** Removes the readers who did not come back in time. Returns how many. */
export async function removeLost(app: App): Promise<number> {
  let removed = 0;
  for (const siteId of await sitesWithLost(app.db, Object.keys(app.config.PLANS))) {
    const before = removed;
    for (let looked = readersAtOnce; looked === readersAtOnce; ) {
      const page = await deleteLost(app.db, siteId, daysToReturn, readersAtOnce);
      removed += page.removed;
      looked = page.looked;
    }
    if (removed > before)
      app.log.info({ siteId, readers: removed - before }, "readers who did not come back were removed");
  }
  return removed;
}
