import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Logger } from "./log.ts";
import type { ThreadMessage } from "./parser-thread.ts";
import { createSlots } from "./slots.ts";

/**
 * A function that a thread runs: `module` exports it under its own name. Its input and its result are cloned: plain
 * values and bytes.
 */
export type ParseTask<In, Out> = { module: URL; run: (input: In) => Out | Promise<Out> };

/**
 * `busy`: no thread came free or started in time, which says nothing of the document. `failed`: it took longer than the
 * deadline or more memory than a thread has, or the function threw.
 */
export type Parsed<Out> = { kind: "parsed"; value: Out } | { kind: "busy" } | { kind: "failed" };

export type Parser = {
  /**
   * Parses what a stranger has sent, in a thread: nothing else in this process waits for it. `requester`: a tenant's
   * id; one requester uses one thread at a time. Never rejects.
   */
  parse<In, Out>(task: ParseTask<In, Out>, input: In, requester?: string): Promise<Parsed<Out>>;
  /** Ends all threads. What they parse, and all that is asked for later, is `busy`. */
  close(): Promise<void>;
};

export type ParserOptions = {
  log: Logger;
  /** For one document, from the moment at which its thread can parse. Default 5,000. */
  deadlineMs?: number;
};

export const maxThreads = 2;
/** How long a document waits for a thread, before its deadline starts. */
const maxWaitMs = 10_000;
/** How long a thread may take to start and to load the function: on a busy machine, many times as long as usual. */
const maxStartMs = 20_000;
/** A thread without work ends, and its memory is freed. */
const idleMs = 30_000;
/** In MB, of one thread's own heap. A feed of 10 MB takes about a quarter of it. */
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
    // While it works, its answer is waited for.
    thread.ref();
    return thread;
  }

  function startThread(): Worker {
    const thread = new Worker(new URL("./parser-thread.ts", import.meta.url), { resourceLimits, name: "parser" });
    threads.add(thread);
    thread.on("message", ({ event, value }: ThreadMessage) => thread.emit(event, value));
    // Without a listener an error of an idle thread would end the process.
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
      // Not awaited: a thread in a long call of native code ends only after it.
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

/** An aborted wait has its reason as its cause. */
const reasonOf = (error: unknown) => String((error as Error).cause ?? error);

/**
 * Runs `work` with a signal that is aborted after `ms`, or with `parent`. `restart` gives it other ms from now. Not
 * AbortSignal.any with AbortSignal.timeout: the garbage collector may take the timeout, and the signal would never be
 * aborted (nodejs/node#57736).
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
