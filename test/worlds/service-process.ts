import { type ChildProcess, spawn } from "node:child_process";
import { afterFile } from "./cleanup.ts";

const main = new URL("../../src/main.ts", import.meta.url).pathname;

/** A real process of Pressbell: `start`, `api`, `worker`, or any other command. */
export type ServiceProcess = {
  process: ChildProcess;
  /** What it has printed so far, both streams. */
  output(): string;
  /** Resolves with the first match of `pattern` in its output. Rejects when it ends without. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

/** Starts a command in a process of its own; whatever is left of it is killed after the file's last test. */
export function startProcess(words: string[], settings: Record<string, string>): ServiceProcess {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let onOutput = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      onOutput();
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("close", (code, signal) => resolve(signal ?? code));
  });
  afterFile(() => {
    child.kill("SIGKILL");
    return ended;
  });
  return {
    process: child,
    output: () => output,
    ended,
    printed(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output);
          if (match !== null) resolve(match);
        };
        onOutput = look;
        look();
        void ended.then((how) => reject(new Error(`ended (${how}) without printing ${pattern}:\n${output}`)));
      });
    },
  };
}

/** Starts `start` or `api` on a free port and returns it with its URL once it listens. */
export async function startService(
  word: "start" | "api",
  settings: Record<string, string>,
): Promise<ServiceProcess & { url: string }> {
  const service = startProcess([word], { PORT: "0", ...settings });
  const [, url] = await service.printed(/listens on (http:\/\/[\d.:]+)/);
  return { ...service, url: url! };
}
