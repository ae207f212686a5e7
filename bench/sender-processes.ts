import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Config } from "../src/config.ts";
import type { SenderName } from "./flags.ts";
import type { Service } from "./service.ts";

/** One sender of the comparison. All send the same messages. */
export type SenderProcess = {
  name: SenderName;
  pid: number;
  messages: number;
  /** Sends one message to each subscriber. Resolves with the wall time until the last outcome, ms. */
  sendAll(): Promise<number>;
  stop(): Promise<void>;
};

/** The service itself: measured from POST /send to the last outcome in the database. */
export function serviceSender(service: Service, messages: number): SenderProcess {
  return {
    name: "service",
    pid: service.pid,
    messages,
    async sendAll() {
      const { runId, sentMs } = await service.send();
      return (await service.ended(runId)).endedMs - sentMs;
    },
    stop: service.stop,
  };
}

/** Starts a sender of senders/ in its own process. Resolves when it has loaded the subscriptions. */
export async function forkSender(
  name: Exclude<SenderName, "service">,
  options: { file: string; count: number; inFlight: number; encryption: Config["ENCRYPTION"]; caFile: string },
): Promise<SenderProcess> {
  const { caFile, ...rest } = options;
  const child = fork(new URL("./senders/main.ts", import.meta.url), [name, JSON.stringify(rest)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile },
  });
  await messageOf(child, "ready");
  return {
    name,
    pid: child.pid!,
    messages: options.count,
    async sendAll() {
      const startedMs = performance.now();
      child.send("go");
      await messageOf(child, "done");
      return performance.now() - startedMs;
    },
    async stop() {
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
  };
}

/**
 * Waits for the next message of a child. Throws if the child exits before it. `state`: what the message reports, for
 * the error.
 */
async function messageOf(child: ChildProcess, state: string): Promise<void> {
  const received = new AbortController();
  const exited = once(child, "exit", { signal: received.signal }).then(
    () => {
      throw new Error(`a sender exited before it was ${state}: see its message above`);
    },
    () => {},
  );
  await Promise.race([once(child, "message"), exited]);
  received.abort();
}
