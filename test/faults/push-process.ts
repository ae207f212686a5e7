import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeAfterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import type { AnswerWith } from "../fixtures/push-service/behaviours.ts";
import type { Stats } from "../fixtures/push-service/receipts.ts";
import type { PushReceipt } from "./history.ts";

/** The push-service simulator in a process of its own, where the test cannot stall it. */
export type PushProcess = {
  origin: string;
  caFile: string;
  /** Creates `count` subscriptions and writes them to `file`, one a line. */
  writeSubscriptions(count: number, file: string, applicationServerKey: string): Promise<void>;
  stats(): Promise<Stats>;
  /** Resolves once `count` messages have been handled. Throws after 90 s. */
  received(count: number): Promise<void>;
  receipts(): Promise<PushReceipt[]>;
  /** Returns the accepted messages that were kept, decrypted, at most `count`. */
  sample(count: number): Promise<{ endpoint: string; payload: unknown }[]>;
  /** Returns the longest stall of the simulator since the last call, in ms. */
  takeLagMs(): Promise<number>;
  answerWith(input: AnswerWith): Promise<void>;
  clearBehaviours(): Promise<void>;
  /** Closes the windows as the push service's method does. While they are closed, bodies of messages have to wait. */
  withholdWindows(): Promise<void>;
  openWindows(): Promise<void>;
  close(): Promise<void>;
};

/**
 * @param answerDelayMs the delay of each answer: it determines how long a run lasts
 * @param keepsBodies keeps every message that is accepted, for `sample`; else the first hundred
 */
export async function startPushProcess(answerDelayMs: number, keepsBodies = false): Promise<PushProcess> {
  const main = new URL("../fixtures/push-service/main.ts", import.meta.url).pathname;
  const words = [
    "--end-with-stdin",
    "--answer-delay-ms",
    String(answerDelayMs),
    ...(keepsBodies ? ["--keep-bodies"] : []),
  ];
  const child = spawn(process.execPath, [main, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const close = closeAfterFile(async () => {
    child.stdin.end();
    await ended;
  });
  const [line] = await once(child.stdout, "data");
  const { origin, caFile, control } = JSON.parse(String(line)) as Record<"origin" | "caFile" | "control", string>;
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(control + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`the simulator refuses ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const stats = () => ask("GET", "/stats") as Promise<Stats>;
  return {
    origin,
    caFile,
    stats,
    async writeSubscriptions(count, file, applicationServerKey) {
      const query = new URLSearchParams({ count: String(count), file, applicationServerKey });
      await ask("POST", `/subscriptions?${query}`);
    },
    async received(count) {
      await eventually(async () => (await stats()).received >= count, 90_000, `message ${count} did not come`);
    },
    async receipts() {
      const raw = (await ask("GET", "/receipts")) as [number, number, number, boolean, string][];
      return raw.map(([index, at, status, accepted, topic]) => ({ index, at, status, accepted, runId: toId(topic) }));
    },
    sample: (count) => ask("GET", `/sample?count=${count}`) as ReturnType<PushProcess["sample"]>,
    takeLagMs: async () => ((await ask("GET", "/lag")) as { ms: number }).ms,
    answerWith: async (input) => void (await ask("POST", "/behaviour", input)),
    clearBehaviours: async () => void (await ask("DELETE", "/behaviour")),
    withholdWindows: async () => void (await ask("POST", "/windows/withhold")),
    openWindows: async () => void (await ask("POST", "/windows/open")),
    close,
  };
}

/** Returns the run's id for a Topic, which is the id without its hyphens. */
function toId(topic: string): string {
  return topic.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
