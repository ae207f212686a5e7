import { availableParallelism, loadavg } from "node:os";

/** A time that holds on a machine with cores to spare, in ms: where twice as much wants to run, twice the time. */
export function onThisMachine(ms: number): number {
  return ms * Math.max(1, loadavg()[0]! / availableParallelism());
}
