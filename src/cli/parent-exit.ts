/**
 * Calls `callback` once when the parent process has exited, even by kill -9: the kernel then closes the IPC channel
 * between bootstrap.mjs and its child. Does nothing without such a channel. Does not keep the process alive.
 */
export function onParentExit(callback: () => void): void {
  if (!process.send) return;
  process.once("disconnect", callback);
  // With a listener, the channel would keep the event loop running.
  process.channel?.unref();
}
