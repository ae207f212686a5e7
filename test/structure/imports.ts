import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

export const src = fileURLToPath(new URL("../../src", import.meta.url));

/** Which names each name points to. */
export type Graph = Map<string, Set<string>>;

/**
 * Returns what a file imports by a relative path, as it is written: values and types, re-exports, `import("./x.ts")`
 * of values and in types. A file that a URL names, such as a worker's, is not imported.
 */
export function relativeImports(file: string, text: string): string[] {
  const { module, program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const sources = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ...typeImports(program),
  ];
  return [...new Set(sources)].filter((source) => source?.startsWith(".") === true) as string[];
}

/** The sources of `import("./x.ts").Name` in types. */
function typeImports(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, source } = node as { type?: string; source?: { value: string } };
  const own = type === "TSImportType" ? [source!.value] : [];
  return [...own, ...Object.values(node).flatMap(typeImports)];
}

/** The TypeScript files of src and what they import of each other, by their paths from src. */
export function importsOfSrc(): Graph {
  const files = globSync("**/*.ts", { cwd: src }).sort();
  return new Map(
    files.map((file) => {
      const imports = relativeImports(file, readFileSync(join(src, file), "utf8"));
      return [file, new Set(imports.map((source) => posix.join(posix.dirname(file), source)))];
    }),
  );
}

/** The folder of src in which a file is; a file at its root stands for itself. */
export const folderOf = (file: string) => file.split("/")[0]!;

/** The same with folders in place of files. */
export function betweenFolders(imports: Graph): Graph {
  const folders: Graph = new Map();
  for (const [file, imported] of imports) {
    const folder = folderOf(file);
    const others = [...imported].map(folderOf).filter((other) => other !== folder);
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]));
  }
  return folders;
}

/** Returns a cycle for each name that is found to lead back to itself, as `a → b → a`; none that shares its edges. */
export function cyclesIn(graph: Graph): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, way: string[]): void => {
    if (way.includes(name)) cycles.push([...way.slice(way.indexOf(name)), name].join(" → "));
    else if (!done.has(name)) {
      for (const next of graph.get(name) ?? []) visit(next, [...way, name]);
      done.add(name);
    }
  };
  for (const name of graph.keys()) visit(name, []);
  return cycles;
}
