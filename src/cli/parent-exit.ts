/**
 * Calls `callback` once when the parent process has exited, even by kill -9. The kernel then closes the IPC channel
 * between bootstrap.mjs and its child. Does nothing if there is no such channel. Does not keep the process alive.
 */
export function onParentExit(callback: () => void): void {
  if (!process.send) return;
  process.once("disconnect", callback);
  // The listener would make the channel keep the event loop running.
  process.channel?.unref();
}
