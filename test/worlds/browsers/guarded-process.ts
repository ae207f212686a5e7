import { spawn } from "node:child_process";

/** Runs "$@" in the background and kills the whole process group once stdin closes or the program has ended. */
const guard = `{ "$@" </dev/null; kill -KILL 0; } & cat >/dev/null; kill -KILL 0`;

/** A program with all its children, which ends with this process, by whatever means that ends. */
export type GuardedProcess = {
  /** Kills it and all its children, and waits for that. */
  stop(): Promise<void>;
};

/** Starts a program in a process group of its own. `env` is its whole environment. What it prints is dropped. */
export function startGuarded(program: string, args: string[], env: Record<string, string>): GuardedProcess {
  const child = spawn("/bin/sh", ["-c", guard, "guard", program, ...args], {
    env: env as NodeJS.ProcessEnv,
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdin.on("error", () => {});
  return {
    stop() {
      child.stdin.end();
      return ended;
    },
  };
}
