import { execFile } from "node:child_process";

const main = new URL("../../src/main.ts", import.meta.url).pathname;

/** How a command ended, and what it printed. */
export type Printed = { code: number; out: string; err: string };

/** Runs `pressbell WORDS` in a process of its own, with these settings and nothing else of this environment. */
export function runCommand(words: string[], settings: Record<string, string>): Promise<Printed> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, ...settings } as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
    });
  });
}
