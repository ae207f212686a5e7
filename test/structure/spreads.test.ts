import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["src", "dashboard/src", "sdk", "client", "bridge", "mcp", "demo", "bench", "test"];

test("no object literal is spread into another: its fields stand there themselves", () => {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }));
  expect(files.length).toBeGreaterThan(1_000);
  const spreads = /\.{3}\{/;
  expect(files.filter((file) => spreads.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});
