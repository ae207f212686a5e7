import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { type Child, runChild, startChild } from "./child.ts";

const main = new URL("../src/main.ts", import.meta.url);
/** pino's number for it. */
const warning = 40;

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
  // Browsers trust http at localhost, and only there.
  const env = { ...process.env, PUBLIC_URL: `http://localhost:${port}`, LOG_LEVEL: "info", ...settings, PORT: port };
  const child = startChild(main, ["start"], env);
  const ended = new Promise<void>((resolve) => child.process.once("exit", () => resolve()));
  const url = await readLog(child, ended);
  return { url, command: (args) => runChild(main, args, env), ended, stop: child.stop };
}

/** The address that the service says it listens on, in its own log; warnings of the log go to the terminal. */
function readLog(child: Child, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.process.stdout! }).on("line", (line) => {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      const url = /listens on (\S+)$/.exec(msg)?.[1];
      if (url !== undefined) resolve(url);
      if (level >= warning) process.stderr.write(`${line}\n`);
    });
    void ended.then(() => reject(new Error("the service did not start: its message stands above")));
  });
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
