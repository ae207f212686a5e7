import { parentPort } from "node:worker_threads";

/** `started`: the function is loaded and begins to parse. `parsed`: the value that it returned. */
export type ThreadMessage = { event: "started"; value?: undefined } | { event: "parsed"; value: unknown };

const post = (message: ThreadMessage) => parentPort!.postMessage(message);

/**
 * The entry point of a thread of `createParser`. It gets one document after the other, each with the function that
 * parses it, and posts the result. An error of the function ends the thread and fails the document.
 */
parentPort!.on("message", async ({ module, name, input }: { module: string; name: string; input: unknown }) => {
  const functions = (await import(module)) as Record<string, (input: unknown) => unknown>;
  post({ event: "started" });
  post({ event: "parsed", value: await functions[name]!(input) });
});
