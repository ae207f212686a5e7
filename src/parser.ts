import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Logger } from "./log.ts";
import type { ThreadMessage } from "./parser-thread.ts";
import { createSlots } from "./slots.ts";

/**
 * A function for a thread to run. `module` exports it under its own name. Its input and result are cloned, so they
 * must be plain values and bytes.
 */
export type ParseTask<In, Out> = { module: URL; run: (input: In) => Out | Promise<Out> };

/**
 * `busy`: no thread was free or started in time, which says nothing about the document. `failed`: the document took
 * longer than the deadline or more memory than a thread has, or the function threw.
 */
export type Parsed<Out> = { kind: "parsed"; value: Out } | { kind: "busy" } | { kind: "failed" };

export type Parser = {
  /**
   * Parses a document from a stranger in a thread, so that nothing else in this process waits for it. `requester`: the
   * id of a tenant. Each requester uses one thread at a time. Never rejects.
   */
  parse<In, Out>(task: ParseTask<In, Out>, input: In, requester?: string): Promise<Parsed<Out>>;
  /** Ends all threads. Running and later calls get `busy`. */
  close(): Promise<void>;
};

export type ParserOptions = {
  log: Logger;
  /** The time for one document, from the moment at which its thread begins to parse. Default: 5,000. */
  deadlineMs?: number;
};

export const maxThreads = 2;
/** How long a document waits for a thread, before its deadline starts. */
const maxWaitMs = 10_000;
/**
 * How long a thread may take to start and to load the function. On a busy machine this takes many times as long as
 * usual.
 */
const maxStartMs = 20_000;
/** How long a thread may be idle before it ends and its memory is freed. */
const idleMs = 30_000;
/** The limits of each thread's own heap, in MB. A feed of 10 MB takes about a quarter of it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** Creates the threads that parse pages and feeds. They start when needed, and never keep the process alive. */
export function createParser({ log, deadlineMs = 5_000 }: ParserOptions): Parser {
  const slots = createSlots({ maxConcurrent: maxThreads, maxPerRequester: 1 });
  const threads = new Set<Worker>();
  const idle = new Map<Worker, NodeJS.Timeout>();
  const closing = new AbortController();

  function takeThread(): Worker {
    const [thread = startThread()] = idle.keys();
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    // A working thread keeps the process alive, because its answer is needed.
    thread.ref();
    return thread;
  }

  function startThread(): Worker {
    const thread = new Worker(new URL("./parser-thread.ts", import.meta.url), { resourceLimits, name: "parser" });
    threads.add(thread);
    thread.on("message", ({ event, value }: ThreadMessage) => thread.emit(event, value));
    // Without a listener, an error of an idle thread would end the process.
    thread.on("error", () => {});
    thread.on("exit", () => {
      threads.delete(thread);
      clearTimeout(idle.get(thread));
      idle.delete(thread);
    });
    return thread;
  }

  function rest(thread: Worker): void {
    thread.unref();
    idle.set(thread, setTimeout(() => void thread.terminate(), idleMs).unref());
  }

  async function parse<In, Out>({ module, run }: ParseTask<In, Out>, input: In, requester = ""): Promise<Parsed<Out>> {
    const isTaken = await within(maxWaitMs, closing.signal, (signal) => slots.acquire(requester, signal));
    if (!isTaken) return { kind: "busy" };
    const thread = takeThread();
    let hasStarted = false;
    try {
      const [value] = await within(maxStartMs, closing.signal, (signal, restart) => {
        thread.once("started", () => {
          hasStarted = true;
          restart(deadlineMs);
        });
        thread.postMessage({ module: module.href, name: run.name, input });
        return once(thread, "parsed", { signal });
      });
      rest(thread);
      return { kind: "parsed", value: value as Out };
    } catch (error) {
      // This is not awaited, because a thread in a long call of native code ends only after that call.
      void thread.terminate();
      if (closing.signal.aborted) return { kind: "busy" };
      log.warn({ task: run.name, requester, hasStarted, reason: reasonOf(error) }, "a document could not be parsed");
      const isLate = (error as Error).name === "AbortError";
      return { kind: isLate && !hasStarted ? "busy" : "failed" };
    } finally {
      slots.release(requester);
    }
  }

  async function close(): Promise<void> {
    closing.abort();
    await Promise.all([...threads].map((thread) => thread.terminate()));
  }

  return { parse, close };
}

/** Returns the reason of a failure. An aborted wait has its reason as its cause. */
const reasonOf = (error: unknown) => String((error as Error).cause ?? error);

/**
 * Runs `work` with a signal that is aborted after `ms`, or together with `parent`. `restart` starts the time again
 * with another number of ms. Does not use AbortSignal.any with AbortSignal.timeout: the garbage collector may remove
 * the timeout, and then the signal is never aborted (nodejs/node#57736).
 */
async function within<T>(
  ms: number,
  parent: AbortSignal,
  work: (signal: AbortSignal, restart: (ms: number) => void) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = (after: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => ending.abort(new Error(`It took longer than ${after} ms.`)), after);
  };
  const end = () => ending.abort(new Error("The parser is closed."));
  start(ms);
  parent.addEventListener("abort", end);
  if (parent.aborted) end();
  try {
    return await work(ending.signal, start);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener("abort", end);
  }
}
