import { parentPort } from "node:worker_threads";

/**
 * The entry of a thread of `createParser`: gets one document after the other, with the function that parses it, and
 * posts what it returns. What the function throws ends the thread, and fails the document.
 */
parentPort!.on("message", async ({ module, name, input }: { module: string; name: string; input: unknown }) => {
  const functions = (await import(module)) as Record<string, (input: unknown) => unknown>;
  parentPort!.postMessage(await functions[name]!(input));
});
