import type { ParseTask } from "../../parser.ts";
import type { SubscriptionRules } from "../subscription.ts";
import type { FileLayout } from "./file-layout.ts";
import { readSubscriptions } from "./read-subscriptions.ts";
import { faultOf, type WrongLine } from "./wrong-line.ts";

/**
 * The most records of one part. A part of 1 MiB has some 4,000 subscriptions. If it has more records than this limit,
 * some of its lines hold no subscription.
 */
export const maxRecords = 20_000;
/**
 * The most wrong lines that are listed. Further ones are only counted: a part with more of them is no file of
 * subscriptions.
 */
const maxListedFaults = 5_000;

/**
 * `copyLines`: the right lines, as `copyLine` writes them. `lines`: the number of all records. `wrong`: the number of
 * wrong ones.
 */
export type ReadPart = { lines: number; wrong: number; copyLines: string[]; faults: WrongLine[] };

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

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Buffer> {
  // Bytes that were cloned into a thread are no longer a Buffer.
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The task that runs `readPart` in a thread. */
export const partTask: ParseTask<Input, ReadPart | undefined> = { module: new URL(import.meta.url), run: readPart };
