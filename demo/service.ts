import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { runChild, startChild } from "./child.ts";

const main = new URL("../src/main.ts", import.meta.url);
const readyWithinMs = 30_000;

/** Pressbell itself, started as a user starts it, with settings of its own. */
export type Service = {
  url: string;
  /** Runs a command of the command line beside it, and returns what that printed. */
  command(args: string[]): Promise<string>;
  /** Resolves when the service has ended, by whatever cause. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/** Starts the service with `settings` (environment variables) on PORT, or on a free port where 8080 is taken. */
export async function startService(settings: Record<string, string>): Promise<Service> {
  const port = process.env.PORT ?? String(await freePort(8080));
  const env = { ...process.env, LOG_LEVEL: "warn", ...settings, PORT: port };
  const child = startChild(main, ["start"], env);
  child.process.stdout!.pipe(process.stderr);
  const ended = new Promise<void>((resolve) => child.process.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await ready(url, ended);
  return { url, command: (args) => runChild(main, args, env), ended, stop: child.stop };
}

async function ready(url: string, ended: Promise<void>): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  for (const deadline = Date.now() + readyWithinMs; ; ) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (hasEnded || Date.now() > deadline) throw new Error("the service did not start: its message stands above");
    await delay(50);
  }
}

/** `wanted` if nobody listens there, or any free port. */
async function freePort(wanted: number): Promise<number> {
  const server = createServer();
  const listening = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
    });
  const port = await listening(wanted).catch(() => listening(0));
  await new Promise((resolve) => server.close(resolve));
  return port;
}
