import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A child process of the demo. It never outlives the demo. */
export type Child = { process: ChildProcess; stop(): Promise<void> };

/**
 * Starts a TypeScript file of this project with the Node.js that runs the demo. Pipes stdout. stderr goes to the
 * terminal.
 */
export function startChild(file: URL, args: string[], env: NodeJS.ProcessEnv): Child {
  // The IPC channel and stdin close when the demo ends, even by kill -9. The service watches the channel, and the
  // simulator watches stdin.
  const child = spawn(process.execPath, [file.pathname, ...args], {
    env,
    stdio: ["pipe", "pipe", "inherit", "ipc"],
    // The child has its own process group. So Ctrl-C reaches only the demo, which then stops its children in order.
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

/** Returns the first line that a child prints. Throws if it exits without one. */
export async function firstLine(child: Child): Promise<string> {
  const lines = createInterface({ input: child.process.stdout! });
  for await (const line of lines) {
    lines.close();
    child.process.stdout!.resume();
    return line;
  }
  throw new Error("a process of the demo exited before it was ready: see its message above");
}

/** Runs a child until it exits, and returns its output. Throws if it fails. */
export async function runChild(file: URL, args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = startChild(file, args, env);
  const exit = new Promise<number | null>((resolve) => child.process.once("close", resolve));
  let output = "";
  for await (const chunk of child.process.stdout!) output += chunk;
  const code = await exit;
  if (code !== 0) throw new Error(`pressbell ${args.slice(0, 2).join(" ")} failed: see its message above`);
  return output;
}
