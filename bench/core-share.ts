import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const root = "/sys/fs/cgroup";
/** The period of the limit. It is short, so that a throttled process pauses for milliseconds only. */
const periodUs = 10_000;

/**
 * Limits a process, with all its threads, to `percent` of one core, by its own control group (cgroups(7), version 1 or
 * 2). Returns a function that removes the group after the process has ended. Throws if this user may not create a
 * group.
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
