import { readdir, readFile } from "node:fs/promises";

/** What Linux tells of processes in /proc. CPU time is counted in hundredths of a second. */
const msPerTick = 10;

/**
 * The CPU time of a process, of all its threads (those that ended too), and of everything below it, in ms so far.
 * Processes that have ended count where their parent waited for them.
 */
export async function cpuMsOf(rootPid: number): Promise<number> {
  const stats = await Promise.all((await treeOf(rootPid)).map(statOf));
  // utime, stime, and those of children that were waited for: fields 14 to 17 of proc(5).
  return stats.flatMap((fields) => fields.slice(11, 15)).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick;
}

/** The CPU time of a process alone, with all its threads, in ms so far; 0 when it has ended. */
export async function ownCpuMsOf(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * msPerTick;
}

/** The memory of a process and everything below it, in MB: what several share (PostgreSQL's buffers) counts once. */
export async function memoryMbOf(rootPid: number): Promise<number> {
  const sizes = (await treeOf(rootPid)).map(async (pid) => {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1_024;
  });
  return (await Promise.all(sizes)).reduce((sum, mb) => sum + mb, 0);
}

async function treeOf(rootPid: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map<number, number>();
  for (const pid of pids) parents.set(pid, Number((await statOf(pid))[1] ?? 0));
  const below = (pid: number): number[] => [
    pid,
    ...pids.filter((other) => parents.get(other) === pid).flatMap((child) => below(child)),
  ];
  return below(rootPid);
}

/** What follows the name, which may hold anything: the state is field 0, the parent field 1. None when it has ended. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
