import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

export const src = fileURLToPath(new URL("../../src", import.meta.url));

/** The names that each name points to. */
export type Graph = Map<string, Set<string>>;

/**
 * Returns the relative paths that a file imports, as they are written: values and types, re-exports, `import("./x.ts")`
 * of values and in types. A file that only a URL names, such as that of a worker, is not imported.
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

/** Returns the sources of `import("./x.ts").Name` in types. */
function typeImports(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, source } = node as { type?: string; source?: { value: string } };
  const own = type === "TSImportType" ? [source!.value] : [];
  return [...own, ...Object.values(node).flatMap(typeImports)];
}

/** Returns the TypeScript files of src, each with the files of src that it imports, by their paths from src. */
export function importsOfSrc(): Graph {
  const files = globSync("**/*.ts", { cwd: src }).sort();
  return new Map(
    files.map((file) => {
      const imports = relativeImports(file, readFileSync(join(src, file), "utf8"));
      return [file, new Set(imports.map((source) => posix.join(posix.dirname(file), source)))];
    }),
  );
}

/** Returns the folder of src that contains a file. For a file at the root it returns the file. */
export const folderOf = (file: string) => file.split("/")[0]!;

/** Returns the same graph with folders in place of files. */
export function betweenFolders(imports: Graph): Graph {
  const folders: Graph = new Map();
  for (const [file, imported] of imports) {
    const folder = folderOf(file);
    const others = [...imported].map(folderOf).filter((other) => other !== folder);
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]));
  }
  return folders;
}

/** Returns a cycle for each name that leads back to itself, as `a → b → a`. No two cycles share edges. */
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
