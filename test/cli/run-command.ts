import { execFile } from "node:child_process";

const main = new URL("../../src/main.ts", import.meta.url).pathname;

/** How a command ended, and what it printed. */
export type Printed = { code: number; out: string; err: string };

/** Longer than any command takes: one that hangs is no reason for its test to leave it behind. */
const killAfterMs = 50_000;

/**
 * Runs `pressbell WORDS` in a process of its own, with these settings and nothing else of this environment, as `user`
 * where one is given.
 */
export function runCommand(
  words: string[],
  settings: Record<string, string>,
  user: { uid?: number; gid?: number } = {},
): Promise<Printed> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...settings } as NodeJS.ProcessEnv;
  const limit = { timeout: killAfterMs, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], { env, ...user, ...limit }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
    });
  });
}
