import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { createClient } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { isId } from "../../ids.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import { topicIdsOfSite } from "../queries.ts";
import { readSubscription, type SubscriptionRules } from "../subscription.ts";
import type { FileLayout } from "./file-layout.ts";
import { copyLine, mergeLines } from "./merge-lines.ts";
import { readRecords } from "./read-records.ts";
import { type ImportReport, type PartOfImport, recordPart } from "./record-part.ts";

/** Lines of one transaction: enough for COPY to be fast, few enough to hold in memory. */
const linesPerMerge = 20_000;

const readerFault =
  "is a reader of this site: to make a test device of it, open a link of `pressbell test-device link` in its browser";

const nothing: ImportReport = { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 };

type ImportOptions = {
  siteId: string;
  testLabel?: string | undefined;
  /** What the file is. Default: a subscription in each line. */
  layout?: FileLayout | undefined;
  /** `lastLine`: where the record of this line ends. */
  onWrongLine: (line: number, reason: string, lastLine: number) => void;
};

/**
 * Imports subscriptions to a site of the actor's tenant from a file (see `FileLayout`; gzip is unpacked), as a stream.
 * Reports a wrong line to `onWrongLine` with its number (from 1) and the reason, and imports the rest. `onProgress`
 * gets the number of bytes read so far. `testLabel` makes test subscribers of them; then a line that names a reader of
 * the site is wrong. A second import of the same file changes nothing. Throws `not_found`.
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
  // A fault of either is thrown where the unpacked bytes are read.
  pipeline(stream, unpacked).catch(() => {});
  return unpacked;
}

/** The bytes of a file. Opened only after the import has connected, so that no open file is left behind. */
type Source = { chunks: AsyncIterable<Buffer>; onMerge?: () => void };

/**
 * The same from any source of bytes. `hasMore`: this is one part of a file and others follow; the last part analyzes the
 * tables. `partOf`: the import of which it is a part, whose audit event counts it; without it, the last part is recorded.
 */
export async function importChunks(
  app: App,
  actor: Actor,
  input: ImportOptions & { open: () => Source; hasMore: boolean; partOf?: PartOfImport },
): Promise<ImportReport> {
  const site = isId(input.siteId) ? await siteOfTenant(app.db, actor.tenantId, input.siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${input.siteId}.` });
  const rules = { pushServices: app.config.PUSH_SERVICES, topicIds: await topicIdsOfSite(app.db, input.siteId) };
  const recordImport = (details: Record<string, unknown>) =>
    recordAuditEvent(app.db, actor, "subscribers.imported", { siteId: input.siteId, details });
  const client = createClient(app.connection, "pressbell import");
  // A lost connection fails the running statement. Without this listener it would also end the process.
  client.on("error", (error) => app.log.warn({ err: error }, "the import lost its database connection"));
  await client.connect();
  try {
    const report = await importLines(client, rules, input);
    // Without new statistics, paging an audience is ten times slower. And the index from which an audience is counted
    // answers alone only for pages that a vacuum has marked as visible: four times faster.
    if (report.added > 0 && !input.hasMore) await client.query("vacuum (analyze) subscribers, subscriber_topics");
    // One audit event for a file in parts, and not sixty.
    if (input.partOf !== undefined) await recordPart(app.db, actor, { ...input, ...input.partOf }, report);
    else if (!input.hasMore) await recordImport({ ...report });
    return report;
  } catch (error) {
    // Part of the file may be imported. If the database itself failed, the audit log misses this event as well.
    if (input.partOf === undefined) await recordImport({ endedEarly: true }).catch(() => {});
    else
      await recordPart(app.db, actor, { ...input, ...input.partOf, part: 0, hasMore: true }, nothing).catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
}

async function importLines(
  client: pg.Client,
  rules: SubscriptionRules,
  input: ImportOptions & { open: () => Source },
): Promise<ImportReport> {
  const report = { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 };
  const { chunks, onMerge } = input.open();
  let pending: string[] = [];
  let merging = Promise.resolve();
  const merge = async (lines: string[]) => {
    const { added, changed, readers } = await mergeLines(client, lines, input.siteId, input.testLabel);
    report.added += added;
    report.changed += changed;
    report.wrong += readers.length;
    report.unchanged -= readers.length;
    for (const line of readers) input.onWrongLine(line, readerFault, line);
    onMerge?.();
  };
  /** Merges the pending lines while the next ones are read: one merge at a time. */
  const startMerge = async () => {
    await merging;
    merging = merge(pending);
    // The next await throws the error; until then the rejection must not count as unhandled.
    merging.catch(() => {});
    pending = [];
  };
  for await (const record of readRecords(chunks, input.layout ?? { format: "ndjson" })) {
    report.lines++;
    if ("isBlank" in record) continue;
    const subscription = "fault" in record ? record : readSubscription(record.input, rules);
    if ("fault" in subscription) {
      report.wrong++;
      input.onWrongLine(record.line, subscription.fault, record.lastLine);
      continue;
    }
    report.unchanged++;
    pending.push(copyLine(record.line, subscription));
    if (pending.length === linesPerMerge) await startMerge();
  }
  await startMerge();
  await merging;
  report.unchanged -= report.added + report.changed;
  return report;
}
