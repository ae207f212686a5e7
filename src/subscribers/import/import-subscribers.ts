import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { SubscriptionRules } from "../subscription.ts";
import type { FileLayout } from "./file-layout.ts";
import { mergeLines } from "./merge-lines.ts";
import { importStatements } from "./queries.ts";
import { readSubscriptions } from "./read-subscriptions.ts";
import type { ImportReport } from "./record-part.ts";
import { rulesOfSite } from "./site-rules.ts";

/** The lines of one transaction: enough for COPY to be fast, but few enough to hold in memory. */
const linesPerMerge = 20_000;
/** The number of lines after which other work of the process gets its turn. */
const linesPerTurn = 500;

type ImportOptions = {
  siteId: string;
  testLabel?: string | undefined;
  /** Whether to import readers again who have left this site or were erased here. */
  bringBack?: boolean;
  /** The layout of the file. Default: a subscription in each line. */
  layout?: FileLayout | undefined;
  /** `lastLine`: the line where the record ends. */
  onWrongLine: (line: number, reason: string, lastLine: number) => void;
};

/**
 * Imports subscriptions to a site of the actor's tenant from a file (see `FileLayout`), as a stream. Unpacks gzip.
 * Reports a wrong line to `onWrongLine` with its number (from 1) and the reason, and imports the rest. `onProgress`
 * gets the number of bytes read so far. `testLabel`: the subscribers become test subscribers, and a line that names a
 * reader of the site is wrong. A second import of the same file changes nothing. Throws `not_found`.
 */
export function importSubscribers(
  app: App,
  actor: Actor,
  { file, onProgress, ...options }: ImportOptions & { file: string; onProgress: (bytesRead: number) => void },
): Promise<ImportReport> {
  const open = () => {
    const stream = createReadStream(file);
    const chunks = file.endsWith(".gz") ? unpack(stream) : stream;
    return { chunks, onMerge: () => onProgress(stream.bytesRead) };
  };
  return importChunks(app, actor, { ...options, open, hasMore: false });
}

function unpack(stream: Readable): Readable {
  const unpacked = createGunzip();
  // A fault of either stream is thrown where the unpacked bytes are read.
  pipeline(stream, unpacked).catch(() => {});
  return unpacked;
}

/** The bytes of a file. The file is opened only after the import has connected, so that no open file is left behind. */
type Source = { chunks: AsyncIterable<Buffer>; onMerge?: () => void };

/**
 * Imports subscriptions from any source of bytes, when it is the tenant's turn. `hasMore`: other parts follow. Only
 * the last part analyzes the tables and is recorded.
 */
export async function importChunks(
  app: App,
  actor: Actor,
  input: ImportOptions & { open: () => Source; hasMore: boolean },
): Promise<ImportReport> {
  const { siteId, hasMore, bringBack = false } = input;
  const rules = await rulesOfSite(app, actor, siteId);
  const recordImport = (details: Record<string, unknown>) =>
    recordAuditEvent(app.db, actor, "subscribers.imported", {
      siteId,
      details: { ...details, ...(bringBack ? { bringBack } : {}) },
    });
  const work = async (client: pg.ClientBase) => {
    const report = await importLines(client, rules, input);
    if (report.added > 0 && !hasMore) await client.query(importStatements.analyze);
    return report;
  };
  try {
    const report = await app.imports.inTurn(actor.tenantId, () => app.imports.withClient(work));
    if (!hasMore) await recordImport({ ...report });
    return report;
  } catch (error) {
    // Part of the file may be imported, so the import is recorded. If the database itself failed, the audit log misses
    // it too.
    await recordImport({ endedEarly: true }).catch(() => {});
    throw error;
  }
}

async function importLines(
  client: pg.ClientBase,
  rules: SubscriptionRules,
  input: ImportOptions & { open: () => Source },
): Promise<ImportReport> {
  const { siteId, testLabel, bringBack } = input;
  const report = { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 };
  const { chunks, onMerge } = input.open();
  let pending: string[] = [];
  let merging = Promise.resolve();
  const merge = async (lines: string[]) => {
    const { added, changed, refused } = await mergeLines(client, lines, { siteId, label: testLabel, bringBack });
    report.added += added;
    report.changed += changed;
    report.wrong += refused.length;
    report.unchanged -= refused.length;
    for (const { line, reason } of refused) input.onWrongLine(line, reason, line);
    onMerge?.();
  };
  /** Merges the pending lines while the next ones are read: one merge at a time. */
  const startMerge = async () => {
    await merging;
    merging = merge(pending);
    // The next await throws the error. Until then the rejection must not count as unhandled.
    merging.catch(() => {});
    pending = [];
  };
  for await (const read of readSubscriptions(chunks, input.layout ?? { format: "ndjson" }, rules)) {
    if (++report.lines % linesPerTurn === 0) await nextTurn();
    if ("copy" in read) {
      report.unchanged++;
      pending.push(read.copy);
      if (pending.length === linesPerMerge) await startMerge();
    } else if ("fault" in read) {
      report.wrong++;
      input.onWrongLine(read.line, read.fault.message, read.lastLine);
    }
  }
  await startMerge();
  await merging;
  report.unchanged -= report.added + report.changed;
  return report;
}
