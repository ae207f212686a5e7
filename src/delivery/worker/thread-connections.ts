/** The connections that a thread can use. It claims, flushes several batches, and watches its runs. */
const useful = 6;
/**
 * The fewest connections of a thread. While one is in a transaction that waits for a lock, the other flushes, claims
 * and watches.
 */
const least = 2;
const ofAllThreads = 24;

/** Returns the most connections to the database of each delivery thread in a process with `threads` of them. */
export function connectionsOfThread(threads: number): number {
  return Math.max(least, Math.min(useful, Math.floor(ofAllThreads / threads)));
}
