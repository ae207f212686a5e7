import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";

// Elsewhere threads have no priority of their own.
test.runIf(process.platform === "linux")("delivery threads give way to the thread that answers requests", async () => {
  const app = await openTestApp();
  const worker = spawnProcess(["worker"], { ...settingsOf(app), WORKERS: "2" });
  await worker.printed(/delivering with/);
  const pid = worker.process.pid!;
  const ofMain = await nicenessOf(pid, pid);
  await expect
    .poll(async () => {
      const threads = (await readdir(`/proc/${pid}/task`)).map(Number);
      const niceness = await Promise.all(threads.map((thread) => nicenessOf(pid, thread)));
      return niceness.filter((of) => of === Math.min(ofMain + 5, 19)).length;
    })
    .toBe(2);
});

/** Returns the niceness of a thread, the 19th field of its stat file (proc(5)). */
async function nicenessOf(pid: number, thread: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, "utf8");
  // The second field is a name in brackets, which may have spaces.
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
}
