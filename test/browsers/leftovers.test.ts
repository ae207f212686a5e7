import { readdir, readFile, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { installedBrowsers } from "../fixtures/browsers/installed-browsers.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { startPushService } from "../fixtures/push-service/push-service.ts";

/** Ids of the processes of this machine whose command line names `text`. */
async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return ids.filter((_, at) => lines[at]!.includes(text));
}

describe.skipIf(process.platform !== "linux").each(installedBrowsers())("$name", ({ start }) => {
  test("a browser that was closed leaves no process and no folder", async () => {
    const pushService = await startPushService({ host: "localhost" });
    afterFile(() => pushService.close());
    const browser = await start(pushService);
    expect(await processesWith(browser.home)).not.toEqual([]);
    await browser.close();
    await expect(stat(browser.home)).rejects.toThrow("ENOENT");
    // A killed process stands in /proc, without a command line, until its parent has heard of it.
    await eventually(async () => (await processesWith(browser.home)).length === 0);
  });
});
