import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { noLimits, sessionSettings } from "../../db/session-settings.ts";
import { appError } from "../../errors.ts";
import { faults } from "../../faults.ts";
import { usuallyReportsDisplays } from "../push-service.ts";
import type { Subscription } from "../subscription.ts";
import { importStatements } from "./queries.ts";
import { faultOf, type WrongLine } from "./wrong-line.ts";

const deadlockDetected = "40P01";
const maxTries = 10;

/** Returns a subscription as a line of COPY's text format, with its number in the file. */
export function copyLine(line: number, subscription: Subscription): string {
  const hex = (bytes: Buffer) => `\\\\x${bytes.toString("hex")}`;
  const { endpoint, endpointHash, p256dh, auth, pushService, topicIds } = subscription;
  // Only an endpoint can hold a backslash. A URL holds no tab and no line break.
  const escaped = endpoint.replaceAll("\\", "\\\\");
  const reports = usuallyReportsDisplays(pushService);
  const cells = [
    line,
    escaped,
    hex(endpointHash),
    hex(p256dh),
    hex(auth),
    pushService,
    reports,
    `{${topicIds.join(",")}}`,
  ];
  return `${cells.join("\t")}\n`;
}

/**
 * The options of a merge. `label`: the subscribers become test subscribers. `bringBack`: also merges readers who have
 * left the site or were erased there. `signal`: the signal of a request. Once it is aborted, nothing is stored, and no
 * wait for a lock or statement is longer than a request may wait.
 */
export type MergeOptions = {
  siteId: string;
  label?: string | undefined;
  bringBack?: boolean | undefined;
  signal?: AbortSignal;
};

/**
 * `refused`: the lines that would have turned a reader into a test device or brought back a reader who has left, in
 * order.
 */
export type MergeResult = { added: number; changed: number; refused: WrongLine[] };

/**
 * Merges lines of `copyLine` into the subscribers of a site, in one transaction. Retries after a deadlock: two
 * imports, or an import and readers who unsubscribe, may lock the same rows in different orders.
 */
export async function mergeLines(client: pg.ClientBase, lines: string[], options: MergeOptions): Promise<MergeResult> {
  if (lines.length === 0) return { added: 0, changed: 0, refused: [] };
  for (let tries = 1; ; tries++) {
    try {
      return await tryMerge(client, lines, options);
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || tries === maxTries) throw error;
    }
  }
}

async function tryMerge(client: pg.ClientBase, lines: string[], options: MergeOptions): Promise<MergeResult> {
  const { siteId, label, bringBack, signal } = options;
  const run = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> => {
    if (signal?.aborted) throw appError("unavailable");
    return (await client.query(text, values)).rows as Row[];
  };
  const linesOf = async (text: string) => (await run<{ line: number }>(text, [siteId])).map(({ line }) => line);
  await client.query("begin");
  try {
    await run(`select ${sessionSettings("transaction", noLimits)}`);
    if (signal !== undefined) await run(importStatements.limitWaits);
    await run(importStatements.createLines);
    await pipeline(Readable.from(lines), client.query(copyFrom(importStatements.copyLines)));
    if (bringBack) await run(importStatements.forgetLeft, [siteId]);
    const left = await linesOf(importStatements.deleteLeftLines);
    const [merged] = await run<{ added: number; changed: number }>(importStatements.mergeSubscribers, [
      siteId,
      label ?? null,
    ]);
    const readers = label === undefined ? [] : await linesOf(importStatements.deleteReaderLines);
    await run(importStatements.mergeTopics, [siteId]);
    const leftMeanwhile = await linesOf(importStatements.deleteLeftMeanwhile);
    await run("commit");
    const refused = [
      ...[...left, ...leftMeanwhile].map((line) => faultOf({ line, lastLine: line, fault: faults.left_here() })),
      ...readers.map((line) => faultOf({ line, lastLine: line, fault: faults.reader_not_device() })),
    ].toSorted((a, b) => a.line - b.line);
    return { added: merged!.added - leftMeanwhile.length, changed: merged!.changed, refused };
  } catch (error) {
    // If the connection is lost, the rollback fails too, so the first error is thrown.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
