/** The connections that a thread can use: it claims, flushes several batches, and watches its runs. */
const useful = 6;
/** One connection may be in a transaction that waits for a lock. The other flushes, claims and watches meanwhile. */
const least = 2;
const ofAllThreads = 24;

/** Returns the most connections to the database of each delivery thread, if the process has `threads` of them. */
export function connectionsOfThread(threads: number): number {
  return Math.max(least, Math.min(useful, Math.floor(ofAllThreads / threads)));
}
