import { type Child, firstLine, startChild } from "./child-process.ts";

/** The push-service simulator in its own process. It checks what a real push service checks. */
export type Simulator = {
  pid: number;
  origin: string;
  caFile: string;
  /** Writes `count` subscriptions with real keys to `file`, one JSON object per line. */
  writeSubscriptions(count: number, file: string): Promise<void>;
  stats(): Promise<{ accepted: number; distinctSubscriptionsAccepted: number; repeated: number }>;
  /**
   * Returns received messages, decrypted with the subscriber's private key by a library that Pressbell does not use.
   */
  sample(count: number): Promise<{ endpoint: string; payload: { notification: Record<string, unknown> } }[]>;
  stop(): Promise<void>;
};

/** Starts the simulator. `args`: the command-line arguments of test/fixtures/push-service/main.ts. */
export async function startSimulator(args: string[] = []): Promise<Simulator> {
  const main = new URL("../test/fixtures/push-service/main.ts", import.meta.url);
  const child: Child = startChild(main, ["--end-with-stdin", ...args], process.env);
  const { origin, caFile, control } = JSON.parse(await firstLine(child)) as Record<
    "origin" | "caFile" | "control",
    string
  >;
  const read = async (path: string) => (await fetch(`${control}${path}`)).json();
  return {
    pid: child.process.pid!,
    origin,
    caFile,
    async writeSubscriptions(count, file) {
      const answer = await fetch(`${control}/subscriptions?count=${count}&file=${encodeURIComponent(file)}`, {
        method: "POST",
      });
      if (!answer.ok) throw new Error(`the simulator made no subscriptions: ${await answer.text()}`);
    },
    stats: () => read("/stats") as ReturnType<Simulator["stats"]>,
    sample: (count) => read(`/sample?count=${count}`) as ReturnType<Simulator["sample"]>,
    stop: child.stop,
  };
}
