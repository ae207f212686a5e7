import { readdir, readFile, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { installedBrowsers } from "../fixtures/browsers/installed-browsers.ts";
import { eventually } from "../fixtures/eventually.ts";
import { startPushService } from "../fixtures/push-service/push-service.ts";

/** Returns the ids of all processes on this machine whose command line contains `text`. */
async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return ids.filter((_, at) => lines[at]!.includes(text));
}

describe.skipIf(process.platform !== "linux").each(installedBrowsers())("$name", ({ start }) => {
  test("a closed browser leaves no process and no folder", async () => {
    const pushService = await startPushService({ host: "localhost" });
    const browser = await start(pushService);
    expect(await processesWith(browser.home)).not.toEqual([]);
    await browser.close();
    await expect(stat(browser.home)).rejects.toThrow("ENOENT");
    // A killed process stays in /proc, without a command line, until its parent has reaped it.
    await eventually(async () => (await processesWith(browser.home)).length === 0);
  });
});
