import { type Receipt, sendReceipts } from "../wire.ts";
import { requestSync } from "./background-sync.ts";
import { addRecord, deleteRecords, readRecords } from "./records.ts";
import type { Scope } from "./site.ts";

/** The most receipts that the service takes in one request. */
const batchSize = 50;

/**
 * Stores a receipt and sends all stored ones. If it cannot be stored, sends it alone. Drops a receipt without a
 * token, because the site then counts nothing.
 */
export async function report(scope: Scope, receipt: Receipt): Promise<void> {
  if (receipt.token === "") return;
  try {
    await addRecord("receipts", `${receipt.kind} ${receipt.token}`, receipt);
  } catch {
    await sendReceipts(scope.pressbellSite.base, [receipt]);
  }
  await sendStored(scope);
}

/**
 * Sends the stored receipts, oldest first. Holds a lock, because two pushes at once would send the same receipts.
 * Receipts that the service does not accept now stay stored for the next time. Never throws.
 */
export async function sendStored(scope: Scope): Promise<void> {
  try {
    await scope.navigator.locks.request("pressbell", async () => {
      while (await sendBatch(scope)) {}
    });
  } catch {
    await requestSync(scope);
  }
}

async function sendBatch({ pressbellSite }: Scope): Promise<boolean> {
  const stored = await readRecords<Receipt>("receipts", batchSize);
  if (stored.length === 0) return false;
  const events = stored.map(({ token, kind }) => ({ token, kind }));
  const status = await sendReceipts(pressbellSite.base, events);
  if (status === 429 || status >= 500) throw Error(`HTTP ${status}`);
  await deleteRecords(
    "receipts",
    stored.map(({ key }) => key),
  );
  return true;
}
