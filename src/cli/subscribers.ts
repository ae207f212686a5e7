import { access, constants, stat } from "node:fs/promises";
import { SingleBar } from "cli-progress";
import { renderUnicodeCompact } from "uqr";
import type { App } from "../app.ts";
import { testDevicesOfSite } from "../campaigns/queries.ts";
import { maxDevices } from "../campaigns/test-campaign.ts";
import { appError } from "../errors.ts";
import { readUnseen } from "../receipts/unseen.ts";
import { deleteRegistered } from "../subscribers/delete-registered.ts";
import { importSubscribers } from "../subscribers/import/import-subscribers.ts";
import type { ImportReport } from "../subscribers/import/record-part.ts";
import { deleteRefused, readRefused } from "../subscribers/refused.ts";
import { createTestLink } from "../subscribers/test-devices.ts";
import { type Command, print, UsageError, type Values, withOptionNames } from "./command.ts";
import { describeEnds, layoutOfFile } from "./import-layout.ts";
import { operatorOfSite } from "./operator.ts";

export const subscribersImport: Command = {
  words: ["subscribers", "import"],
  summary: "Import subscribers from a file",
  usage:
    "subscribers import --site ID [--test-label L] [--columns ROLE=NAME,…] [--bring-back] [--json] FILE\n" +
    '      one line for each: {"endpoint","keys":{"p256dh","auth"},"topics"?:[UUID]}\n' +
    "      or a list of them in JSON, or CSV, also as .gz; --columns endpoint=…,p256dh=…,auth=… if they are not found,\n" +
    "      left=… or subscribed=… for columns that say who has left; --bring-back: also who has left this site",
  options: {
    site: { type: "string" },
    "test-label": { type: "string" },
    columns: { type: "string" },
    "bring-back": { type: "boolean" },
    json: { type: "boolean" },
  },
  required: ["site"],
  operands: ["FILE"],
  async run(app, values, [file]) {
    const testLabel = readLabel(values);
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const bytes = await sizeOf(file!);
    const { layout, ends } = await layoutOfFile(file!, values.columns as string | undefined);
    process.stderr.write(describeEnds(ends));
    const bar = new SingleBar({ format: "{bar} {percentage}% | {duration_formatted}", noTTYOutput: false });
    if (process.stderr.isTTY) bar.start(bytes, 0);
    const work = importSubscribers(app, actor, {
      siteId,
      file: file!,
      testLabel,
      layout,
      bringBack: values["bring-back"] === true,
      onWrongLine: (line, reason) => process.stderr.write(`line ${line}: ${reason}\n`),
      onProgress: (bytesRead) => bar.update(bytesRead),
    });
    // Without this, the bar's timer would keep a failed command running.
    const report = await work.finally(() => bar.stop());
    print(values, report);
    if (importedNothing(report)) process.exitCode = 1;
    if (testLabel !== undefined) await warnOfManyDevices(app, siteId);
  },
};

/**
 * Returns whether every line was wrong. The exit code is then 1, so that a script does not continue as after an
 * import.
 */
function importedNothing({ added, changed, unchanged, wrong }: ImportReport): boolean {
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
    // The error below reports that the file is missing, or that this user may not read it.
  }
  throw appError("not_found", { message: `The file ${file} cannot be read. Check its path.` });
}

const windowOptions = { from: "registered-from", to: "registered-to" };

export const subscribersDelete: Command = {
  words: ["subscribers", "delete"],
  summary: "Delete subscribers who registered within a time",
  usage:
    "subscribers delete --site ID --registered-from TIME --registered-to TIME [--never-accepted] [--yes] [--json]\n" +
    "      those that browsers registered in a window (2030-01-31T18:00:00Z); without --yes only counts them",
  options: {
    site: { type: "string" },
    "registered-from": { type: "string" },
    "registered-to": { type: "string" },
    "never-accepted": { type: "boolean" },
    yes: { type: "boolean" },
    json: { type: "boolean" },
  },
  required: ["site", "registered-from", "registered-to"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const window = { from: values["registered-from"], to: values["registered-to"] };
    const body = { ...window, neverAccepted: values["never-accepted"] === true, dryRun: values.yes !== true };
    let found = 0;
    for (let hasMore = true; hasMore; ) {
      const page = await withOptionNames(windowOptions, () => deleteRegistered(app, actor, { siteId, body }));
      found += page.subscribers;
      hasMore = page.hasMore;
    }
    print(values, body.dryRun ? { found, deleted: 0 } : { found, deleted: found });
    if (body.dryRun) process.stderr.write("Nothing was deleted. Add --yes to delete them.\n");
  },
};

export const subscribersRefused: Command = {
  words: ["subscribers", "refused"],
  summary: "Count subscribers that push services refuse",
  usage:
    "subscribers refused --site ID [--delete] [--json]\n" +
    "      those whose push service refuses them but not others; --delete deletes those that are excluded from sends",
  options: { site: { type: "string" }, delete: { type: "boolean" }, json: { type: "boolean" } },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const counts = await readRefused(app, actor, { siteId });
    if (values.delete !== true) return print(values, counts);
    let deleted = 0;
    for (let hasMore = true; hasMore; ) {
      const part = await deleteRefused(app, actor, { siteId });
      deleted += part.deleted;
      hasMore = part.hasMore;
    }
    print(values, { ...counts, deleted });
  },
};

export const subscribersUnseen: Command = {
  words: ["subscribers", "unseen"],
  summary: "Count subscribers whose messages are never shown",
  usage:
    "subscribers unseen --site ID [--json]\n" +
    "      those whose messages are taken and never shown, by push service, of the last 20 runs within a week",
  options: { site: { type: "string" }, json: { type: "boolean" } },
  required: ["site"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    print(values, await readUnseen(app, actor, { siteId }));
  },
};

export const testDeviceLink: Command = {
  words: ["test-device", "link"],
  summary: "Print a link that makes a browser a test device",
  usage:
    "test-device link --site ID --label NAME [--json]\n" +
    "      a link and its QR code: the browser that opens it becomes a test device",
  options: { site: { type: "string" }, label: { type: "string" }, json: { type: "boolean" } },
  required: ["site", "label"],
  async run(app, values) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    const input = { siteId, label: String(values.label) };
    const created = await withOptionNames({ label: "label" }, () => createTestLink(app, actor, input));
    if (values.json === true) return print(values, created);
    const { link, expiresAt } = created;
    process.stdout.write(
      `Open this on the device before ${expiresAt}:\n\n  ${link}\n\n${renderUnicodeCompact(link)}\n`,
    );
  },
};
