/**
 * Calls `onGone` once when the process that started this one has ended, by whatever means: the bootstrap and its child
 * hold an IPC channel, which the kernel closes. Does nothing without such a channel, and keeps no process alive.
 */
export function endWithParent(onGone: () => void): void {
  if (!process.send) return;
  process.once("disconnect", onGone);
  // A listener makes the channel count as work to be done; it is none.
  process.channel?.unref();
}
