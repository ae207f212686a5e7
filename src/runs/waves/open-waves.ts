import type { Database, Tx } from "../../db/pool.ts";
import { readByKeys } from "../../db/read-by-keys.ts";
import {
  type DueWave,
  lockDueWave,
  lockWaitingBatches,
  openBatches,
  openCheckedBatches,
  readDueWaves,
  recordOpened,
} from "../ledger/waves.ts";
import { suppressionsOf } from "../suppressions.ts";

/** The most batches of a wave that one transaction opens. They have about as many recipients as a page of a plan. */
const batchesAtOnce = 20;

/**
 * Hands the next batches of each due wave to the workers. It takes no more than `atOnce` of a wave, so that other
 * runs are planned between the parts of a large wave. It checks the readers' preferences now (docs/decisions/0020),
 * because their local time was different when the run was planned. A process that dies leaves each batch either
 * waiting or opened. Returns whether there may be more to open, and the errors of waves that could not be opened.
 * Such an error does not delay other waves.
 */
export async function openDueWaves(
  db: Database,
  atOnce = batchesAtOnce,
): Promise<{ hasMore: boolean; errors: unknown[] }> {
  const opened = { hasMore: false, errors: [] as unknown[] };
  for (const wave of await readDueWaves(db)) {
    try {
      const hasMore = await db.transaction().execute((tx) => openNextBatches(tx, wave, atOnce));
      opened.hasMore ||= hasMore;
    } catch (error) {
      opened.errors.push(error);
    }
  }
  return opened;
}

/** Opens the next batches of one wave. Returns whether there may be more to open. */
async function openNextBatches(tx: Tx, wave: DueWave, atOnce: number): Promise<boolean> {
  await readByKeys(tx);
  // The site's preferences are locked before the wave, because a planner takes the locks in this order too.
  const suppressed = await suppressionsOf(tx, wave);
  if (!(await lockDueWave(tx, wave))) return false;
  // The batches are locked before their readers are checked. A stop therefore ends them before this or after the
  // transaction.
  const numbers = await lockWaitingBatches(tx, wave, atOnce);
  if (suppressed === undefined) await openBatches(tx, wave, numbers);
  else await openCheckedBatches(tx, wave, numbers, suppressed);
  if (numbers.length === atOnce) return true;
  await recordOpened(tx, wave);
  return false;
}
