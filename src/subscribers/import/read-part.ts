import type { ParseTask } from "../../parser.ts";
import type { SubscriptionRules } from "../subscription.ts";
import type { FileLayout } from "./file-layout.ts";
import { readSubscriptions } from "./read-subscriptions.ts";

/**
 * The records of one part. A part of 1 MiB has some 4,000 subscriptions; one with more records than this has lines that
 * hold none.
 */
export const maxRecords = 20_000;
/** Further wrong lines are only counted: a part with more of them is no file of subscriptions. */
const maxListedFaults = 5_000;

export type Fault = { line: number; lastLine?: number; reason: string };
/**
 * `copyLines`: of the right ones (`copyLine`). `lines`, `wrong`: how many records there are, and how many are wrong.
 */
export type ReadPart = { lines: number; wrong: number; copyLines: string[]; faults: Fault[] };

type Input = { bytes: Uint8Array; layout: FileLayout; rules: SubscriptionRules };

/** Reads a part of a file. Returns undefined if it has more than `maxRecords`. */
export async function readPart({ bytes, layout, rules }: Input): Promise<ReadPart | undefined> {
  const part: ReadPart = { lines: 0, wrong: 0, copyLines: [], faults: [] };
  for await (const read of readSubscriptions(singleChunk(bytes), layout, rules)) {
    if (++part.lines > maxRecords) return undefined;
    if ("copy" in read) part.copyLines.push(read.copy);
    else if ("fault" in read) {
      part.wrong++;
      if (part.faults.length < maxListedFaults) part.faults.push(faultOf(read));
    }
  }
  return part;
}

export function faultOf({ line, lastLine, fault }: { line: number; lastLine: number; fault: string }): Fault {
  return { line, ...(lastLine === line ? {} : { lastLine }), reason: fault };
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Buffer> {
  // Bytes that were cloned into a thread are no Buffer any more.
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** `readPart` in a thread. */
export const partTask: ParseTask<Input, ReadPart | undefined> = { module: new URL(import.meta.url), run: readPart };
