import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { SideName } from "./flags.ts";
import type { Service } from "./service.ts";

/** One way of sending the same messages. */
export type Side = {
  name: SideName;
  pid: number;
  messages: number;
  /** Sends one message to each subscriber; resolves with the wall time, ms, up to the last outcome. */
  sendAll(): Promise<number>;
  stop(): Promise<void>;
};

/** From POST /send to the last outcome in the database. */
export function serviceSide(service: Service, messages: number): Side {
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

/** A program of senders/ in a process of its own, which holds the subscriptions before it is measured. */
export async function senderSide(
  name: Exclude<SideName, "service">,
  options: { file: string; count: number; inFlight: number; encryption: "auto" | "node"; caFile: string },
): Promise<Side> {
  const { caFile, ...rest } = options;
  const child = fork(new URL("./senders/main.ts", import.meta.url), [name, JSON.stringify(rest)], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile },
  });
  await said(child, "ready");
  return {
    name,
    pid: child.pid!,
    messages: options.count,
    async sendAll() {
      const startedMs = performance.now();
      child.send("go");
      await said(child, "done");
      return performance.now() - startedMs;
    },
    async stop() {
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
  };
}

async function said(child: ChildProcess, word: string): Promise<void> {
  const ended = new AbortController();
  const early = once(child, "exit", { signal: ended.signal }).then(
    () => {
      throw new Error(`a sender ended before it was ${word}: its message stands above`);
    },
    () => {},
  );
  await Promise.race([once(child, "message"), early]);
  ended.abort();
}
