import { access, constants, stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import type { App } from "../app.ts";
import { testDevicesOfSite } from "../campaigns/queries.ts";
import { maxDevices } from "../campaigns/test-campaign.ts";
import { appError } from "../errors.ts";
import { type ImportReport, importSubscribers } from "../subscribers/import/import-subscribers.ts";
import { type Command, print, UsageError, type Values } from "./command.ts";
import { operatorOfSite } from "./operator.ts";

export const subscribersImport: Command = {
  words: ["subscribers", "import"],
  usage:
    "subscribers import --site ID [--test-label L] [--json] FILE.ndjson\n" +
    '      a line each: {"endpoint","keys":{"p256dh","auth"},"topics"?:[UUID]}',
  options: { site: { type: "string" }, "test-label": { type: "string" }, json: { type: "boolean" } },
  required: ["site"],
  operands: ["FILE.ndjson"],
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
    const report = await work.finally(() => bar.stop());
    print(values, report);
    if (tookNothing(report)) process.exitCode = 1;
    if (testLabel !== undefined) await warnOfManyDevices(app, siteId);
  },
};

/** A script that goes on would take an import without one good line for an import. */
function tookNothing({ added, changed, unchanged, wrong }: ImportReport): boolean {
  return wrong > 0 && added + changed + unchanged === 0;
}

async function warnOfManyDevices(app: App, siteId: string): Promise<void> {
  const devices = await testDevicesOfSite(app.db, siteId, maxDevices + 1);
  if (devices.length <= maxDevices) return;
  process.stderr.write(
    `This site has more than ${maxDevices} test devices: a test send reaches the ${maxDevices} that came first. ` +
      "Remove others in the dashboard (Subscribers).\n",
  );
}

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
