import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { surviveThisCommit } from "../../db/pooled-client.ts";
import type { Subscription } from "../subscription.ts";
import { importStatements } from "./queries.ts";

const deadlockDetected = "40P01";
const maxTries = 10;

/** Returns a subscription as a line of COPY's text format, with its number in the file. */
export function copyLine(line: number, subscription: Subscription): string {
  const hex = (bytes: Buffer) => `\\\\x${bytes.toString("hex")}`;
  const { endpoint, endpointHash, p256dh, auth, pushService, topicIds } = subscription;
  // Only an endpoint can hold a backslash; a URL holds no tab and no line break.
  const escaped = endpoint.replaceAll("\\", "\\\\");
  return `${line}\t${escaped}\t${hex(endpointHash)}\t${hex(p256dh)}\t${hex(auth)}\t${pushService}\t{${topicIds.join(",")}}\n`;
}

/** `readers`: the numbers of the lines that would have turned a reader into a test device. */
export type MergeResult = { added: number; changed: number; readers: number[] };

/**
 * Merges lines of `copyLine` into the subscribers of a site, in one transaction. Retries after a deadlock: two imports,
 * or an import and readers who unsubscribe, may lock the same rows in another order.
 */
export async function mergeLines(
  client: pg.Client,
  lines: string[],
  siteId: string,
  label: string | undefined,
): Promise<MergeResult> {
  if (lines.length === 0) return { added: 0, changed: 0, readers: [] };
  for (let tries = 1; ; tries++) {
    try {
      return await tryMerge(client, lines, siteId, label);
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || tries === maxTries) throw error;
    }
  }
}

async function tryMerge(
  client: pg.Client,
  lines: string[],
  siteId: string,
  label: string | undefined,
): Promise<MergeResult> {
  await client.query("begin");
  try {
    await client.query(surviveThisCommit);
    await client.query(importStatements.createLines);
    await pipeline(Readable.from(lines), client.query(copyFrom(importStatements.copyLines)));
    const merged = await client.query<{ added: number; changed: number }>(importStatements.mergeSubscribers, [
      siteId,
      label ?? null,
    ]);
    const readers = label === undefined ? [] : await deleteReaderLines(client, siteId);
    await client.query(importStatements.mergeTopics, [siteId]);
    await client.query("commit");
    return { ...merged.rows[0]!, readers };
  } catch (error) {
    // If the connection is lost, the rollback fails too: report the first error.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

async function deleteReaderLines(client: pg.Client, siteId: string): Promise<number[]> {
  const deleted = await client.query<{ line: number }>(importStatements.deleteReaderLines, [siteId]);
  return deleted.rows.map(({ line }) => line).toSorted((a, b) => a - b);
}
