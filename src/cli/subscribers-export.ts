import { rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportSubscribers } from "../dashboard-api/exports.ts";
import type { Command } from "./command.ts";
import { operatorOfSite } from "./operator.ts";
import { createSecretFile } from "./secret-file.ts";

export const subscribersExport: Command = {
  words: ["subscribers", "export"],
  summary: "Write all subscribers of a site to a file",
  usage:
    "subscribers export --site ID [FILE.ndjson]\n" +
    "      the lines of the import; without a file on standard output. Exit code 0 only if all are written",
  options: { site: { type: "string" } },
  required: ["site"],
  optionalOperands: ["FILE.ndjson"],
  async run(app, values, [file]) {
    const { actor, siteId } = await operatorOfSite(app, values.site);
    if (file === undefined) return writeLines(await exportSubscribers(app, actor, { siteId }), process.stdout);
    const output = await createSecretFile(file, "FILE.ndjson");
    try {
      await writeLines(await exportSubscribers(app, actor, { siteId }), output.createWriteStream());
    } catch (error) {
      // A partial file must not be mistaken for the whole audience.
      await rm(file, { force: true });
      throw error;
    }
  },
};

/** Writes lines to a file or to standard output, which stays open. */
export async function writeLines(lines: AsyncGenerator<string>, output: Writable): Promise<void> {
  try {
    await pipeline(lines, output, { end: output !== process.stdout });
  } catch (error) {
    // The next program of the pipe, such as `head`, has stopped reading.
    if (output !== process.stdout || (error as { code?: string }).code !== "EPIPE") throw error;
    process.exitCode = 1;
  }
}
