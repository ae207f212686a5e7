import { readdir, readFile } from "node:fs/promises";

/** /proc counts CPU time in ticks of a hundredth of a second. */
const msPerTick = 10;

/**
 * Returns the CPU time so far, in ms, of a process and its descendants, with all their threads, also ended ones. An
 * exited descendant counts if its parent waited for it.
 */
export async function cpuMsOf(rootPid: number): Promise<number> {
  const stats = await Promise.all((await treeOf(rootPid)).map(statOf));
  // The fields utime, stime, cutime and cstime are fields 14 to 17 of /proc/PID/stat (proc(5)). The last two are of
  // children that were waited for.
  return stats.flatMap((fields) => fields.slice(11, 15)).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick;
}

/**
 * Returns the CPU time so far, in ms, of a process with all its threads, but without its children. Returns 0 if it has
 * exited.
 */
export async function ownCpuMsOf(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * msPerTick;
}

/**
 * Returns the memory of a process and its descendants in MB, as proportional set size. Shared memory, such as
 * PostgreSQL's buffers, counts once.
 */
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

/**
 * Returns the fields of /proc/PID/stat after the command name, which may contain spaces and parentheses. Field 0 is
 * the state, and field 1 is the parent's id. Returns [] if the process has exited.
 */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
