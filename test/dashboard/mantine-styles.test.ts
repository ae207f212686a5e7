import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const sources = fileURLToPath(new URL("../../dashboard/src", import.meta.url));
const mantine = resolve(dirname(createRequire(import.meta.url).resolve("@mantine/core")), "../..");
const core = join(mantine, "core/esm");

test("the dashboard imports the styles of exactly the Mantine components that it uses, in Mantine's order", async () => {
  const wanted = await stylesOf(await usedNames());
  const all = await readFile(join(mantine, "core/styles.css"), "utf8");
  const places = await Promise.all(
    wanted.map(async (name) => {
      const style = await readFile(join(mantine, `core/styles/${name}.css`), "utf8");
      return { name, at: all.indexOf(style.trim()) };
    }),
  );
  expect(places.filter(({ at }) => at < 0)).toEqual([]);
  const inOrder = places.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
  const written = await readFile(join(sources, "mantine-styles.ts"), "utf8");
  const imported = [...written.matchAll(/"@mantine\/core\/styles\/([\w-]+)\.css"/g)].map((found) => found[1]);
  expect(imported).toEqual(inOrder);
});

/** What the dashboard and the parts of Mantine that it uses import from @mantine/core. */
async function usedNames(): Promise<Set<string>> {
  const own = (await readdir(sources, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const charts = ["BarChart/BarChart", "ChartLegend/ChartLegend", "ChartTooltip/ChartTooltip"];
  const files = [
    ...own.map((name) => join(sources, name)),
    ...["NotificationContainer", "Notifications"].map((name) => join(mantine, `notifications/esm/${name}.mjs`)),
    ...charts.map((name) => join(mantine, `charts/esm/${name}.mjs`)),
  ];
  const names = new Set<string>();
  for (const file of files) {
    for (const [, list] of (await readFile(file, "utf8")).matchAll(/import\s*\{([^}]*)\}\s*from "@mantine\/core"/g)) {
      for (const name of list!.split(",")) names.add(name.trim().replace(/ as .*/, ""));
    }
  }
  return names;
}

/** The style sheets of all modules that these exports of @mantine/core lead to. */
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
  return ["baseline", "default-css-variables", "global", ...styles.map((file) => basename(file, ".module.mjs"))];
}
