import { type Receipt, sendReceipts } from "../wire.ts";
import { addRecord, readRecords, removeRecords } from "./records.ts";
import type { Scope } from "./site.ts";
import { wakeLater } from "./waking.ts";

/** The most that the service takes at once. */
const batchSize = 50;

/** Keeps a receipt until the service has it, and sends what is kept. Where nothing can be kept, sends it alone. */
export async function report(scope: Scope, receipt: Receipt): Promise<void> {
  try {
    await addRecord("receipts", `${receipt.kind} ${receipt.token}`, receipt);
  } catch {
    await sendReceipts(scope.pressbellSite.base, [receipt]);
  }
  await sendKept(scope);
}

/**
 * Sends what is kept, oldest first; under a lock, since two pushes at once would send the same. What the service cannot
 * take now stays for the next time. Never throws.
 */
export async function sendKept(scope: Scope): Promise<void> {
  try {
    await scope.navigator.locks.request("pressbell", async () => {
      while (await sendBatch(scope)) {}
    });
  } catch {
    await wakeLater(scope);
  }
}

async function sendBatch({ pressbellSite }: Scope): Promise<boolean> {
  const kept = await readRecords<Receipt>("receipts", batchSize);
  if (kept.length === 0) return false;
  const events = kept.map(({ token, kind }) => ({ token, kind }));
  const status = await sendReceipts(pressbellSite.base, events);
  if (status === 429 || status >= 500) throw Error(`HTTP ${status}`);
  await removeRecords(
    "receipts",
    kept.map(({ key }) => key),
  );
  return true;
}
