import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A process of the demo: what it said first, and a way to end it. It never outlives the demo. */
export type Child = { process: ChildProcess; stop(): Promise<void> };

/** Starts a TypeScript file of this project under this very runtime. `stdout` is piped, `stderr` is the terminal's. */
export function startChild(file: URL, args: string[], env: NodeJS.ProcessEnv): Child {
  // The IPC channel closes when the demo ends, by whatever means: the service watches it. The simulator watches stdin.
  const child = spawn(process.execPath, [file.pathname, ...args], {
    env,
    stdio: ["pipe", "pipe", "inherit", "ipc"],
    // A process group of its own: Ctrl-C reaches the demo alone, which then ends its children in order.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    process: child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The first line that a child prints. Throws when it ends without one. */
export async function firstLine(child: Child): Promise<string> {
  const lines = createInterface({ input: child.process.stdout! });
  for await (const line of lines) {
    lines.close();
    child.process.stdout!.resume();
    return line;
  }
  throw new Error("a process of the demo ended before it was ready: its message stands above");
}

/** Runs a child to its end and returns what it printed. Throws when it fails. */
export async function runChild(file: URL, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = startChild(file, args, env);
  const exit = new Promise<number | null>((resolve) => child.process.once("close", resolve));
  let output = "";
  for await (const chunk of child.process.stdout!) output += chunk;
  const code = await exit;
  if (code !== 0) throw new Error(`pressbell ${args.slice(0, 2).join(" ")} failed: its message stands above`);
  return output;
}
