import { BroadcastChannel, isMainThread } from "node:worker_threads";

/*
 * Loaded before the service by NODE_OPTIONS=--import. On SIGUSR2 every delivery thread of the process throws an
 * uncaught exception.
 */
const channel = new BroadcastChannel("crash");
channel.unref();
if (isMainThread) process.on("SIGUSR2", () => channel.postMessage("now"));
else {
  channel.onmessage = () => {
    throw new Error("crashed by the test");
  };
}
