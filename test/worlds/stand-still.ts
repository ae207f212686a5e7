/** Stands still for `ms`, as a process does that is stopped, or whose machine is: no timer, no answer, no other turn. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
