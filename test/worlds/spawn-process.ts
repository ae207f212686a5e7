import { type ChildProcess, spawn } from "node:child_process";

const ownMain = new URL("../../src/main.ts", import.meta.url).pathname;

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

/** Starts a command in a process of its own, which the caller has to end. `main`: the main.ts of another copy of src. */
export function spawnProcess(words: string[], settings: Record<string, string>, main = ownMain): ServiceProcess {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings } as NodeJS.ProcessEnv,
    // The service ends with whoever started it (src/cli/end-with-parent.ts), so a test that is killed leaves none behind.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  const onOutput = new Set<() => void>();
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const look of onOutput) look();
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once("close", (code, signal) => resolve(signal ?? code));
  });
  return {
    process: child,
    output: () => output,
    ended,
    printed(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output);
          if (match === null) return;
          onOutput.delete(look);
          resolve(match);
        };
        onOutput.add(look);
        look();
        void ended.then((how) => reject(new Error(`ended (${how}) without printing ${pattern}:\n${output}`)));
      });
    },
  };
}
