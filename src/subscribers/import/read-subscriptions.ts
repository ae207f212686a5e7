import type { Message } from "../../messages.ts";
import { readSubscription, type SubscriptionRules } from "../subscription.ts";
import type { FileLayout } from "./file-layout.ts";
import { copyLine } from "./merge-lines.ts";
import { readRecords } from "./read-records.ts";

/** A record in the lines `line` to `lastLine`, as a line of COPY (`copyLine`) or with the reason why it is wrong. */
export type ReadLine = { line: number; lastLine: number } & ({ copy: string } | { fault: Message } | { isBlank: true });

/** Yields the validated records of a file. Holds one chunk and one record in memory, whatever the size of the file. */
export async function* readSubscriptions(
  chunks: AsyncIterable<Buffer>,
  layout: FileLayout,
  rules: SubscriptionRules,
): AsyncGenerator<ReadLine> {
  for await (const record of readRecords(chunks, layout)) {
    const { line, lastLine } = record;
    if ("isBlank" in record) yield { line, lastLine, isBlank: true };
    else if ("fault" in record) yield { line, lastLine, fault: record.fault };
    else {
      const subscription = readSubscription(record.input, rules);
      if ("fault" in subscription) yield { line, lastLine, fault: subscription.fault };
      else yield { line, lastLine, copy: copyLine(line, subscription) };
    }
  }
}
