import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { textOfLine } from "../src/log-text.ts";
import { type Child, runChild, startChild } from "./child-process.ts";

const main = new URL("../src/main.ts", import.meta.url);
/** pino's number of the level `warn`. */
const warnLevel = 40;

/** The Pressbell service, started as a user starts it. */
export type Service = {
  url: string;
  /** Runs a `pressbell` command with the service's settings, and returns its output. */
  command(args: string[]): Promise<string>;
  /** Runs a file of the demo with the service's settings. */
  run(file: URL, args: string[]): Promise<string>;
  /** The address for browsers on this machine. */
  publicUrl: string;
  /** Resolves when the service has exited. */
  ended: Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the service with `settings` (environment variables) on PORT. By default the port is 8080, or any free port if
 * that is taken.
 */
export async function startService(settings: Record<string, string>): Promise<Service> {
  const port = process.env.PORT ?? String(await freePort(8080));
  // Browsers trust plain http only at localhost.
  const own = { PUBLIC_URL: `http://localhost:${port}`, PORT: port, LOG_LEVEL: "info", LOG_FORMAT: "json" };
  const env = { ...process.env, ...settings, ...own };
  const child = startChild(main, ["start"], env);
  const ended = new Promise<void>((resolve) => child.process.once("exit", () => resolve()));
  const url = await readLog(child, ended);
  const run = (file: URL, args: string[]) => runChild(file, args, env);
  return { url, publicUrl: env.PUBLIC_URL, command: (args) => run(main, args), run, ended, stop: child.stop };
}

/** Returns the URL that the service logs when it listens. Prints the log's warnings to the terminal. */
function readLog(child: Child, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.process.stdout! }).on("line", (line) => {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      const url = /listens on (\S+)/.exec(msg)?.[1];
      if (url !== undefined) resolve(url);
      if (level >= warnLevel) process.stderr.write(textOfLine(line));
    });
    void ended.then(() => reject(new Error("the service did not start: see its message above")));
  });
}

/** Returns `wanted` if that port is free, or otherwise any free port. */
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
