import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { clientOptions } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { type FileLine, readLines } from "./file-lines.ts";
import { importStatements, topicIdsOfSite } from "./queries.ts";
import { readSubscription, type Subscription, type SubscriptionRules } from "./subscription.ts";

/** Lines that go in together, in one transaction: enough for COPY to be quick, little enough to hold in memory. */
const linesPerChunk = 20_000;

const readerFault =
  "is a reader of this site: to make a test device of it, open a link of `pressbell test-device link` in its browser";

const deadlockDetected = "40P01";
const triesAtMost = 10;

export type ImportReport = { lines: number; added: number; changed: number; unchanged: number; wrong: number };

type Wanted = {
  siteId: string;
  testLabel?: string | undefined;
  onWrongLine: (line: number, reason: string) => void;
};

/**
 * Takes subscriptions to a site of the actor's tenant from an NDJSON file, a line each, streaming. A wrong line goes to
 * `onWrongLine` with its number (from 1) and its reason, and the rest goes in; `onProgress` gets the bytes read so far.
 * With `testLabel` they become test subscribers; a line that names a reader of the site is wrong then. The same file
 * again changes nothing. Throws `not_found`.
 */
export function importSubscribers(
  app: App,
  actor: Actor,
  { file, onProgress, ...wanted }: Wanted & { file: string; onProgress: (bytesRead: number) => void },
): Promise<ImportReport> {
  const open = () => {
    const stream = createReadStream(file);
    return { chunks: stream, onFlush: () => onProgress(stream.bytesRead) };
  };
  return importChunks(app, actor, { ...wanted, open, hasMore: false });
}

/** Where lines come from. Opened only when there is somebody to read it. */
type Source = { chunks: AsyncIterable<Buffer>; onFlush?: () => void };

/** The same from any source of bytes. `hasMore`: others follow at once, and the last of them is told that it is. */
export async function importChunks(
  app: App,
  actor: Actor,
  input: Wanted & { open: () => Source; hasMore: boolean },
): Promise<ImportReport> {
  const site = isId(input.siteId) ? await siteOfTenant(app.db, actor.tenantId, input.siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${input.siteId}.` });
  const rules = { pushServices: app.config.PUSH_SERVICES, topicIds: await topicIdsOfSite(app.db, input.siteId) };
  const note = (details: Record<string, unknown>) =>
    recordAuditEvent(app.db, actor, "subscribers.imported", { siteId: input.siteId, details });
  const client = new pg.Client(clientOptions(app.connection, "pressbell import"));
  // A connection that is lost fails the statement at work; without a listener it would end the process as well.
  client.on("error", (error) => app.log.warn({ err: error }, "the import lost its database connection"));
  await client.connect();
  try {
    await client.query(importStatements.stage);
    const report = await importLines(client, rules, input);
    // Until now the planner knows nothing of these rows: paging an audience would be ten times slower. And the index that it
    // is counted from answers alone only for pages that a vacuum has seen: four times.
    if (report.added > 0 && !input.hasMore) await client.query("vacuum (analyze) subscribers, subscriber_topics");
    // Of a file that comes in parts its last one, and not sixty entries.
    if (!input.hasMore) await note({ ...report });
    return report;
  } catch (error) {
    // Some of the file may be in. The database may be what failed: then the log misses it as well.
    await note({ endedEarly: true }).catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
}

async function importLines(
  client: pg.Client,
  rules: SubscriptionRules,
  input: Wanted & { open: () => Source },
): Promise<ImportReport> {
  const report = { lines: 0, added: 0, changed: 0, unchanged: 0, wrong: 0 };
  const { chunks, onFlush } = input.open();
  let chunk: string[] = [];
  let merging = Promise.resolve();
  const merge = async (lines: string[]) => {
    const { added, changed, readers } = await mergeChunk(client, lines, input.siteId, input.testLabel);
    report.added += added;
    report.changed += changed;
    report.wrong += readers.length;
    report.unchanged -= readers.length;
    for (const line of readers) input.onWrongLine(line, readerFault);
    onFlush?.();
  };
  /** One chunk is merged while the next is read, and never two. */
  const flush = async () => {
    await merging;
    merging = merge(chunk);
    // Whoever awaits it next is told.
    merging.catch(() => {});
    chunk = [];
  };
  for await (const line of readLines(chunks)) {
    report.lines++;
    if ("text" in line && line.text.trim() === "") continue;
    const subscription = readLine(line, rules);
    if ("fault" in subscription) {
      report.wrong++;
      input.onWrongLine(report.lines, subscription.fault);
      continue;
    }
    report.unchanged++;
    chunk.push(copyLine(report.lines, subscription));
    if (chunk.length === linesPerChunk) await flush();
  }
  await flush();
  await merging;
  report.unchanged -= report.added + report.changed;
  return report;
}

function readLine(line: FileLine, rules: SubscriptionRules): Subscription | { fault: string } {
  if ("fault" in line) return line;
  try {
    return readSubscription(JSON.parse(line.text), rules);
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: "is not valid JSON" };
    throw error;
  }
}

/** One row in COPY's text format. Only an endpoint can hold a backslash; a URL holds no tab and no line break. */
function copyLine(line: number, subscription: Subscription): string {
  const hex = (bytes: Buffer) => `\\\\x${bytes.toString("hex")}`;
  const { endpoint, endpointHash, p256dh, auth, lane, topicIds } = subscription;
  const escaped = endpoint.replaceAll("\\", "\\\\");
  return `${line}\t${escaped}\t${hex(endpointHash)}\t${hex(p256dh)}\t${hex(auth)}\t${lane}\t{${topicIds.join(",")}}\n`;
}

/** What became of a chunk. `readers`: the lines that would have made a test device of a reader. */
type Merged = { added: number; changed: number; readers: number[] };

/** Two imports, or an import and readers who leave, may lock the same rows in another order: one of them goes again. */
async function mergeChunk(
  client: pg.Client,
  chunk: string[],
  siteId: string,
  label: string | undefined,
): Promise<Merged> {
  if (chunk.length === 0) return { added: 0, changed: 0, readers: [] };
  for (let tries = 1; ; tries++) {
    try {
      return await mergeOnce(client, chunk, siteId, label);
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || tries === triesAtMost) throw error;
    }
  }
}

async function mergeOnce(
  client: pg.Client,
  chunk: string[],
  siteId: string,
  label: string | undefined,
): Promise<Merged> {
  await client.query("begin");
  try {
    await pipeline(Readable.from(chunk), client.query(copyFrom(importStatements.copy)));
    const merged = await client.query<{ added: number; changed: number }>(importStatements.merge, [
      siteId,
      label ?? null,
    ]);
    const readers = label === undefined ? [] : await dropReaders(client, siteId);
    await client.query(importStatements.mergeTopics, [siteId]);
    await client.query("commit");
    return { ...merged.rows[0]!, readers };
  } catch (error) {
    // On a connection that was lost the rollback fails too; the first error is the one to be told.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

async function dropReaders(client: pg.Client, siteId: string): Promise<number[]> {
  const dropped = await client.query<{ line: number }>(importStatements.dropReaders, [siteId]);
  return dropped.rows.map(({ line }) => line).toSorted((a, b) => a - b);
}
