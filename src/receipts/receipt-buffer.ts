import type { App } from "../app.ts";
import { readMessageToken } from "../runs/message-token.ts";
import { originsOf } from "../tenants/sites/reader-settings.ts";
import { addReceipts, countedRuns, type ReceiptBits, type ReceiptKind, receiptKinds } from "./queries.ts";

const writeEveryMs = 1_000;
const bitsBytes = 128;
/**
 * Of one batch, one kind and one origin: some 20 MB when full, which takes sends to millions within a second. As many
 * more while those of the second before are being written.
 */
const entriesAtMost = 50_000;
/** What one statement writes: short enough that nobody waits for it. */
const entriesPerWrite = 2_000;

/** Who says it: a page or worker of an origin, one without an origin, or the service itself for a site. */
export type ReceiptSource = { origin: string | undefined } | { siteId: string };

/** What readers did, on its way to the database. */
export type Receipts = {
  /** Notes one receipt; a token that we did not sign is passed over. Takes microseconds and never fails. */
  note(token: string, kind: ReceiptKind, source: ReceiptSource): void;
  /** Writes what was noted. Throws nothing: what could not be written is kept for the next time. */
  write(): Promise<void>;
  /** Since the start of the process, those over the limits of memory. */
  dropped(): number;
  /** Writes the rest and ends. */
  stop(): Promise<void>;
};

type Entry = Omit<ReceiptBits, "siteId"> & { source: ReceiptSource; count: number };

/**
 * Gathers receipts in memory and writes them each second, so that a flood of them costs the database a statement or two.
 * Whether a run exists and the source may speak for its site is judged when they are written.
 */
export function collectReceipts(app: Pick<App, "db" | "log" | "secrets">): Receipts {
  let entries = new Map<string, Entry>();
  let dropped = 0;
  let writing = Promise.resolve();

  /** The entry under `key`, made where there is none; undefined where there is no room for another. */
  function entryOf(key: string, named: Omit<Entry, "bits" | "count">): Entry | undefined {
    const found = entries.get(key);
    if (found !== undefined || entries.size >= entriesAtMost) return found;
    const entry = { ...named, bits: Buffer.alloc(bitsBytes), count: 0 };
    entries.set(key, entry);
    return entry;
  }

  function putBack(taken: Map<string, Entry>): void {
    for (const [key, entry] of taken) {
      const again = entryOf(key, entry);
      if (again === undefined) dropped += entry.count;
      else {
        or(again.bits, entry.bits);
        again.count += entry.count;
      }
    }
  }

  async function writeOnce(): Promise<void> {
    const taken = entries;
    if (taken.size === 0) return;
    entries = new Map();
    try {
      await writeEntries(app, [...taken.values()]);
    } catch (error) {
      app.log.warn({ err: error }, "receipts could not be written and will be again");
      putBack(taken);
    }
  }

  const write = () => {
    writing = writing.then(writeOnce);
    return writing;
  };
  const timer = setInterval(write, writeEveryMs).unref();
  return {
    note(token, kind, source) {
      const place = readMessageToken(app.secrets.tokenKey, token);
      if (place === undefined) return;
      const from = "siteId" in source ? source.siteId : source.origin;
      const { runId, no, position } = place;
      const entry = entryOf(`${runId} ${no} ${kind} ${from}`, { runId, no, kind: receiptKinds[kind], source });
      if (entry === undefined) dropped++;
      else {
        // As PostgreSQL numbers the bits of a bit string: from the left.
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

function or(into: Buffer, more: Buffer): void {
  for (let i = 0; i < into.length; i++) into[i]! |= more[i]!;
}

async function writeEntries({ db }: Pick<App, "db">, entries: Entry[]): Promise<void> {
  const found = await countedRuns(db, [...new Set(entries.map(({ runId }) => runId))]);
  const runs = new Map(found.map((run) => [run.runId, { siteId: run.siteId, origins: originsOf(run) }]));
  // Of one batch and kind one entry, whoever said it: the statement takes no two.
  const merged = new Map<string, ReceiptBits>();
  for (const { runId, no, kind, bits, source } of entries) {
    const run = runs.get(runId);
    if (run === undefined || !maySpeak(source, run)) continue;
    const key = `${run.siteId} ${runId} ${String(no).padStart(10, "0")} ${kind}`;
    const entry = merged.get(key);
    if (entry === undefined) merged.set(key, { siteId: run.siteId, runId, no, kind, bits: Buffer.from(bits) });
    else or(entry.bits, bits);
  }
  const sorted = [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bits]) => bits);
  for (let from = 0; from < sorted.length; from += entriesPerWrite) {
    await addReceipts(db, sorted.slice(from, from + entriesPerWrite));
  }
}

function maySpeak(source: ReceiptSource, run: { siteId: string; origins: string[] }): boolean {
  if ("siteId" in source) return source.siteId === run.siteId;
  return source.origin === undefined || run.origins.includes(source.origin);
}
