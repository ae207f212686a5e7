import type { App } from "../app.ts";
import { readMessageToken, sharedBatch } from "../runs/message-token.ts";
import { type ReceiptKind, receiptKinds } from "../runs/receipt-kinds.ts";
import { recordClicked } from "../subscribers/seen-queries.ts";
import { originsOf } from "../tenants/sites/reader-settings.ts";
import { addReceipts, addShared, countedRuns, type ReceiptBits } from "./queries.ts";

const writeEveryMs = 1_000;
const bitsBytes = 128;
/**
 * The most entries in the buffer. There is one for each batch, kind and source. A full buffer takes about 20 MB,
 * which only sends to millions of readers within a second reach. During a write, as many entries again can be
 * buffered.
 */
export const maxEntries = 50_000;
/** The most entries of one statement, so that no other statement waits long for its locks. */
const entriesPerWrite = 2_000;

/** The source of a receipt: a page or worker, with its origin if the browser sends one, or this service for a site. */
export type ReceiptSource = { origin: string | undefined; isAndroid?: boolean } | { siteId: string };

/** Receipts in memory that are waiting to be written to the database. */
export type ReceiptBuffer = {
  /** Records one receipt; ignores a token that we did not sign. Takes microseconds and never throws. */
  record(token: string, kind: ReceiptKind, source: ReceiptSource): void;
  /** Writes all buffered receipts. Never throws: on failure they stay buffered for the next write. */
  write(): Promise<void>;
  /** Returns how many receipts were dropped since the process started, because the buffer was full. */
  dropped(): number;
  /** Writes the rest and stops the timer. */
  stop(): Promise<void>;
};

/** The receipts of one kind that one source reports for one run. `batches` has an entry for each batch number. */
type Group = { runId: string; kind: number; source: ReceiptSource; batches: Map<number, Entry> };
type Entry = { bits: Buffer; count: number };

/**
 * Creates the receipt buffer. It writes once a second, so a flood of receipts costs the database one or two
 * statements. Whether the run exists and the source may report for its site is checked only at the write.
 */
export function createReceiptBuffer(app: Pick<App, "db" | "log" | "secrets">): ReceiptBuffer {
  let groups = new Map<string, Group>();
  let entries = 0;
  let dropped = 0;
  let writing = Promise.resolve();

  /** Returns the entry of a batch, which it creates if needed; undefined if the buffer is full. */
  function entryFor(key: string, of: Omit<Group, "batches">, no: number): Entry | undefined {
    const group = groups.get(key);
    const found = group?.batches.get(no);
    if (found !== undefined || entries >= maxEntries) return found;
    const entry = { bits: noBits(), count: 0 };
    if (group === undefined) groups.set(key, { ...of, batches: new Map([[no, entry]]) });
    else group.batches.set(no, entry);
    entries++;
    return entry;
  }

  function putBack(unwritten: Map<string, Group>): void {
    for (const [key, group] of unwritten) {
      for (const [no, { bits, count }] of group.batches) {
        const entry = entryFor(key, group, no);
        if (entry === undefined) dropped += count;
        else {
          or(entry.bits, bits);
          entry.count += count;
        }
      }
    }
  }

  async function writeOnce(): Promise<void> {
    const unwritten = groups;
    if (unwritten.size === 0) return;
    groups = new Map();
    entries = 0;
    try {
      await writeGroups(app, [...unwritten.values()]);
    } catch (error) {
      app.log.warn({ err: error }, "writing receipts failed and will be retried");
      putBack(unwritten);
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
      const entry = entryFor(`${runId} ${kind} ${from}`, { runId, kind: receiptKinds[kind], source }, no);
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

/** Returns 128 empty bytes from Node.js's pool, because a separate buffer has 200 bytes of overhead. */
function noBits(): Buffer {
  return Buffer.allocUnsafe(bitsBytes).fill(0);
}

function isOfAndroid(source: ReceiptSource): boolean {
  return "isAndroid" in source && source.isAndroid === true;
}

function or(into: Buffer, more: Buffer): void {
  for (let i = 0; i < into.length; i++) into[i]! |= more[i]!;
}

async function writeGroups({ db }: Pick<App, "db">, groups: Group[]): Promise<void> {
  const found = await countedRuns(db, [...new Set(groups.map(({ runId }) => runId))]);
  const runs = new Map(found.map((run) => [run.runId, { siteId: run.siteId, origins: originsOf(run) }]));
  const counted = groups.flatMap((group) => {
    const run = runs.get(group.runId);
    return run !== undefined && mayReport(group.source, run) ? [{ ...group, siteId: run.siteId }] : [];
  });
  const receipts = mergeSources(counted);
  for (let from = 0; from < receipts.length; from += entriesPerWrite) {
    const part = receipts.slice(from, from + entriesPerWrite);
    await addReceipts(db, part);
    await recordClicked(
      db,
      part.filter(({ kind }) => kind === receiptKinds.clicked),
    );
  }
  // This write comes last. If it is repeated, its receipts count twice; the other writes can be repeated.
  await addShared(
    db,
    counted.flatMap(({ batches, siteId, runId, kind }) => {
      const shared = batches.get(sharedBatch);
      return shared === undefined ? [] : [{ siteId, runId, kind, count: shared.count }];
    }),
  );
}

/**
 * Returns one entry for each batch and kind, sorted by key, because the statement cannot take two from different
 * sources. To save memory, it may add the bits of one source to an entry of another in `groups`.
 */
function mergeSources(groups: (Group & { siteId: string })[]): ReceiptBits[] {
  const merged = new Map<string, Map<number, ReceiptBits>>();
  for (const { siteId, runId, kind, source, batches } of groups) {
    const ofKind = merged.get(`${runId} ${kind}`) ?? new Map<number, ReceiptBits>();
    merged.set(`${runId} ${kind}`, ofKind);
    for (const [no, { bits }] of batches) {
      if (no === sharedBatch) continue;
      const entry = ofKind.get(no);
      if (entry === undefined) ofKind.set(no, { siteId, runId, no, kind, bits, android: androidBits(source, bits) });
      else {
        or(entry.bits, bits);
        if (isOfAndroid(source)) {
          entry.android ??= noBits();
          or(entry.android, bits);
        }
      }
    }
  }
  return [...merged.values()].flatMap((ofKind) => [...ofKind.values()]).sort(byKey);
}

/** Returns a copy of the bits of an Android source, because bits of other sources are added to the original. */
function androidBits(source: ReceiptSource, bits: Buffer): Buffer | undefined {
  return isOfAndroid(source) ? Buffer.from(bits) : undefined;
}

function byKey(a: ReceiptBits, b: ReceiptBits): number {
  if (a.siteId !== b.siteId) return a.siteId < b.siteId ? -1 : 1;
  if (a.runId !== b.runId) return a.runId < b.runId ? -1 : 1;
  return a.no - b.no || a.kind - b.kind;
}

function mayReport(source: ReceiptSource, run: { siteId: string; origins: string[] }): boolean {
  if ("siteId" in source) return source.siteId === run.siteId;
  return source.origin === undefined || run.origins.includes(source.origin);
}
