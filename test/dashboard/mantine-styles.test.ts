import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const sources = fileURLToPath(new URL("../../dashboard/src", import.meta.url));
const mantine = resolve(dirname(createRequire(import.meta.url).resolve("@mantine/core")), "../..");
const core = join(mantine, "core/esm");

/**
 * The files of the pages before the sign-in that load at once. The set-up is not among them: it uses more, and loads
 * all styles.
 */
const signedOut = ["program", "sign-in", "invitation", "password"].map((name) =>
  join(sources, `signed-out/${name}.tsx`),
);

test.each([
  ["the dashboard imports", "mantine-styles.ts", allFiles],
  ["the pages before the sign-in import", "signed-out/mantine-styles.ts", async () => filesOf(signedOut)],
])("%s the styles of exactly the Mantine components that they use, in Mantine's order", async (_, list, files) => {
  const wanted = await stylesOf(await usedNames(await files()));
  const all = await readFile(join(mantine, "core/styles.css"), "utf8");
  const places = await Promise.all(
    wanted.map(async (name) => {
      const style = await readFile(join(mantine, `core/styles/${name}.css`), "utf8");
      return { name, at: all.indexOf(style.trim()) };
    }),
  );
  expect(places.filter(({ at }) => at < 0)).toEqual([]);
  const inOrder = places.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
  const written = await readFile(join(sources, list), "utf8");
  const imported = [...written.matchAll(/"@mantine\/core\/styles\/([\w-]+)\.css"/g)].map((found) => found[1]);
  expect(imported).toEqual(inOrder);
});

/** Returns the source files of the dashboard, and of the parts of Mantine that it uses. */
async function allFiles(): Promise<string[]> {
  const own = (await readdir(sources, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const charts = ["BarChart/BarChart", "ChartLegend/ChartLegend", "ChartTooltip/ChartTooltip"];
  return [
    ...own.map((name) => join(sources, name)),
    ...["NotificationContainer", "Notifications"].map((name) => join(mantine, `notifications/esm/${name}.mjs`)),
    ...charts.map((name) => join(mantine, `charts/esm/${name}.mjs`)),
  ];
}

/** Returns these files and all files that they import with a statement. */
async function filesOf(entries: string[], seen = new Set<string>()): Promise<string[]> {
  for (const file of entries.filter((one) => !seen.has(one))) {
    seen.add(file);
    const imports = (await readFile(file, "utf8")).matchAll(/^import (?!type )[^;]*?from "(\.[^"]+\.tsx?)"/gms);
    await filesOf(
      [...imports].map(([, path]) => resolve(dirname(file), path!)),
      seen,
    );
  }
  return [...seen];
}

/** Returns the names that files import from @mantine/core. */
async function usedNames(files: string[]): Promise<Set<string>> {
  const names = new Set<string>();
  for (const file of files) {
    for (const [, list] of (await readFile(file, "utf8")).matchAll(/import\s*\{([^}]*)\}\s*from "@mantine\/core"/g)) {
      for (const name of list!.split(",")) names.add(name.trim().replace(/ as .*/, ""));
    }
  }
  return names;
}

/** Returns the style sheets of all modules that these exports of @mantine/core lead to. */
async function stylesOf(names: Set<string>): Promise<string[]> {
  const index = await readFile(join(core, "index.mjs"), "utf8");
  const modules = new Map<string, string>();
  for (const [, list, file] of index.matchAll(/import\s*\{([^}]*)\}\s*from "([^"]+)"/g)) {
    // Some names come from other packages.
    if (!file!.startsWith(".")) continue;
    for (const name of list!.split(",")) modules.set(name.trim().replace(/.* as /, ""), resolve(core, file!));
  }
  const seen = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, next] of (await readFile(file, "utf8")).matchAll(/from "(\.[^"]+\.mjs)"/g)) {
      await visit(resolve(dirname(file), next!));
    }
  };
  for (const name of names) if (modules.has(name)) await visit(modules.get(name)!);
  const styles = [...seen].filter((file) => file.endsWith(".module.mjs"));
  return ["baseline", "global", ...styles.map((file) => basename(file, ".module.mjs"))];
}
