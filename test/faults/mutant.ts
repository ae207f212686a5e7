import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A change to the source: the text `from` of `file` (below src/) becomes `to`. */
export type Edit = { file: string; from: string; to: string };

/** A copy of the service that lacks one of its protections. */
export type Mutant = { main: string; remove(): Promise<void> };

/** Copies src/ and applies the edits to the copy. Throws when an edit's text does not occur exactly once. */
export async function createMutant(edits: Edit[]): Promise<Mutant> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-mutant-"));
  await cp(join(root, "src"), join(folder, "src"), { recursive: true });
  await cp(join(root, "package.json"), join(folder, "package.json"));
  for (const name of ["node_modules", "sdk"]) await symlink(join(root, name), join(folder, name));
  for (const { file, from, to } of edits) {
    const path = join(folder, "src", file);
    const parts = (await readFile(path, "utf8")).split(from);
    if (parts.length !== 2)
      throw new Error(`src/${file} has the text of an edit ${parts.length - 1} times instead of once: ${from}`);
    await writeFile(path, parts.join(to));
  }
  return { main: join(folder, "src/main.ts"), remove: () => rm(folder, { recursive: true, force: true }) };
}
