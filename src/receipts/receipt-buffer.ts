import type { App } from "../app.ts";
import { readMessageToken, sharedBatch } from "../runs/message-token.ts";
import { type ReceiptKind, receiptKinds } from "../runs/receipt-kinds.ts";
import { recordClicked } from "../subscribers/seen-queries.ts";
import { originsOf } from "../tenants/sites/reader-settings.ts";
import { addReceipts, addShared, countedRuns, type ReceiptBits } from "./queries.ts";

const writeEveryMs = 1_000;
const bitsBytes = 128;
/**
 * Limit of buffered entries, one for each batch, kind and source: about 20 MB when full, which only sends to millions
 * within a second reach. While a write is running, as many more can be buffered.
 */
export const maxEntries = 50_000;
/** Limit of one statement, so that no other statement waits long for its locks. */
const entriesPerWrite = 2_000;

/** Where a receipt comes from: a page or worker of an origin, one without an origin, or the service itself for a site. */
export type ReceiptSource = { origin: string | undefined; isAndroid?: boolean } | { siteId: string };

/** Receipts in memory that are waiting to be written to the database. */
export type ReceiptBuffer = {
  /** Records one receipt; ignores a token that we did not sign. Takes microseconds and never throws. */
  record(token: string, kind: ReceiptKind, source: ReceiptSource): void;
  /** Writes all buffered receipts. Never throws: on failure they stay buffered for the next write. */
  write(): Promise<void>;
  /** Receipts dropped since the start of the process, because the buffer was full. */
  dropped(): number;
  /** Writes the rest and stops the timer. */
  stop(): Promise<void>;
};

type Entry = Omit<ReceiptBits, "siteId"> & { source: ReceiptSource; count: number };

/**
 * Creates the receipt buffer, which writes once a second: a flood of receipts costs the database one or two statements.
 * Only the write checks that the run exists and that the source may report for its site.
 */
export function createReceiptBuffer(app: Pick<App, "db" | "log" | "secrets">): ReceiptBuffer {
  let entries = new Map<string, Entry>();
  let dropped = 0;
  let writing = Promise.resolve();

  /** Returns the entry of `key`, which it creates if needed; undefined if the buffer is full. */
  function entryFor(key: string, fields: Omit<Entry, "bits" | "count">): Entry | undefined {
    const found = entries.get(key);
    if (found !== undefined || entries.size >= maxEntries) return found;
    const entry = { ...fields, bits: noBits(), count: 0 };
    entries.set(key, entry);
    return entry;
  }

  function putBack(unwritten: Map<string, Entry>): void {
    for (const [key, { bits, count, ...fields }] of unwritten) {
      const entry = entryFor(key, fields);
      if (entry === undefined) dropped += count;
      else {
        or(entry.bits, bits);
        entry.count += count;
      }
    }
  }

  async function writeOnce(): Promise<void> {
    const batch = entries;
    if (batch.size === 0) return;
    entries = new Map();
    try {
      await writeEntries(app, [...batch.values()]);
    } catch (error) {
      app.log.warn({ err: error }, "writing receipts failed and will be retried");
      putBack(batch);
    }
  }

  const write = () => {
    writing = writing.then(writeOnce);
    return writing;
  };
  const timer = setInterval(write, writeEveryMs).unref();
  return {
    record(token, kind, source) {
      const message = readMessageToken(app.secrets.tokenKeys, token);
      if (message === undefined) return;
      const from = "siteId" in source ? source.siteId : `${source.origin} ${isOfAndroid(source)}`;
      const { runId, no, position } = message;
      const entry = entryFor(`${runId} ${no} ${kind} ${from}`, { runId, no, kind: receiptKinds[kind], source });
      if (entry === undefined) dropped++;
      else {
        // PostgreSQL numbers the bits of a bit string from the left.
        entry.bits[position >> 3]! |= 0x80 >> (position & 7);
        entry.count++;
      }
    },
    write,
    dropped: () => dropped,
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}

/** From Node.js's pool: a buffer of its own has 200 bytes around its 128. */
function noBits(): Buffer {
  return Buffer.allocUnsafe(bitsBytes).fill(0);
}

function isOfAndroid(source: ReceiptSource): boolean {
  return "isAndroid" in source && source.isAndroid === true;
}

function or(into: Buffer, more: Buffer): void {
  for (let i = 0; i < into.length; i++) into[i]! |= more[i]!;
}

async function writeEntries({ db }: Pick<App, "db">, entries: Entry[]): Promise<void> {
  const found = await countedRuns(db, [...new Set(entries.map(({ runId }) => runId))]);
  const runs = new Map(found.map((run) => [run.runId, { siteId: run.siteId, origins: originsOf(run) }]));
  // One entry for each batch and kind, whatever the source: the statement cannot take two.
  const merged = new Map<string, ReceiptBits>();
  for (const { runId, no, kind, bits, source } of entries) {
    const run = runs.get(runId);
    if (no === sharedBatch || run === undefined || !mayReport(source, run)) continue;
    const key = `${run.siteId} ${runId} ${String(no).padStart(10, "0")} ${kind}`;
    const entry = merged.get(key) ?? { siteId: run.siteId, runId, no, kind, bits: noBits() };
    merged.set(key, entry);
    or(entry.bits, bits);
    if (isOfAndroid(source)) {
      entry.android ??= noBits();
      or(entry.android, bits);
    }
  }
  const sorted = [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bits]) => bits);
  for (let from = 0; from < sorted.length; from += entriesPerWrite) {
    const part = sorted.slice(from, from + entriesPerWrite);
    await addReceipts(db, part);
    await recordClicked(
      db,
      part.filter(({ kind }) => kind === receiptKinds.clicked),
    );
  }
  // Last: unlike the others, a write that is repeated would count twice.
  const mayCount = ({ runId, source }: Entry) => runs.has(runId) && mayReport(source, runs.get(runId)!);
  await addShared(
    db,
    entries
      .filter((entry) => entry.no === sharedBatch && mayCount(entry))
      .map(({ runId, kind, count }) => ({ siteId: runs.get(runId)!.siteId, runId, kind, count })),
  );
}

function mayReport(source: ReceiptSource, run: { siteId: string; origins: string[] }): boolean {
  if ("siteId" in source) return source.siteId === run.siteId;
  return source.origin === undefined || run.origins.includes(source.origin);
}
