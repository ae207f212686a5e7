import { execFile } from "node:child_process";

const main = new URL("../../src/main.ts", import.meta.url).pathname;

/** The exit code of a command, and what it printed. */
export type Printed = { code: number; out: string; err: string };

/** Longer than any command takes. A command that hangs is killed, so that it does not outlive its test. */
const killAfterMs = 50_000;

/**
 * Runs `pressbell WORDS` in its own process, with only these settings in its environment, and as `user` if one is
 * given.
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
