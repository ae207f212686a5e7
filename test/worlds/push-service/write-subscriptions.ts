import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Subscription } from "./subscriptions.ts";

const LINES_AT_ONCE = 200;

/** Writes NDJSON, one subscription a line, holding a few hundred of them at a time. */
export async function writeSubscriptions(subscriptions: Iterable<Subscription>, file: string): Promise<void> {
  await pipeline(Readable.from(piecesOf(subscriptions)), createWriteStream(file));
}

function* piecesOf(subscriptions: Iterable<Subscription>): Generator<string> {
  let lines: string[] = [];
  for (const subscription of subscriptions) {
    lines.push(`${JSON.stringify(subscription)}\n`);
    if (lines.length < LINES_AT_ONCE) continue;
    yield lines.join("");
    lines = [];
  }
  if (lines.length > 0) yield lines.join("");
}
