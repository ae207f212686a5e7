import { execFile } from "node:child_process";
import { afterFile } from "../fixtures/cleanup.ts";

const own = new URL("../../src/main.ts", import.meta.url).pathname;

/** The exit code of a command, and what it printed. */
export type Printed = { code: number; out: string; err: string };

/** Longer than any command takes. A command that hangs is killed then, so that it does not outlive its test. */
const killAfterMs = 50_000;

/**
 * Runs `pressbell WORDS` in its own process, with only these settings in its environment and `input` as its standard
 * input. It runs as `user` if one is given. `main` is the program, if it is not this one.
 */
export function runCommand(
  words: string[],
  settings: Record<string, string>,
  { input, main = own, ...user }: { uid?: number; gid?: number; input?: string; main?: string } = {},
): Promise<Printed> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...settings } as NodeJS.ProcessEnv;
  const limit = { timeout: killAfterMs, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...words], { env, ...user, ...limit }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
    });
    afterFile(() => child.kill("SIGKILL"));
    child.stdin!.end(input);
  });
}
