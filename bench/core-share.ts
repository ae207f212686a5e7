import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const root = "/sys/fs/cgroup";
/** Short, so that a throttled process stands still for milliseconds only. */
const periodUs = 10_000;

/**
 * Lets a process with all its threads use at most `percent` of one core, by a control group of its own (cgroups(7), version 1
 * or 2). Returns a function that removes the group, for when the process has ended. Throws without the right to make one.
 */
export async function holdToCoreShare(pid: number, percent: number): Promise<() => Promise<void>> {
  const isFirstVersion = existsSync(join(root, "cpu/cpu.cfs_quota_us"));
  const group = join(root, isFirstVersion ? "cpu" : "", `pressbell-bench-${pid}`);
  const quotaUs = (periodUs * percent) / 100;
  try {
    await mkdir(group);
    if (isFirstVersion) {
      await writeFile(join(group, "cpu.cfs_period_us"), String(periodUs));
      await writeFile(join(group, "cpu.cfs_quota_us"), String(quotaUs));
    } else await writeFile(join(group, "cpu.max"), `${quotaUs} ${periodUs}`);
    await writeFile(join(group, "cgroup.procs"), String(pid));
  } catch (error) {
    throw new Error(`--growth holds processes in control groups: run it as root (${(error as Error).message}).`);
  }
  return () => rmdir(group);
}
