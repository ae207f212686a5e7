import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A change to the source: the text `from` of `file` (below src/) becomes `to`. */
export type Edit = { file: string; from: string; to: string };

/** A copy of the service that lacks one of its protections. */
export type Mutant = { main: string; remove(): Promise<void> };

/** Copies src/ and edits the copy. Throws where an edit's text is not there exactly once: the test has to be looked at. */
export async function createMutant(edits: Edit[]): Promise<Mutant> {
  const folder = await mkdtemp(join(tmpdir(), "pressbell-mutant-"));
  await cp(join(root, "src"), join(folder, "src"), { recursive: true });
  await cp(join(root, "package.json"), join(folder, "package.json"));
  for (const beside of ["node_modules", "sdk"]) await symlink(join(root, beside), join(folder, beside));
  for (const { file, from, to } of edits) {
    const path = join(folder, "src", file);
    const parts = (await readFile(path, "utf8")).split(from);
    if (parts.length !== 2)
      throw new Error(`src/${file} holds ${parts.length - 1} times what was to be taken out: ${from}`);
    await writeFile(path, parts.join(to));
  }
  return { main: join(folder, "src/main.ts"), remove: () => rm(folder, { recursive: true, force: true }) };
}
