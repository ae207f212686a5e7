import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { findBinaries } from "../../../src/db/embedded/binaries.ts";
import { pathsOf } from "../../../src/db/embedded/paths.ts";
import { chooseRunner } from "../../../src/db/embedded/runner.ts";

const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pressbell-"));
  chmodSync(folder, 0o711);
  return () => rmSync(folder, { recursive: true });
});

/** Sets a PATH that has everything that the choice needs, except user namespaces. Many servers switch these off. */
function withoutNamespaces(): void {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
}

test.runIf(isRoot)("root with the program in a closed folder is told to move it, whatever DATA_DIR is", () => {
  withoutNamespaces();
  const closed = join(folder, "root");
  mkdirSync(closed, { mode: 0o700 });
  cpSync(findBinaries().postgres, join(closed, "postgres"));
  const binaries = { ...findBinaries(), postgres: join(closed, "postgres") };
  const choose = () => chooseRunner(binaries, pathsOf(join(folder, "data")));
  expect(choose).toThrow(`other users cannot enter ${closed}, where its program is. Move the installation`);
  expect(choose).toThrow("Another DATA_DIR alone does not help.");
});

test.runIf(isRoot)("root with only DATA_DIR in a closed folder is told to set another", () => {
  withoutNamespaces();
  const closed = join(folder, "root");
  mkdirSync(closed, { mode: 0o700 });
  const choose = () => chooseRunner(findBinaries(), pathsOf(join(closed, "data")));
  expect(choose).toThrow(/use both .* or set DATA_DIR to a folder that others may pass through\.$/);
});

test("a package of PostgreSQL that npm has left out is explained, and what helps named", async () => {
  // The copy is outside of the repository, where no node_modules has the package.
  cpSync(new URL("../../../src", import.meta.url), join(folder, "src"), { recursive: true });
  const { findBinaries: find } = await import(/* @vite-ignore */ join(folder, "src/db/embedded/binaries.ts"));
  expect(find).toThrow(/is not installed\..* without a word.*Run npm ci --include=optional --ignore-scripts/);
});
