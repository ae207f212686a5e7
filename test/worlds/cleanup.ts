import { afterAll } from "vitest";

const undone: (() => unknown)[] = [];

/**
 * Runs `undo` after the file's last test, last one first. Vitest takes no new afterAll once hooks are running, so this
 * one is registered as each file is loaded (vitest.config.ts: setupFiles).
 */
export function afterFile(undo: () => unknown): void {
  undone.push(undo);
}

afterAll(async () => {
  for (const undo of undone.splice(0).reverse()) await undo();
});
