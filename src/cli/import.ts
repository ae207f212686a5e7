import { access, constants, stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import { appError } from "../errors.ts";
import { importSubscribers } from "../subscribers/import-subscribers.ts";
import { type Command, print, UsageError, type Values } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

export const subscribersImport: Command = {
  words: ["subscribers", "import"],
  usage:
    "subscribers import --site ID [--test-label L] [--json] FILE.ndjson\n" +
    '      a line each: {"endpoint","keys":{"p256dh","auth"},"topics"?:[UUID]}',
  options: { site: { type: "string" }, "test-label": { type: "string" }, json: { type: "boolean" } },
  required: ["site"],
  operands: 1,
  async run(app, values, [file]) {
    const testLabel = readLabel(values);
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const bytes = await sizeOf(file!);
    const bar = new SingleBar({ format: "{bar} {percentage}% | {duration_formatted}", noTTYOutput: false });
    if (process.stderr.isTTY) bar.start(bytes, 0);
    const work = importSubscribers(app, actor, {
      siteId,
      file: file!,
      testLabel,
      onWrongLine: (line, reason) => process.stderr.write(`line ${line}: ${reason}\n`),
      onProgress: (bytesRead) => bar.update(bytesRead),
    });
    // The bar redraws itself by a timer, which would keep a failed command alive.
    print(values, await work.finally(() => bar.stop()));
  },
};

function readLabel(values: Values): string | undefined {
  const label = values["test-label"] as string | undefined;
  if (label !== undefined && label.trim() === "") throw new UsageError("--test-label must not be empty");
  return label?.trim();
}

async function sizeOf(file: string): Promise<number> {
  try {
    await access(file, constants.R_OK);
    const found = await stat(file);
    if (!found.isDirectory()) return found.size;
  } catch {
    // Said below: a missing file, or one that this user may not read.
  }
  throw appError("not_found", { message: `The file ${file} cannot be read. Check its path.` });
}
